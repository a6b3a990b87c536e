import type { AcrossMachines } from "../result/across-machines.ts";
import { acrossHead, acrossRows, machineTexts, restText } from "./across-machines.ts";
import { markdownTable, markdownText } from "./markdown-table.ts";

/** Verdicts of several machines in Markdown: their sentence, which machine is which, then a line for each comparison. */
export function acrossMarkdown(across: AcrossMachines): string {
  const rows = acrossRows(across).map(({ fields }) => fields);
  const rest = restText(across);
  return [
    `**${markdownText(across.sentence)}**`,
    "",
    ...machineTexts(across).map((text) => `- ${markdownText(text)}`),
    "",
    ...(rows.length === 0 ? [] : [
      ...markdownTable([acrossHead(across), ...rows], (column) => column === 0),
      "",
    ]),
    ...(rest === "" ? [] : [rest, ""]),
  ].join("\n");
}
