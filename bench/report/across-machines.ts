/** Verdicts of several machines as texts. It takes no library, because the page runs it too. */
import { type AcrossMachines, type ComparisonAcross, moved } from "../result/across-machines.ts";
import { isDecided } from "../record/inverse.ts";
import { listed } from "../result/questions.ts";
import { counted, formatRatio } from "../basics/units.ts";

/** Up to so many comparisons have a line; those left out are the ones that hold and move least. */
const MOST_LINES = 60;

/** The head over the fields of {@link acrossRows}. */
export function acrossHead({ machines }: AcrossMachines): string[] {
  return ["comparison", ...machines.map(({ name }) => name), "ratios", "the same on"];
}

/**
 * A line for each comparison, what does not hold first: `wind over water (Engine), iron, 10k kg`. Then the ratio of
 * each machine, how far it moves, and on how many machines it was decided alike.
 */
export function acrossRows(
  { machines, comparisons }: AcrossMachines,
): { readonly fields: string[]; readonly level: "good" | "bad" | "warn" }[] {
  return comparisons.slice(0, MOST_LINES).map((comparison) => {
    const { axis, over, under, at, seen, moves, outcome } = comparison;
    return {
      fields: [
        `${over} over ${under} (${axis})${at === "" ? "" : `, ${at}`}`,
        ...seen.map(seenText),
        moves === null
          ? "–"
          : `${formatRatio(moves.least)} to ${formatRatio(moves.greatest)}, ${
            formatRatio(moved(moves))
          } × between machines`,
        sameText(comparison, machines.map(({ name }) => name)),
      ],
      level: outcome === "holds" ? "good" : outcome === "turns" ? "bad" : "warn",
    };
  });
}

function seenText(seen: ComparisonAcross["seen"][number]): string {
  if (seen === null) return "–";
  if (seen.ratio === null || !isDecided(seen)) return "open";
  return `${formatRatio(seen.ratio)}${seen.verdict === "equivalent" ? " (equivalent)" : ""}`;
}

/**
 * `2 of 3; bun wins on intel-6-85; open on apple-m2`.
 *
 * @param machines names, in the order of what they saw
 * @param most beyond so many names the rest are counted
 */
export function sameText(
  { under, outcome, same, made, seen }: ComparisonAcross,
  machines: readonly string[],
  most = Infinity,
): string {
  const where = (...verdicts: readonly string[]) => {
    const names = machines.filter((_, n) => verdicts.includes(seen[n]?.verdict ?? ""));
    return listed(names.length <= most ? names : [...names.slice(0, most), `${names.length - most} more`]);
  };
  const open = where("not-separable", "no-verdict");
  const parts = [
    `${same} of ${made}`,
    outcome === "turns" ? `${under} wins on ${where("slower")}` : "",
    (outcome === "turns" || outcome === "differs") && where("equivalent") !== ""
      ? `equivalent on ${where("equivalent")}`
      : "",
    open === "" ? "" : `open on ${open}`,
  ];
  return parts.filter((text) => text !== "").join("; ");
}

/** Which machine is which: `amd-25-1 is AMD EPYC, run 2026-11-20-120000`. */
export function machineTexts({ machines }: AcrossMachines): string[] {
  return machines.map(({ name, model, runs }) =>
    `${name} is ${model}, ${runs.length === 1 ? "run" : "runs"} ${listed(runs)}`
  );
}

/** What has no line of its own; empty where everything has. */
export function restText({ comparisons }: AcrossMachines): string {
  const rest = comparisons.slice(MOST_LINES);
  if (rest.length === 0) return "";
  const holding = rest.every(({ outcome }) => outcome === "holds");
  const most = Math.max(...rest.map(({ moves }) => moved(moves)));
  return `${counted(rest.length, "comparison")} more${holding ? " that hold" : ""}, moving by up to ${
    formatRatio(most)
  } ×.`;
}
