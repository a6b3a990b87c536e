import { counted } from "../basics/units.ts";
import { type Examination, type Finding, reasonText } from "../record/finding.ts";
import type { Effect } from "../record/mark.ts";
import { inColumns, wrapped } from "./wrap.ts";
import { wrappedCommand } from "./fit-text.ts";
import type { Style } from "./style.ts";

const SIGNS: Readonly<Record<Effect | "none", readonly [sign: string, colour: keyof Style]>> = {
  none: ["✓", "green"],
  withholds: ["!", "yellow"],
  voids: ["✗", "red"],
  note: ["?", "dim"],
};

/** The claims that a machine of a grade can carry. */
const SHOWS: Readonly<Record<Examination["grade"]["grade"], string>> = {
  dedicated: "rates can be compared as they stand",
  shared: "verdicts of servers measured together hold, single rates move with the machine's speed",
  advisory: "processes cannot be pinned, so figures are hints",
};

/** The grade with its reasons, then the findings, each with its cost and the command that mends it. */
export function doctorTable({ findings, grade }: Examination, style: Style, columns = Infinity): string {
  const width = 2 + Math.max(...findings.map(({ title }) => title.length));
  const below = (text: string, paint: (line: string) => string) => inColumns("", text, { width, columns, paint });
  const lines = findings.flatMap((finding) => {
    const [sign, colour] = SIGNS[finding.effect ?? "none"];
    const [first, ...more] = inColumns(`${sign} ${finding.title}`, finding.text, { width, columns });
    return [
      first!.replace(sign, style[colour]),
      ...more,
      ...(finding.cost === null ? [] : below(finding.cost, style.dim)),
      ...(finding.mend === null ? [] : mendLines(finding.mend)),
    ];
  });
  function mendLines(mend: string): string[] {
    const indent = columns - width - 2 < 40 ? 4 : width + 2;
    return wrappedCommand(mend, columns - indent).map((line) => `${" ".repeat(indent)}${style.bold(line)}`);
  }
  const reasons = grade.reasons.map((reason) => `  ${reasonText(reason)}`);
  const graded = wrapped(`Grade: ${grade.grade}: ${SHOWS[grade.grade]}`, columns).map(style.bold);
  const head = [...graded, ...reasons, countText(findings)];
  return [...head, "", ...lines, ""].join("\n");
}

function countText(findings: readonly Finding[]): string {
  const count = (wanted: Effect | null) => findings.filter(({ effect }) => effect === wanted).length;
  const [costing, blocking] = [count("withholds"), count("voids")];
  return `${count(null)} ok, ${counted(costing, "costs something", "cost something")}, ${
    counted(blocking, "blocks", "block")
  }, ${count("note")} unknown`;
}
