/** Plans and suites that are wrong. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandFaults, type CommandRow } from "./command-faults.ts";
import type { BenchFault } from "./fault.ts";
import { commandOf, planOf, SOUND } from "./small-runs.ts";

/** The sound plan with some fields changed. */
const changed = (fields: Readonly<Record<string, unknown>>) => (plan: Record<string, unknown>) => ({
  ...plan,
  ...fields,
});

/** Plans that are damaged, and what is said of each. */
const PLANS: readonly (readonly [
  name: string,
  injected: string,
  says: RegExp,
  change: (plan: Record<string, unknown>) => unknown,
])[] = [
  ["plan-null", "null", /is no plan/, () => null],
  ["plan-list", "a list", /is no plan/, () => []],
  ["plan-version", "another version", /is of version "levelfield.plan\/1"/, changed({ schema: "levelfield.plan/1" })],
  ["plan-no-cells", "no cells", /is no plan: cells/, changed({ cells: [] })],
  [
    "plan-twice",
    "the same cell twice",
    /the same name/,
    ({ cells, ...plan }) => ({ ...plan, cells: [cells, cells].flat() }),
  ],
  ["plan-place", "a cell it does not have", /a cell it does not have/, changed({ solo: [{ cell: 9, rounds: 1 }] })],
  [
    "plan-cells",
    "a cell alone 60 000 times",
    /is no plan: solo/,
    changed({ solo: Array.from({ length: 60_000 }, () => ({ cell: 0, rounds: 1_000 })) }),
  ],
  [
    "plan-again",
    "a cell alone twice",
    /stands in it twice/,
    ({ solo, ...plan }) => ({ ...plan, solo: [solo, solo].flat() }),
  ],
  ["plan-seed", "a seed above 2³²", /is no plan: seed/, changed({ seed: 2 ** 32 })],
  ["plan-rounds", "10⁹ rounds", /is no plan: rounds/, changed({ rounds: 1e9 })],
  ["plan-window", "a window below zero", /is no plan: duration_ms/, changed({ duration_ms: -1 })],
  ["plan-generator", "a generator nobody knows", /unknown generator "toString"/, changed({ generator: "toString" })],
  [
    "plan-suite",
    "a suite nobody has",
    /unknown suite "toString"/,
    changed({ suite: { name: "toString", title: "", module: null } }),
  ],
  [
    "plan-axis",
    "an axis its suite does not have",
    /no axis "colour"/,
    ({ axes, ...plan }) => ({ ...plan, axes: [...axes as object[], { ...(axes as object[])[0], name: "colour" }] }),
  ],
  ["plan-more", "a field nobody knows", /is no plan/, changed({ more: 1 })],
];

const plans = PLANS.map(([name, injected, says, change]): CommandRow => [
  name,
  `a plan: ${injected}`,
  2,
  says,
  async (stage) => commandOf(stage, change({ ...await planOf([SOUND]) })),
]);

/** Texts in place of a plan and of a suite. */
const PLAN_TEXTS: readonly (readonly [name: string, injected: string, text: string])[] = [
  ["plan-empty", "an empty plan", ""],
  ["plan-bom", "a plan with a byte order mark", '\ufeff{"schema":1}'],
  ["plan-deep", "a plan of 100 000 brackets", "[".repeat(100_000)],
];
const SUITES: readonly (readonly [name: string, injected: string, says: RegExp, text: string])[] = [
  ["suite-torn", "a suite that is no TypeScript", /does not load: ./, "export const = ;"],
  ["suite-throws", "a suite that throws", /does not load: .*closed today/, 'throw new Error("closed today");'],
  ["suite-throws-nothing", "a suite that throws undefined", /does not load: ./, "throw undefined;"],
  ["suite-empty", "a suite file without a suite", /exports no suite/, ""],
  ["suite-number", "a suite that is a number", /the export/, "export default 7;"],
  ["suite-imports", "a suite that imports what is not there", /does not load: ./, 'import "./none.ts";'],
];

const texts = [
  ...PLAN_TEXTS.map(([name, injected, text]): CommandRow => [name, injected, 2, /is no JSON/, ({ folder }) => {
    writeFileSync(join(folder, "plan.json"), text);
    return ["run", "--plan", join(folder, "plan.json")];
  }]),
  ...SUITES.map(([name, injected, says, text]): CommandRow => [name, injected, 2, says, ({ folder }) => {
    writeFileSync(join(folder, "suite.ts"), text);
    return ["run", join(folder, "suite.ts"), "--dry-run"];
  }]),
];

/** Plans and suites that are wrong. */
export const PLAN_FAULTS: readonly BenchFault[] = commandFaults("input", [...plans, ...texts], ["plan-version"]);
