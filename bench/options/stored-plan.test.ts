import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import oddSuite from "../../tests/fixtures/odd-suite.ts";
import { smallPlan } from "../../tests/fixtures/small-plan.ts";
import { BenchError } from "../basics/errors.ts";
import { makePlan } from "../plan/make-plan.ts";
import type { Plan } from "../record/plan.ts";
import { PROFILES } from "../plan/profile.ts";
import { settle } from "./settle.ts";
import { readPlanFile, suiteOfPlan } from "./stored-plan.ts";

const ODD = relative(process.cwd(), fileURLToPath(new URL("../../tests/fixtures/odd-suite.ts", import.meta.url)));

const oddPlan = (change: Partial<Plan> = {}) =>
  makePlan(oddSuite, {
    ...settle(oddSuite, { profile: PROFILES.default, seed: 7 }),
    module: ODD,
    together: true,
  }).then((plan): Plan => ({ ...plan, ...change }));

/** The plan that is read from a file with this text, or the message of the refusal. */
function read(text: string): unknown {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-plans-"));
  try {
    const file = join(folder, "plan.json");
    writeFileSync(file, text);
    const { folder: _, ...stored } = readPlanFile(file);
    return stored;
  } catch (error) {
    assert.ok(error instanceof BenchError && error.hint !== undefined && !error.message.includes("\n"), String(error));
    return error.message.replace(folder, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("a plan is read from a file that holds it alone, among what was printed, or in a run", () => {
  const none = { wanted: null, against: undefined };
  assert.deepEqual(read(JSON.stringify(smallPlan)), { plan: smallPlan, ...none });
  const printed = {
    plan: smallPlan,
    runtimes: [{ label: "node@1.2.3", wanted: "node=/x" }],
    placement: {},
    schedule: [],
  };
  assert.deepEqual(read(JSON.stringify(printed)), { plan: smallPlan, ...none, wanted: ["node=/x"] });
  const against = { ref: "HEAD~1", commit: "abc", label: "abc" };
  const run = { schema: "levelfield.run/2", plan: smallPlan, against, runtimes: [] };
  assert.deepEqual(read(JSON.stringify(run)), {
    plan: smallPlan,
    wanted: [],
    against: { ref: "HEAD~1", commit: "abc" },
  });
});

test("what is no plan is refused in one line that names the key", () => {
  assert.equal(read("{"), '"/plan.json" is no JSON');
  assert.match(String(read("7")), /^"\/plan\.json" is no plan: it: /);
  const newer = /is of version "levelfield\.plan\/3", made by a newer Levelfield/;
  assert.match(String(read(JSON.stringify({ ...smallPlan, schema: "levelfield.plan/3" }))), newer);
  assert.match(String(read(JSON.stringify({ plan: { ...smallPlan, schema: "levelfield.plan/3" } }))), newer);
  assert.match(String(read(JSON.stringify({ ...smallPlan, rounds: 0 }))), /^"\/plan\.json" is no plan: rounds: /);
  assert.match(
    String(read(JSON.stringify({ plan: { ...smallPlan, cells: [{ label: "main" }] } }))),
    /is no plan: cells\.0\.point: /,
  );
  assert.match(
    String(read(JSON.stringify({ ...smallPlan, solo: [{ cell: 99, rounds: 1 }] }))),
    /is no plan: .* a cell it does not have/,
  );
  const [first, place] = [smallPlan.cells[0]!, smallPlan.solo[0]!];
  const many = Array.from({ length: 60_000 }, () => ({ cell: 0, rounds: 1_000 }));
  const wrong: readonly (readonly [change: object, told: RegExp])[] = [
    [{ cells: [] }, /is no plan: cells/],
    [{ cells: [...smallPlan.cells, first] }, /the same name/],
    [{ solo: many }, /is no plan: solo/],
    [{ solo: [place, place] }, /stands in it twice/],
    [{ seed: 2 ** 32 }, /is no plan: seed/],
    [{ rounds: 1e9 }, /is no plan: rounds/],
    [{ duration_ms: -1 }, /is no plan: duration_ms/],
    [{ more: 1 }, /is no plan/],
  ];
  for (const [change, told] of wrong) assert.match(String(read(JSON.stringify({ ...smallPlan, ...change }))), told);
  for (const text of ["", "\ufeff{}", "[".repeat(100_000)]) assert.equal(read(text), '"/plan.json" is no JSON');
  const cells = smallPlan.cells.map((cell, n) => n === 1 ? { ...smallPlan.cells[0]!, label: "1234567" } : cell);
  assert.match(String(read(JSON.stringify({ ...smallPlan, cells }))), /measures main and 1234567 without a revision/);
  assert.throws(() => readPlanFile("/nowhere/plan.json"), /cannot read plan "\/nowhere\/plan\.json": ENOENT/);
});

test("a plan's suite is found by its module or its name, and must still have the plan's axes and values", async () => {
  const stored = (plan: Plan) => ({ plan, wanted: null, against: undefined, folder: "/nowhere" });
  const plan = await oddPlan();
  assert.equal(await suiteOfPlan(stored(plan)), oddSuite);
  const refused = async (change: Partial<Plan>, message: RegExp) =>
    await assert.rejects(
      suiteOfPlan(stored({ ...plan, ...change })),
      (error) => error instanceof BenchError && message.test(error.message) || assert.fail(String(error)),
    );
  await refused(
    { suite: { ...plan.suite, module: "gone.ts" } },
    /suite "odd" was planned from "gone\.ts", which is not here/,
  );
  await refused({ suite: { ...plan.suite, module: null } }, /unknown suite "odd"/);
  await refused(
    { axes: plan.axes.slice(1) },
    /suite "odd" is not the planned one any more: it has a new axis "way \/ how"/,
  );
  const further: Plan["further"] = { axis: "rate", generator: "nobody", limit: null };
  await refused({ generator: "nobody" }, /unknown generator "nobody"/);
  await refused({ further }, /unknown generator "nobody"/);
  await refused({ axes: [...plan.axes, { ...plan.axes[0]!, name: "x" }] }, /it has no axis "x"/);
  const values = [...plan.axes[0]!.values, { value: "c", text: "c", facts: {} }];
  await refused({ axes: [{ ...plan.axes[0]!, values }, ...plan.axes.slice(1)] }, /axis "way \/ how" has no value "c"/);
  const rates = { axis: "rate" as const, limit: "p99<10ms" };
  await refused({ generator: "./evil" }, /unknown generator "\.\/evil"/);
  await refused({ further: { ...rates, generator: "toString" } }, /unknown generator "toString"/);
  const point = plan.unsupported[0]!.point;
  await refused({ cells: [{ point, label: "main" }] }, /way \/ how "x y, .*" cannot be measured: <too> long/);
});

test("a plan without a module has a suite of this project by its exact name, and a path there is never imported", async () => {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-plans-"));
  try {
    const evil = join(folder, "evil.mjs"), marker = join(folder, "marker");
    const touch = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(marker)}, "");`;
    writeFileSync(evil, `${touch}\nexport default {};\n`);
    const near = relative(process.cwd(), evil);
    const names = [evil, near, `./${near}`, "evil.mjs", "./evil.mjs", `${folder}/../${basename(folder)}/evil.mjs`];
    const urls = [
      pathToFileURL(evil).href,
      `data:text/javascript,${encodeURIComponent(touch)}`,
      "http://127.0.0.1:9/a.mjs",
    ];
    const odd = ["", ".", "..", "__proto__", "constructor", "Users", "users ", "users\u200b", "\uff55sers", "users/"];
    for (const name of [...names, ...urls, ...odd, "node:fs", "zod", "suites/users/suite.ts"]) {
      const plan = { ...smallPlan, suite: { name, title: name, module: null } };
      await assert.rejects(
        suiteOfPlan({ plan, wanted: null, against: undefined, folder }),
        (error) => error instanceof BenchError && error.message === `unknown suite "${name}"`,
        name,
      );
      assert.ok(!existsSync(marker), `"${name}" was imported`);
    }
    // The trap is one: as a module, which takes trust, it is imported.
    const suite = { name: "evil", title: "evil", module: "evil.mjs" };
    const plan = { ...smallPlan, suite };
    await assert.rejects(suiteOfPlan({ plan, wanted: null, against: undefined, folder }), /is missing/);
    assert.ok(existsSync(marker));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
