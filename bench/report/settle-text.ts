import { shellQuoted } from "../basics/shell.ts";
import { counted, formatDurationMs } from "../basics/units.ts";
import { firstFew } from "../basics/visible.ts";
import { aboutPercent } from "../result/claim-texts.ts";
import { remedyText } from "../result/open-comparisons.ts";
import type { NoSettle, SettlePlan } from "../result/settle-plan.ts";

/** The first lines of a settle: what it measures, what that may decide, and the cost of its look. */
export function settleTexts(found: SettlePlan): string[] {
  const { open, reopened, comparisons, decides, cells, rounds, minutes, quiet, sees } = found;
  const all = comparisons === open ? counted(open, "open comparison") : `${comparisons} of ${open} open comparisons`;
  return [
    `settle: ${counted(rounds, "further round")} of ${counted(cells.length, "server")} for ${all}, ` +
    `about ${formatDurationMs(60_000 * minutes)}: ${firstFew(cells, 6)}`,
    sees === null
      ? "how far apart they are is not known yet, nor how many of them that decides"
      : `${decides === 0 ? "none" : decides} of them would be decided if the ratios seen are true; ` +
        `then differences above about ${aboutPercent(sees)} would as a rule have been seen`,
    ...(quiet === 0 ? [] : [`others had the machine in rounds of ${quiet} of them: settle it when it is quiet`]),
    ...(reopened === 0 ? [] : [
      `open comparisons that were decided: ${reopened}, as the looks at a settled run share its error`,
    ]),
  ];
}

/** Why a run is not settled, and the next command to try. */
export function noSettleText(run: string, { code, helps, open, roundMs }: NoSettle): { text: string; hint: string } {
  switch (code) {
    case "unfinished":
      return { text: `run "${run}" is not finished`, hint: `bench run --resume ${shellQuoted(run)}` };
    case "decided":
      return { text: `run "${run}" has nothing open that may change its answer`, hint: "bench show" };
    case "looks":
      return {
        text: `run "${run}" had all its looks, and ${counted(open, "comparison")} stayed open`,
        hint: "bench run makes a new one, with more rounds by --rounds",
      };
    case "time":
      return {
        text: `one round of run "${run}" takes about ${formatDurationMs(roundMs ?? 0)}, more than its time`,
        hint: "give it more with --time",
      };
    case "remedy":
      return {
        text: `rounds settle nothing that is open in run "${run}"`,
        hint: remedyText(helps, counted(open, "comparison")),
      };
    default:
      return {
        text: `run "${run}" is one of bench ${code}, which is not settled`,
        hint: `bench ${code} --rounds N measures more rounds`,
      };
  }
}
