import type { Cell } from "../core/cell.ts";
import { MAIN, type PlannedTrial, stepLoadMs } from "../core/plan.ts";
import { createRandom, shuffle } from "../core/random.ts";
import { median } from "../core/statistics/median.ts";
import { conductTrial, type TrialSite } from "../trial/conduct-trial.ts";
import type { Measurement } from "./measurements.ts";
import { type SelfSite, selfTrialSite, spreadText } from "./self-site.ts";

const SMALL = 10_000;
const LARGE = 1_000_000;
const STORES = ["map", "binary", "sqlite", "drizzle"];

/** Flatness over size and stores against each other, from interleaved solo trials: per-round ratios, their median. */
export async function measureCells(site: SelfSite, directoryOf: TrialSite["storeDirectory"]): Promise<Measurement[]> {
  const { equipment } = site;
  const runtimes = [...equipment.runtimes.keys()];
  const trialSite = selfTrialSite(site, directoryOf, 1_000);
  const { plan } = trialSite;
  const cells = runtimes.flatMap((runtime) =>
    STORES.flatMap((store) =>
      [SMALL, LARGE].map((size): Cell => ({ suite: "users", workload: "read", runtime, store, size }))
    )
  );
  const random = createRandom(plan.seed);
  const rounds: Map<string, { rate: number; bound: string }>[] = [];
  let spentMs = 0;
  let loadMs = 0;
  let trials = 0;
  for (let round = 0; round < site.rounds && !site.interrupts.stopped(); round++) {
    const rates = new Map<string, { rate: number; bound: string }>();
    for (const cell of shuffle(cells, random)) {
      if (site.interrupts.stopped()) break;
      site.say(`cells: round ${round + 1}/${site.rounds}, ${rates.size + 1}/${cells.length}`);
      const trial: PlannedTrial = { kind: "trial", index: trials, round, cell, label: MAIN, drawSeed: round + 1 };
      const record = await conductTrial(trial, trialSite);
      spentMs += record.wall_ms;
      loadMs += stepLoadMs(plan, trial);
      trials++;
      if (record.status === "ok") {
        rates.set(keyOf(cell), { rate: record.load!.requests_per_second, bound: record.bound });
      }
    }
    rounds.push(rates);
  }

  const compare = (part: string, name: string, a: string, b: string, least: number): Measurement => {
    const both = rounds.flatMap((round) => {
      const [x, y] = [round.get(a), round.get(b)];
      return x === undefined || y === undefined ? [] : [{ ratio: x.rate / y.rate, bounds: [x.bound, y.bound] }];
    });
    const bounds = [...new Set(both.flatMap((pair) => pair.bounds))].join(" and ");
    const ratios = both.map((pair) => pair.ratio);
    return {
      part,
      name,
      ratio: ratios.length === 0 ? null : median(ratios),
      goal: { least },
      note: ratios.length === 0 ? "no valid round" : `${spreadText(ratios)}; bound: ${bounds}`,
    };
  };
  return [
    ...runtimes.flatMap((runtime) =>
      STORES.map((store) =>
        compare(
          "flat",
          `${runtime}/${store}: 1M / 10k`,
          `${runtime} ${store} ${LARGE}`,
          `${runtime} ${store} ${SMALL}`,
          0.85,
        )
      )
    ),
    ...runtimes.flatMap((runtime) =>
      [SMALL, LARGE].flatMap((size) => {
        const at = size === SMALL ? "10k" : "1M";
        const map = `${runtime} map ${size}`;
        return [
          compare("stores", `${runtime}: sqlite / map at ${at}`, `${runtime} sqlite ${size}`, map, 0.6),
          compare("stores", `${runtime}: binary / map at ${at}`, `${runtime} binary ${size}`, map, 0.55),
        ];
      })
    ),
    {
      part: "overhead",
      name: "wall time / measured and warm-up time of these trials",
      ratio: trials === 0 ? null : spentMs / loadMs,
      goal: { most: 1.5 },
      note: `${trials} trials`,
    },
  ];
}

const keyOf = (cell: Cell) => `${cell.runtime} ${cell.store} ${cell.size}`;
