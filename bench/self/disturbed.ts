import { counted } from "../basics/units.ts";
import type { Cell } from "../record/cell-schema.ts";
import { startChild } from "../host/child.ts";
import { childEnvironment } from "../host/runtimes.ts";
import { percentApart } from "./chance.ts";
import type { Measurement } from "./measurements.ts";
import { observeSelf, probeCell, runtimeAxisName, type SelfSite } from "./self-site.ts";

const WINDOW_MS = 2_000;
const MOST_OFF_PERCENT = 3;

/** Where a neighbour may be. */
const PLACES = ["the servers' core", "the generator's core"] as const;

/** What was found beside a neighbour. */
interface Disturbed {
  /** ln of each ratio over that of the quiet round before, of observations without a mark. */
  readonly apart: number[][];
  /** Such observations whose quiet round is none. */
  alone: number;
  marked: number;
}

/**
 * Whether a neighbour can make a wrong number look right: an endless loop on the servers' core and on the generator's, at
 * raised priority where that is allowed and at ordinary one. An observation has to be marked, or its ratios those of the
 * quiet machine. Quiet rounds and disturbed ones in turn.
 */
export async function measureDisturbed(site: SelfSite): Promise<Measurement[]> {
  const axis = runtimeAxisName(site.suite);
  const cells = [...site.equipment.runtimes.keys()].map((runtime) => probeCell(site.suite, { [axis]: runtime }));
  const { placement, priority } = site.equipment;
  const kinds = [...(priority.nice === null ? [] : ["raised" as const]), "ordinary" as const];
  const measurements: Measurement[] = [];
  for (const kind of kinds) {
    const equipment = kind === "raised"
      ? site.equipment
      : { ...site.equipment, priority: { nice: null, why: "to see what a neighbour does" } };
    const own = { ...site, equipment };
    let anyQuiet = false;
    const disturbed = PLACES.map((): Disturbed => ({ apart: [], alone: 0, marked: 0 }));
    for (let round = 0; round < site.rounds && !site.interrupts.stopped(); round++) {
      site.say(`disturbed: ${kind} priority, quiet, ${round + 1}/${site.rounds}`);
      const still = await ratiosOnce(own, cells, round);
      anyQuiet ||= still !== null;
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
          else if (still === null) disturbed[n]!.alone++;
          else disturbed[n]!.apart.push(ratios.map((own, place) => own - still[place]!));
        } finally {
          neighbour.kill("SIGKILL");
          await neighbour.ended;
        }
      }
    }
    for (const [n, place] of PLACES.entries()) {
      const { apart, alone, marked } = disturbed[n]!;
      const unmarked = apart.length + alone;
      const known = anyQuiet && (unmarked === 0 ? marked > 0 : apart.length > 0);
      const figures = kinds.length * PLACES.length * (cells.length - 1);
      measurements.push({
        part: "disturbed",
        name: `a neighbour on ${place}, ${kind} priority: percent off where unmarked`,
        ...(!known ? { ratio: null } : unmarked === 0 ? { ratio: 0 } : mostApart(apart, figures)),
        goal: { most: MOST_OFF_PERCENT },
        note: known
          ? `${marked} of ${counted(marked + unmarked, "observation")} marked`
          : anyQuiet
          ? "no round valid both ways"
          : "no valid quiet round",
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

/** The ratio that is furthest from the quiet one, in percent, and the chance of that. */
const mostApart = (apart: readonly (readonly number[])[], figures: number) =>
  apart[0]!.map((_, n) => percentApart(apart.map((round) => round[n]!), MOST_OFF_PERCENT, figures))
    .reduce((a, b) => b.ratio! > a.ratio! ? b : a);
