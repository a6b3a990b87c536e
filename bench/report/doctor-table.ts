import type { Examination } from "../core/doctor/examine.ts";
import type { Finding, FindingStatus } from "../core/doctor/finding.ts";
import type { Style } from "./style.ts";

const MARKS: Readonly<Record<FindingStatus, readonly [mark: string, colour: keyof Style]>> = {
  ok: ["✓", "green"],
  costs: ["!", "yellow"],
  blocks: ["✗", "red"],
  unknown: ["?", "dim"],
};

/**
 * Findings as lines, each with its cost and what mends it below; what none can mend for one reason is named once. Then the
 * grade with its reasons.
 */
export function doctorTable({ findings, grade }: Examination, style: Style): string {
  const width = Math.max(...findings.map(({ title }) => title.length));
  const indent = " ".repeat(width + 4);
  const unmendable = Map.groupBy(
    findings.filter(({ status, mend }) => status !== "ok" && mend === null),
    ({ reason }) => reason,
  );
  const repeated = [...unmendable].filter(([, same]) => same.length > 1);
  const isRepeated = ({ mend, reason }: Finding) => mend === null && repeated.some(([known]) => known === reason);
  const lines = findings.flatMap((finding) => {
    const [mark, colour] = MARKS[finding.status];
    return [
      `${style[colour](mark)} ${finding.title.padEnd(width)}  ${finding.seen}`,
      ...(finding.cost === null ? [] : [style.dim(`${indent}${finding.cost}`)]),
      ...(finding.status === "ok" || isRepeated(finding) ? [] : [`${indent}${mendText(finding, style)}`]),
    ];
  });
  const rest = repeated.map(([reason, same]) =>
    style.dim(`No command for ${same.map(({ title }) => title).join(", ")}: ${reason}`)
  );
  const reasons = grade.reasons.map((reason) => `  ${reason}`);
  return [...lines, "", ...rest, `${countText(findings)}`, `${style.bold(`Grade: ${grade.grade}`)}`, ...reasons, ""]
    .join("\n");
}

function mendText({ mend, reason }: Finding, style: Style): string {
  return mend === null ? style.dim(`no command: ${reason}`) : style.bold(mend);
}

function countText(findings: readonly Finding[]): string {
  const count = (status: FindingStatus) => findings.filter((finding) => finding.status === status).length;
  return `${count("ok")} ok, ${count("costs")} cost something, ${count("blocks")} block, ${count("unknown")} unknown`;
}
