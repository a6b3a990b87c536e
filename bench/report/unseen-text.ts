import { percent } from "../basics/units.ts";
import type { Summary } from "../record/summary.ts";

/** What a run could not see, by what its verdicts rest on: `Differences under 2.1 % are not visible here.` */
export function unseenText({ noise_floor, families }: Pick<Summary, "noise_floor" | "families">): string {
  const bases = new Set(families.flatMap(({ comparisons }) => comparisons.map(({ basis }) => basis)));
  const told = ([["together", "measured together"], ["solo", "by single rates"]] as const).flatMap(([basis, words]) => {
    const floor = noise_floor[basis];
    return bases.has(basis) && floor.kind === "agree" ? [{ share: percent(floor.delta), words }] : [];
  });
  if (told.length === 0) return "What differences could be seen here is not known.";
  const [only] = told;
  const which = told.length === 1 ? only!.share : told.map(({ share, words }) => `${share} (${words})`).join(" or ");
  return `Differences under ${which} are not visible here.`;
}
