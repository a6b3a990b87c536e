import { compare, type RoundPair } from "../core/statistics/compare.ts";
import { noiseFloor } from "../core/statistics/noise-floor.ts";
import { judgeFamily } from "../core/statistics/verdict.ts";
import { mean } from "../core/statistics/variation.ts";
import type { Measurement } from "./measurements.ts";
import { logRatioOnce, probeCell, runtimeAxisOf, type SelfSite, twinOf } from "./self-site.ts";

const RUNTIME = "bun";
const WINDOW_MS = 2_000;
const ROUNDS_OF_A_DUET = 6;
/** Units of work a request that weigh about as much as the request. */
const CALIBRATION = 0.15;

/**
 * How often six-round duets tell the truth: a true 5 % and 3 % found, and a server called different from itself. Takes
 * about a minute a repetition (`--rounds`), so it is measured only when asked for.
 */
export async function measurePower(site: SelfSite): Promise<Measurement[]> {
  const cell = probeCell(site.suite, { [runtimeAxisOf(site.suite)]: RUNTIME });
  const sixRounds = async (ballast: number, what: string): Promise<RoundPair[]> => {
    const pairs: RoundPair[] = [];
    for (let round = 0; round < ROUNDS_OF_A_DUET && !site.interrupts.stopped(); round++) {
      site.say(`power: ${what}, round ${round + 1}`);
      const cells = [cell, twinOf(cell, "slower")];
      const logRatio = await logRatioOnce(site, { cells, round, windowMs: WINDOW_MS, work: { slower: ballast } });
      pairs.push({ round, a: logRatio === null ? null : 1, b: logRatio === null ? null : Math.exp(logRatio) });
    }
    return pairs;
  };
  const calibration = (await sixRounds(CALIBRATION, "what a unit of work costs")).flatMap((pair) => pair.b ?? []);
  const costOfUnit = (mean(calibration) - 1) / CALIBRATION;
  if (!(costOfUnit > 0) && !site.interrupts.stopped()) {
    throw new Error("no valid duet to tell what a unit of work costs");
  }
  const costing = (extra: number) => Number((extra / costOfUnit).toFixed(5));
  const counts = { same: 0, three: 0, five: 0, tried: 0 };
  for (let n = 0; n < site.rounds && !site.interrupts.stopped(); n++) {
    const tag = `${n + 1}/${site.rounds}`;
    const same = await sixRounds(0, `A/A ${tag}`);
    const three = await sixRounds(costing(0.03), `+3 % ${tag}`);
    const five = await sixRounds(costing(0.05), `+5 % ${tag}`);
    if (site.interrupts.stopped()) break;
    const floor = noiseFloor([compare(same, "lower", 0.95)]);
    const found = (pairs: RoundPair[]) =>
      judgeFamily([{ a: "a", b: "b", basis: "duet", better: "lower", pairs, objections: [] }], { duet: floor })[0]!
        .kind ===
        "faster";
    counts.tried++;
    if (floor.kind === "different") counts.same++;
    if (found(three)) counts.three++;
    if (found(five)) counts.five++;
  }
  const share = (count: number) => counts.tried === 0 ? null : count / counts.tried;
  const of = (count: number) => `${count} of ${counts.tried} six-round duets of ${WINDOW_MS / 1000} s`;
  return [
    { part: "power", name: "a true 5 % found", ratio: share(counts.five), goal: { least: 1 }, note: of(counts.five) },
    {
      part: "power",
      name: "a true 3 % found",
      ratio: share(counts.three),
      goal: { least: 0.9 },
      note: of(counts.three),
    },
    {
      part: "power",
      name: "a server called different from itself",
      ratio: share(counts.same),
      goal: { most: 0.05 },
      note: of(counts.same),
    },
  ];
}
