import type { Draw, RequestPlan, SentLoad } from "../../suites/suite.ts";
import type { DrawnValues } from "../record/observation-record.ts";
import { type EqualValues, repeatedShare } from "../statistics/repeated-draws.ts";
import { sum } from "../statistics/variation.ts";
import { DRAWN_BEFOREHAND } from "./drawn-requests.ts";
import { splitMix } from "./request-mix.ts";

/** Ranks of a skewed draw that are taken one by one; later ones are joined, a hundredth of their rank at a time. */
const EXACT_RANKS = 100;

/** The values of a draw in groups of about equal chance; null of numbers that never come twice. */
export function equalValuesOf(draw: Draw, linesOf: (file: string) => number): readonly EqualValues[] | null {
  switch (draw.kind) {
    case "uniform":
      return [{ count: draw.below, chance: 1 / draw.below }];
    case "rows": {
      const count = linesOf(draw.file);
      return count === 0 ? null : [{ count, chance: 1 / count }];
    }
    case "hot": {
      const any = (1 - draw.share) / draw.below;
      return [{ count: draw.keys, chance: any + draw.share / draw.keys }, {
        count: draw.below - draw.keys,
        chance: any,
      }]
        .filter(({ count }) => count > 0);
    }
    case "zipf":
      return zipfValues(draw);
    case "serial":
    case "same":
      return null;
  }
}

/** Values of a skewed draw: the first ranks alone, the rest joined to groups in which chances differ by few percent. */
function zipfValues({ below, exponent }: Extract<Draw, { kind: "zipf" }>): EqualValues[] {
  const groups: { count: number; weight: number }[] = [];
  for (let rank = 1; rank <= below;) {
    const count = Math.min(below + 1 - rank, rank <= EXACT_RANKS ? 1 : Math.floor(rank / EXACT_RANKS));
    groups.push({ count, weight: (rank + (count - 1) / 2) ** -exponent });
    rank += count;
  }
  const all = sum(groups.map(({ count, weight }) => count * weight));
  return groups.map(({ count, weight }) => ({ count, chance: weight / all }));
}

/**
 * Returns the draws of a server's loads, each with its values and with the expected share of repeats in the window: the
 * last load, or its last requests. Nothing is stored of single draws. Empty without draws, and if the generator does not
 * count the requests of its window.
 *
 * @param windowRequests requests of the window
 * @param repeats true if the generator of the window sends a list of requests drawn beforehand again and again
 */
export function drawnValues(
  requests: RequestPlan,
  loads: readonly SentLoad[],
  { windowRequests, repeats, linesOf }: {
    readonly windowRequests: number;
    readonly repeats: boolean;
    readonly linesOf: (file: string) => number;
  },
): DrawnValues[] {
  const mix = splitMix(requests);
  const countOf = ({ sent }: SentLoad, name: string) =>
    sum(mix.map(({ draws }, n) => draws.includes(name) ? sum(sent.map((thread) => thread[n] ?? 0)) : 0));
  const last = loads.at(-1);
  const all = last === undefined ? 0 : sum(last.sent.flat());
  if (last === undefined || all === 0 || windowRequests <= 0) return [];
  return Object.entries(requests.draws ?? {}).flatMap(([name, draw]) => {
    const values = equalValuesOf(draw, linesOf);
    const draws = sum(loads.map((load) => countOf(load, name)));
    const during = countOf(last, name) * Math.min(1, windowRequests / all);
    if (values === null || during < 1) return [];
    const listed = repeats ? Math.min(during, DRAWN_BEFOREHAND) : during;
    const first = (1 - repeatedShare(values, draws - during, listed)) * listed;
    return [{ name, values: sum(values.map(({ count }) => count)), draws, repeated: Math.max(0, 1 - first / during) }];
  });
}
