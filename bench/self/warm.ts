import { everyTwo } from "../core/families.ts";
import { mean } from "../statistics/variation.ts";
import { counted } from "../basics/units.ts";
import { errorText, percentApart } from "./chance.ts";
import type { Measurement } from "./measurements.ts";
import { costsOnce, probeCell, runtimeAxisName, type SelfSite } from "./self-site.ts";

const WINDOW_MS = 2_000;
const LONG_MS = 10_000;
const MOST_OFF_PERCENT = 3;

/**
 * Whether servers are warm when the warm-up says so: the probe on every runtime together, after the warm-up every run makes
 * and after one several times as long. Rounds of both in turn, so that a drifting machine says nothing.
 */
export async function measureWarm(site: SelfSite): Promise<Measurement[]> {
  const axis = runtimeAxisName(site.suite);
  const cells = [...site.equipment.runtimes.keys()].map((runtime) => probeCell(site.suite, { [axis]: runtime }));
  const found: { short: number[]; long: number[] }[] = [];
  for (let round = 0; round < site.rounds && !site.interrupts.stopped(); round++) {
    const costsOf: { short?: number[]; long?: number[] } = {};
    for (const which of round % 2 === 0 ? ["short", "long"] as const : ["long", "short"] as const) {
      if (site.interrupts.stopped()) break;
      site.say(`warm: ${which === "short" ? "until steady" : `${LONG_MS / 1_000} s`}, ${round + 1}/${site.rounds}`);
      const costs = await costsOnce(site, {
        cells,
        round,
        windowMs: WINDOW_MS,
        ...(which === "short" ? {} : { warmup: { kind: "fixed", ms: LONG_MS, loads: 1 } as const }),
      });
      if (costs !== null) costsOf[which] = costs.map(Math.log);
    }
    const { short, long } = costsOf;
    if (short !== undefined && long !== undefined) found.push({ short, long });
  }
  const pairs = everyTwo(cells.map((_, n) => n));
  return pairs.map(([a, b]): Measurement => {
    const ratios = (which: "short" | "long") => found.map((round) => round[which][b]! - round[which][a]!);
    const [short, long] = [ratios("short"), ratios("long")];
    const off = short.map((own, n) => own - long[n]!);
    return {
      part: "warm",
      name: `${cells[a]!.point.at[axis]} | ${cells[b]!.point.at[axis]}: percent off a long warm-up`,
      ...percentApart(off, MOST_OFF_PERCENT, pairs.length),
      goal: { most: MOST_OFF_PERCENT },
      note: off.length === 0
        ? "no valid round"
        : `cost of the second over the first ${Math.exp(mean(short)).toFixed(3)}, after ${
          LONG_MS / 1_000
        } s of warm-up ${Math.exp(mean(long)).toFixed(3)}${errorText(off)}, ${counted(off.length, "round")}`,
    };
  });
}
