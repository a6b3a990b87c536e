import { counted } from "../basics/units.ts";
import { mean } from "../statistics/variation.ts";
import type { BlockTable } from "../statistics/blocks.ts";
import { noiseFloor } from "../statistics/noise-floor.ts";
import { judgeFamily } from "../statistics/verdict.ts";
import { PROFILES } from "../core/profile.ts";
import { chanceOfFew, chanceOfMany } from "./chance.ts";
import type { Measurement } from "./measurements.ts";
import { costsOnce, probeCell, runtimeAxisName, type SelfSite, twinOf } from "./self-site.ts";

const RUNTIME = "bun";
const WINDOW_MS = PROFILES.default.ensembleMs;
const ROUNDS = PROFILES.default.rounds;
/** Units of work a request that weigh about as much as the request. */
const CALIBRATION = 0.15;
/** Share of runs that find a true 5 %, and of those that call a server different from itself. */
const [LEAST_FOUND, MOST_FALSE] = [0.9, 0.05];
const MEMBERS = ["base", "same", "three", "five"] as const;

/**
 * How often a default run tells the truth: a true 5 % and 3 % found, and a server called different from itself, all in one
 * ensemble of four. Takes some five minutes a repetition (`--rounds`), so it is measured only when asked for.
 */
export async function measurePower(site: SelfSite): Promise<Measurement[]> {
  const cell = probeCell(site.suite, { [runtimeAxisName(site.suite)]: RUNTIME });
  const roundsOf = async (work: readonly number[], rounds: number, what: string): Promise<(number | null)[][]> => {
    const made: (number | null)[][] = [];
    for (let round = 0; round < rounds && !site.interrupts.stopped(); round++) {
      site.say(`power: ${what}, round ${round + 1}`);
      const costs = await costsOnce(site, {
        cells: work.map((_, n) => twinOf(cell, MEMBERS[n]!)),
        round,
        windowMs: WINDOW_MS,
        work: Object.fromEntries(work.map((units, n) => [MEMBERS[n]!, units])),
      });
      made.push(costs ?? work.map(() => null));
    }
    return made;
  };
  const calibration = (await roundsOf([0, CALIBRATION], 6, "what a unit of work costs"))
    .flatMap(([base, more]) => base && more ? [more / base] : []);
  const costOfUnit = calibration.length === 0 ? NaN : (mean(calibration) - 1) / CALIBRATION;
  if (!(costOfUnit > 0) && !site.interrupts.stopped()) {
    throw new Error("no valid round to tell what a unit of work costs");
  }
  const costing = (extra: number) => Number((extra / costOfUnit).toFixed(5));
  const counts = { same: 0, three: 0, five: 0, tried: 0 };
  for (let n = 0; n < site.rounds && !site.interrupts.stopped(); n++) {
    const costs = await roundsOf([0, 0, costing(0.03), costing(0.05)], ROUNDS, `${n + 1}/${site.rounds}`);
    if (site.interrupts.stopped()) break;
    const table: BlockTable = {
      id: "power",
      members: MEMBERS,
      rounds: costs.map((own, round) => ({ round, costs: own })),
    };
    const evidence = { kind: "blocks", table } as const;
    const floor = noiseFloor([{ over: "base", under: "same", evidence }]);
    const { comparisons: [three, five] } = judgeFamily(
      ["three", "five"].map((under) => ({ over: "base", under, basis: "together", evidence, objections: [] })),
      { together: floor },
    );
    counts.tried++;
    if (floor.kind === "different") counts.same++;
    if (three!.verdict === "faster") counts.three++;
    if (five!.verdict === "faster") counts.five++;
  }
  const share = (count: number) => counts.tried === 0 ? null : count / counts.tried;
  const of = (count: number) =>
    `${count} of ${counted(counts.tried, "run")} of ${ROUNDS} rounds, ${WINDOW_MS / 1000} s a server`;
  return [
    {
      part: "power",
      name: "a true 5 % found",
      ratio: share(counts.five),
      chance: chanceOfFew(counts.five, counts.tried, LEAST_FOUND),
      goal: { least: LEAST_FOUND },
      note: of(counts.five),
    },
    { part: "power", name: "a true 3 % found", ratio: share(counts.three), goal: null, note: of(counts.three) },
    {
      part: "power",
      name: "a server called different from itself",
      ratio: share(counts.same),
      chance: chanceOfMany(counts.same, counts.tried, MOST_FALSE),
      goal: { most: MOST_FALSE },
      note: of(counts.same),
    },
  ];
}
