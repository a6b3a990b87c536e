/** A plan as JSON, in which anything may be changed. */
// deno-lint-ignore no-explicit-any
type Loose = any;

const times = <T>(many: number, item: (n: number) => T): T[] => Array.from({ length: many }, (_, n) => item(n));

const label = (plan: Loose, many: number) =>
  void plan.cells.push(...times(many, (n) => ({ ...plan.cells[0], label: `l${n}` })));

const along = ({ cells: [{ point }] }: Loose, axis: string, value: number) => ({
  ...point,
  at: { ...point.at, [axis]: value },
});

/** Plans that ask for much in few words: so many of something each. */
export const PLAN_CHANGES: Readonly<Record<string, (plan: Loose, many: number) => void>> = {
  "rounds": (plan) => plan.rounds = plan.spare_rounds = 1_000,
  "settles": (plan, many) => {
    label(plan, many);
    const solo = plan.cells.map((_: unknown, cell: number) => cell);
    plan.settles = times(
      2,
      () => ({ ensembles: [], solo, rounds: Math.max(1, Math.floor(40_000 / solo.length)), seed: 1 }),
    );
  },
  "cells alone": (plan, many) => plan.solo = times(6 * many, () => ({ cell: 0, rounds: 1_000 })),
  "labels": label,
  "labels measured": (plan, many) => {
    label(plan, many);
    plan.solo = plan.cells.map((_: unknown, cell: number) => ({ cell, rounds: 1 }));
  },
  "ensembles": (plan, many) => {
    label(plan, many);
    const { length } = plan.cells;
    const cells = (n: number) => times(Math.min(64, length), (m) => (n + m) % length);
    plan.ensembles = plan.cells.map((_: unknown, n: number) => ({ purpose: "pair", cells: cells(n), rounds: 1 }));
  },
  "values": ({ axes }, many) => {
    for (const axis of axes) axis.values = times(many, (value) => ({ ...axis.values[0], value }));
  },
  "points": (plan, many) =>
    void plan.cells.push(
      ...times(many, (n) => ({ point: along(plan, plan.axes[0].name, n), label: "main" })),
    ),
  "unsupported": (plan, many) =>
    plan.unsupported = times(many, (n) => ({ point: along(plan, "extra", n), reason: "r".repeat(1_000) })),
  "seed": (plan, many) => plan.seed = 2 ** 32 + many,
};
