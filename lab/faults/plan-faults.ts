import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BenchFault, saying } from "./fault.ts";
import { commandOf, planOf, SOUND } from "./small-runs.ts";

type Change = (plan: Record<string, unknown>) => unknown;

/** Plans that are damaged, and what is said of each. */
const PLANS: readonly (readonly [name: string, injected: string, change: Change, says: RegExp])[] = [
  ["plan-null", "null", () => null, /is no plan/],
  ["plan-list", "a list", () => [], /is no plan/],
  ["plan-version", "another version", (plan) => ({ ...plan, schema: "levelfield.plan/1" }), /is no plan: schema/],
  ["plan-no-cells", "no cells", (plan) => ({ ...plan, cells: [] }), /is no plan: cells/],
  [
    "plan-twice",
    "the same cell twice",
    (plan) => ({ ...plan, cells: [plan["cells"], plan["cells"]].flat() }),
    /the same name/,
  ],
  [
    "plan-place",
    "a cell it does not have",
    (plan) => ({ ...plan, solo: [{ cell: 9, rounds: 1 }] }),
    /a cell it does not have/,
  ],
  ["plan-rounds", "10⁹ rounds", (plan) => ({ ...plan, rounds: 1e9 }), /is no plan: rounds/],
  ["plan-window", "a window below zero", (plan) => ({ ...plan, duration_ms: -1 }), /is no plan: duration_ms/],
  [
    "plan-generator",
    "a generator nobody knows",
    (plan) => ({ ...plan, generator: "toString" }),
    /unknown generator "toString"/,
  ],
  [
    "plan-suite",
    "a suite nobody has",
    (plan) => ({ ...plan, suite: { name: "toString", title: "", module: null } }),
    /unknown suite "toString"/,
  ],
  [
    "plan-axis",
    "an axis its suite does not have",
    (plan) => ({ ...plan, axes: [...plan["axes"] as object[], { ...(plan["axes"] as object[])[0], name: "colour" }] }),
    /no axis "colour"/,
  ],
  ["plan-more", "a field nobody knows", (plan) => ({ ...plan, more: 1 }), /is no plan/],
];

const plans: BenchFault[] = PLANS.map(([name, injected, change, says]) => ({
  kind: "bench",
  group: "input",
  name,
  injected: `a plan: ${injected}`,
  expected: saying(says),
  quick: name === "plan-version",
  async inject(stage) {
    const plan = await planOf([SOUND]) as unknown as Record<string, unknown>;
    await stage.expect(commandOf(stage, change(plan)), 2, says);
  },
}));

/** Files in place of a plan or a suite. */
const TEXTS: readonly (readonly [name: string, injected: string, file: string, text: string, says: RegExp])[] = [
  ["plan-empty", "an empty plan", "plan.json", "", /is no JSON/],
  ["plan-bom", "a plan with a byte order mark", "plan.json", '\ufeff{"schema":1}', /is no JSON/],
  ["plan-deep", "a plan of 100 000 brackets", "plan.json", "[".repeat(100_000), /is no JSON/],
  ["suite-torn", "a suite that is no TypeScript", "suite.ts", "export const = ;", /does not load: ./],
  [
    "suite-throws",
    "a suite that throws",
    "suite.ts",
    'throw new Error("closed today");',
    /does not load: .*closed today/,
  ],
  ["suite-throws-nothing", "a suite that throws undefined", "suite.ts", "throw undefined;", /does not load: ./],
  ["suite-empty", "a suite file without a suite", "suite.ts", "", /exports no suite/],
  ["suite-number", "a suite that is a number", "suite.ts", "export default 7;", /the export/],
  ["suite-imports", "a suite that imports what is not there", "suite.ts", 'import "./none.ts";', /does not load: ./],
];

const texts: BenchFault[] = TEXTS.map(([name, injected, file, text, says]) => ({
  kind: "bench",
  group: "input",
  name,
  injected,
  expected: saying(says),
  async inject(stage) {
    const path = join(stage.folder, file);
    writeFileSync(path, text);
    await stage.expect(file === "plan.json" ? ["run", "--plan", path] : ["run", path, "--dry-run"], 2, says);
  },
}));

/** Plans and suites that are wrong. */
export const PLAN_FAULTS: readonly BenchFault[] = [...plans, ...texts];
