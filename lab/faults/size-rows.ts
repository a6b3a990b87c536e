/** Records of a few kilobytes that ask for hours, and what is nested or listed beyond any record. */
import type { Plan } from "../../bench/record/plan.ts";
import { type Damage, inJson, inText, put } from "./damage.ts";

/** Damage to a file of a run, and what is said of it. */
export type Row = readonly [name: string, injected: string, says: RegExp, damage: Damage];

/** Rewrites the plan of run.json. */
const inPlan = (change: (plan: Plan) => Plan): Damage =>
  inJson("run.json", ({ plan, ...rest }) => ({ ...rest, plan: change(plan as Plan) }));

/** The plan with so many cells more, each measured alone in every round. */
function labelled(plan: Plan, many: number): Plan {
  const cells = Array.from({ length: many }, (_, n) => ({ ...plan.cells[0]!, label: `l${n}` }));
  const solo = cells.map((_, n) => ({ cell: plan.cells.length + n, rounds: 1_000 }));
  return { ...plan, cells: [...plan.cells, ...cells], solo: [...plan.solo, ...solo] };
}

/** Damage to run.json. */
export const RUN_SIZES: readonly Row[] = [
  [
    "run-cells",
    "a cell alone 60 000 times in 1 000 rounds",
    /run\.json" is damaged: plan\.solo/,
    inPlan((plan) => ({ ...plan, solo: Array.from({ length: 60_000 }, () => ({ cell: 0, rounds: 1_000 })) })),
  ],
  [
    "run-steps",
    "more steps than anybody measures",
    /run\.json" is damaged: plan\.rounds: it comes to more than/,
    inPlan((plan) => ({ ...labelled(plan, 200), rounds: 1_000, spare_rounds: 1_000 })),
  ],
  [
    "run-pairs",
    "more comparisons than anybody reads",
    /run\.json" is damaged: plan\.cells: it may compare more than/,
    inPlan((plan) => labelled(plan, 1_000)),
  ],
  [
    "run-seed",
    "a seed above 2³²",
    /run\.json" is damaged: plan\.seed/,
    inPlan((plan) => ({ ...plan, seed: 2 ** 32 })),
  ],
  [
    "run-axis",
    "an axis called __proto__",
    /run\.json" is damaged: plan\.axes/,
    inText("run.json", (text) => text.replace('"name": "behaviour"', '"name": "__proto__"')),
  ],
  [
    "run-values",
    "ten million empty lists",
    /run\.json" is damaged: it has more than 1000000 values/,
    put("run.json", `[${"[],".repeat(1e7)}[]]`),
  ],
  [
    "run-deep",
    "100 000 objects in each other",
    /run\.json" is damaged/,
    put("run.json", `${'{"a":'.repeat(1e5)}1${"}".repeat(1e5)}`),
  ],
];
