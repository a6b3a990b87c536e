import { AA } from "../record/cell.ts";
import { inWords } from "../record/in-words.ts";
import { counted, formatRate } from "../basics/units.ts";
import { isRanked } from "../report/metrics.ts";
import type { RunFiles } from "../page/shown-run.ts";
import { harmlessJson } from "../report/align.ts";

/**
 * JSON for github-action-benchmark's tool `customBiggerIsBetter`: a list of name, unit, value, with the interval as its
 * range. Only cells that may be ranked are in it: the action would alert on the others.
 *
 * @see https://github.com/benchmark-action/github-action-benchmark
 */
export function toGithubActionBenchmark({ run, cells }: RunFiles): string {
  const list = cells.filter((card) => card.cell.label !== AA && isRanked(card)).map((card) => {
    const interval = card.requests_per_second_interval;
    return {
      name: card.name,
      unit: inWords(run.plan, "req/s"),
      value: card.requests_per_second!,
      ...(interval === null ? {} : { range: `${formatRate(interval.low)} to ${formatRate(interval.high)}` }),
      extra: `run ${run.run}, ${
        counted(card.observations, "observation")
      }, bound ${card.bound}, grade ${run.grade.grade}`,
    };
  });
  return harmlessJson(list, 2) + "\n";
}
