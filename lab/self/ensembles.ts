import { counted } from "../../bench/basics/units.ts";
import { everyTwo } from "../../bench/plan/families.ts";
import { makePlan } from "../../bench/plan/make-plan.ts";
import { PROFILES } from "../../bench/plan/profile.ts";
import { cellName } from "../../bench/record/cell.ts";
import { createRandom, shuffle } from "../../bench/basics/random.ts";
import { settle } from "../../bench/options/settle.ts";
import { medianOfKnown } from "../../bench/statistics/median.ts";
import { mean, standardDeviation } from "../../bench/statistics/variation.ts";
import { errorText, type Measurement, percentApart } from "./measurements.ts";
import { costsOnce, type SelfSite } from "./self-site.ts";

/** Window for each server, in an ensemble and in a duet alike. */
const WINDOW_MS = PROFILES.default.ensembleMs;
/** Pairs that are also measured as duets; all of them would take an hour. */
const PAIRS = 6;
const MOST_OFF_PERCENT = 3;

/**
 * Compares an ensemble with duets: all servers of the suite's probe condition on one core at once, and random pairs of
 * them two by two. Rounds of both alternate.
 */
export async function measureEnsembles(site: SelfSite): Promise<Measurement[]> {
  const { suite } = site;
  const plan = await makePlan(suite, {
    ...settle(suite, { profile: PROFILES.quick, given: { generator: "wrk" }, seed: 1 }),
    module: null,
    together: true,
  });
  const ensemble = plan.ensembles[0]!;
  const cells = ensemble.cells.map((place) => plan.cells[place]!);
  const names = cells.map((cell) => cellName(plan.axes, cell));
  const pairs = shuffle(everyTwo(cells.map((_, n) => n)), createRandom(1)).slice(0, PAIRS);
  const together: number[][] = [];
  /** For each pair, ln of the second's cost over the first's, in rounds that have both ensemble and duet. */
  const found = pairs.map((): { all: number; two: number }[] => []);
  const ms = { together: 0, apart: 0 };
  const timed = async (what: keyof typeof ms, members: readonly number[], round: number) => {
    const started = performance.now();
    const costs = await costsOnce(site, { cells: members.map((n) => cells[n]!), round, windowMs: WINDOW_MS });
    ms[what] += performance.now() - started;
    return costs?.map(Math.log) ?? null;
  };
  for (let round = 0; round < site.rounds && !site.interrupts.stopped(); round++) {
    site.say(`ensembles: ${counted(cells.length, "server")}, ${round + 1}/${site.rounds}`);
    const all = await timed("together", cells.map((_, n) => n), round);
    if (all !== null) together.push(all);
    for (const [n, pair] of pairs.entries()) {
      if (site.interrupts.stopped()) break;
      site.say(`ensembles: ${pair.map((place) => names[place]).join(" | ")}, ${round + 1}/${site.rounds}`);
      const two = await timed("apart", pair, round);
      const [a, b] = pair;
      if (all !== null && two !== null) found[n]!.push({ all: all[b]! - all[a]!, two: two[1]! - two[0]! });
    }
  }
  const sds = together.length < 2
    ? []
    : everyTwo(cells.map((_, n) => n)).map(([a, b]) =>
      standardDeviation(together.map((costs) => costs[b]! - costs[a]!))
    );
  const perPair = ms.apart / Math.max(1, pairs.length);
  const all = cells.length * (cells.length - 1) / 2;
  return [
    ...pairs.map(([a, b], n): Measurement => {
      const rounds = found[n]!;
      const off = rounds.map(({ all, two }) => all - two);
      const ratioOf = (side: "all" | "two") => Math.exp(mean(rounds.map((round) => round[side]))).toFixed(3);
      return {
        part: "ensembles",
        name: `${names[a]} | ${names[b]}: percent off their duets`,
        ...percentApart(off, MOST_OFF_PERCENT, pairs.length),
        goal: { most: MOST_OFF_PERCENT },
        note: off.length === 0
          ? "no valid round"
          : `cost of the second over the first ${ratioOf("all")} among ${cells.length}, ${ratioOf("two")} as duets${
            errorText(off)
          }, ${counted(off.length, "round")}`,
      };
    }),
    {
      part: "ensembles",
      name: `time of an ensemble over that of all its ${counted(all, "pair")} as duets`,
      ratio: ms.apart === 0 ? null : ms.together / (perPair * all),
      goal: { most: 0.1 },
      note: `${(ms.together / site.rounds / 1_000).toFixed(0)} s a round, ${
        (perPair / site.rounds / 1_000).toFixed(1)
      } s a duet`,
    },
    {
      part: "ensembles",
      name: "standard deviation of the log ratios, median of all pairs",
      ratio: medianOfKnown(sds),
      goal: null,
      note: sds.length === 0
        ? "too few rounds"
        : `${counted(together.length, "round")}, ${Math.min(...sds).toFixed(3)} to ${Math.max(...sds).toFixed(3)}`,
    },
  ];
}
