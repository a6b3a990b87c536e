import type { AcrossMachines } from "../result/across-machines.ts";
import { acrossHead, acrossRows, machineTexts, restText, WINNER_HEAD, winnerRows } from "./across-machines.ts";
import { markdownTable, markdownText } from "./markdown-table.ts";

/** Verdicts of several machines in Markdown: their sentence, which machine is which, who wins, then a line for each comparison. */
export function acrossMarkdown(across: AcrossMachines): string {
  const rows = acrossRows(across).map(({ fields }) => fields);
  const winners = winnerRows(across);
  const rest = restText(across);
  return [
    `**${markdownText(across.sentence)}**`,
    "",
    ...machineTexts(across).map((text) => `- ${markdownText(text)}`),
    "",
    ...(winners.length === 0 ? [] : [...markdownTable([WINNER_HEAD, ...winners], (column) => column === 0), ""]),
    ...(rows.length === 0 ? [] : [
      ...markdownTable([acrossHead(across), ...rows], (column) => column === 0),
      "",
    ]),
    ...(rest === "" ? [] : [rest, ""]),
  ].join("\n");
}
