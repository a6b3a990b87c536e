import { grouped, percent } from "../basics/units.ts";
import { mark } from "../record/mark.ts";
import type { DrawnValues, Member } from "../record/observation-record.ts";
import type { Mark } from "../record/outcome-schema.ts";
import { median } from "../statistics/median.ts";
import { THRESHOLDS } from "./thresholds.ts";

/** The draw whose requests in the windows repeated the fewest values, with the median share over observations. */
function coldestOf(members: readonly Pick<Member, "drawn">[]): DrawnValues | null {
  const byName = Map.groupBy(members.flatMap(({ drawn = [] }) => drawn), ({ name }) => name);
  const known = [...byName].map(([name, same]): DrawnValues => ({
    name,
    values: same[0]!.values,
    draws: Math.round(median(same.map(({ draws }) => draws))),
    repeated: median(same.map(({ repeated }) => repeated)),
  }));
  return known.toSorted((a, b) => a.repeated - b.repeated)[0] ?? null;
}

/** Returns the mark of a cell whose windows mostly requested new values: a cache of its server may still be cold. */
export function coldCacheMark(members: readonly Pick<Member, "drawn">[]): Mark | null {
  const coldest = coldestOf(members);
  if (coldest === null || coldest.repeated >= THRESHOLDS.warmCacheShare) return null;
  const { name, values, draws, repeated } = coldest;
  return mark(
    "cold-cache",
    `most values of {${name}}, ${grouped(values)} in all, were requested at most once (${
      grouped(draws)
    } draws): a cache ` +
      `by them was cold, as ${percent(repeated, 0)} of the window's requests repeated a value`,
  );
}
