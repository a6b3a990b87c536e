import { counted } from "../core/units.ts";
import type { Cell } from "../core/cell-schema.ts";
import { startChild } from "../host/child.ts";
import { childEnvironment } from "../host/runtimes.ts";
import { mean } from "../core/statistics/variation.ts";
import type { Measurement } from "./measurements.ts";
import { observeSelf, probeCell, runtimeAxisOf, type SelfSite } from "./self-site.ts";

const WINDOW_MS = 2_000;
const MOST_OFF_PERCENT = 3;

/** Where a neighbour may be. */
const PLACES = ["the servers' core", "the generator's core"] as const;

/**
 * Whether a neighbour can make a wrong number look right: an endless loop on the servers' core and on the generator's, at
 * raised priority where that is allowed and at ordinary one. An observation has to be marked, or its ratios those of the
 * quiet machine. Quiet rounds and disturbed ones in turn.
 */
export async function measureDisturbed(site: SelfSite): Promise<Measurement[]> {
  const axis = runtimeAxisOf(site.suite);
  const cells = [...site.equipment.runtimes.keys()].map((runtime) => probeCell(site.suite, { [axis]: runtime }));
  const { placement, priority } = site.equipment;
  const kinds = [...(priority.nice === null ? [] : ["raised" as const]), "ordinary" as const];
  const measurements: Measurement[] = [];
  for (const kind of kinds) {
    const equipment = kind === "raised"
      ? site.equipment
      : { ...site.equipment, priority: { nice: null, why: "to see what a neighbour does" } };
    const own = { ...site, equipment };
    const quiet: number[][] = [];
    const disturbed = PLACES.map(() => ({ ratios: [] as number[][], marked: 0 }));
    for (let round = 0; round < site.rounds && !site.interrupts.stopped(); round++) {
      site.say(`disturbed: ${kind} priority, quiet, ${round + 1}/${site.rounds}`);
      const still = await ratiosOnce(own, cells, round);
      if (still !== null) quiet.push(still);
      for (const [n, place] of PLACES.entries()) {
        if (site.interrupts.stopped()) break;
        site.say(`disturbed: ${kind} priority, a neighbour on ${place}, ${round + 1}/${site.rounds}`);
        const neighbour = startChild({
          file: "sh",
          args: ["-c", "while :; do :; done"],
          cpus: n === 0 ? placement.serverCpus : placement.loadCpus,
          env: childEnvironment(),
        });
        site.interrupts.onStart(() => neighbour.kill("SIGKILL"));
        try {
          const ratios = await ratiosOnce(own, cells, round);
          if (ratios === null) disturbed[n]!.marked++;
          else disturbed[n]!.ratios.push(ratios);
        } finally {
          neighbour.kill("SIGKILL");
          await neighbour.ended;
        }
      }
    }
    for (const [n, place] of PLACES.entries()) {
      const { ratios, marked } = disturbed[n]!;
      const known = quiet.length > 0 && ratios.length + marked > 0;
      measurements.push({
        part: "disturbed",
        name: `a neighbour on ${place}, ${kind} priority: percent off where unmarked`,
        ratio: !known ? null : ratios.length === 0 ? 0 : 100 * mostOff(quiet, ratios),
        goal: { most: MOST_OFF_PERCENT },
        note: known ? `${marked} of ${counted(marked + ratios.length, "observation")} marked` : "no valid quiet round",
      });
    }
  }
  return measurements;
}

/** ln of what each server's request costs over the first one's; null for an observation that is marked. */
async function ratiosOnce(site: SelfSite, cells: readonly Cell[], round: number): Promise<number[] | null> {
  const { status, members } = await observeSelf(site, { cells, round, windowMs: WINDOW_MS });
  const costs = members.map(({ cpu_ns_per_request }) => cpu_ns_per_request);
  if (status !== "ok" || costs.some((cost) => cost === null)) return null;
  return costs.slice(1).map((cost) => Math.log(cost! / costs[0]!));
}

/** How far the ratio is off that is furthest from the quiet one, as a share. */
function mostOff(quiet: readonly number[][], disturbed: readonly number[][]): number {
  const offs = quiet[0]!.map((_, n) =>
    Math.abs(Math.expm1(mean(disturbed.map((round) => round[n]!)) - mean(quiet.map((round) => round[n]!))))
  );
  return Math.max(...offs);
}
