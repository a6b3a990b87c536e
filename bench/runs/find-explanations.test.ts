import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ASKS_ONCE } from "../../lab/asks-once.ts";
import { cellOfCosts, explanationOf } from "../../tests/fixtures/explained-cell.ts";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { planAxis } from "../../tests/fixtures/small-plan.ts";
import { folderTest } from "../../tests/testing.ts";
import type { Plan } from "../record/plan.ts";
import { findExplanations, sourceOfCell } from "./find-explanations.ts";

const { run } = makeFixture({ sizes: [10_000], stores: ["map"] });
const [first, second] = run.plan.cells.map((cell, n) => ({
  ...cellOfCosts(`cell ${n}`, { app: [n + 1, n + 2] }),
  cell,
}));
const machine = { cpu_model: run.machine.cpu_model, system: "linux" };

/** Writes into a folder of explanations. */
function writer(results: string) {
  return (name: string, text: string) => {
    mkdirSync(join(results, "explanations", name), { recursive: true });
    writeFileSync(join(results, "explanations", name, "explanation.json"), text);
  };
}

const made = (cells: (typeof first)[], load: string, more = machine) =>
  JSON.stringify(explanationOf(cells.map((cell) => cell!), { machine: more, load }));

folderTest("of each set of a run's cells the newest explanation is found, in either order, and no other", (results) => {
  const write = writer(results);
  const path = join(results, "some-run");
  const at = (name: string) => join(results, "explanations", name);
  assert.deepEqual(findExplanations(path, run), []);
  write("2026-1", made([first, second], "older"));
  write("2026-2", made([second, first], "newer"));
  write("2026-3", made([first], "alone"));
  write("2026-4", made([first, second], "elsewhere", { ...machine, cpu_model: "a windmill" }));
  write("2026-5", made([{ ...first!, cell: { ...first!.cell, label: "other" } }, second], "other cells"));
  write("2026-6", "{");
  write("2026-7", JSON.stringify({ ...JSON.parse(made([first], "x")), cells: Array(400).fill(first) }));
  for (const name of ["2026-8", "2026-9"]) mkdirSync(at(name));
  symlinkSync(at("2026-2/explanation.json"), at("2026-8/explanation.json"));
  execFileSync("mkfifo", [at("2026-9/explanation.json")]);
  symlinkSync("2026-1", at("2026-a"));
  assert.deepEqual(findExplanations(path, run).map(({ load }) => load), ["alone", "newer"]);
  renameSync(join(results, "explanations"), join(results, "moved"));
  symlinkSync("moved", join(results, "explanations"));
  assert.deepEqual(findExplanations(path, run), [], "all of them behind a link");
});

/** A plan of one app by the hash of its source, under one request. */
function planOfApp(sha256: string, path = "/"): Plan {
  const app = { kind: "app" as const, name: "a", module: "a.ts", home: ".", sha256, needs: {} };
  const spec = {
    ...{ ...ASKS_ONCE, ignore: [], samples: [], refused: [], env: [], words: [] },
    requests: [{ method: "GET", path }],
    asked_first: { app: "a", runtime: null },
    servers: [{ ...app, source: { of: "module" as const, files: 1 } }],
  };
  const suite = { name: "own", title: "own", module: null, own: spec };
  const cell = { point: { suite: "own", at: { app: "a" } }, label: "main" };
  return { ...run.plan, suite, axes: [planAxis("app", ["a"])], cells: [cell] };
}

folderTest("an explanation is of its run's app and requests: another app of the same name has none", (results) => {
  const write = writer(results);
  const put = (name: string, { suite, axes, cells: [cell] }: Plan) => {
    const source = sourceOfCell(suite, axes, cell!);
    write(name, made([{ ...first!, cell: cell!, ...(source === null ? {} : { source }) }], name));
  };
  const found = (plan: Plan) => findExplanations(join(results, "some-run"), { ...run, plan }).map(({ load }) => load);
  put("2026-1", planOfApp("1"));
  put("2026-2", planOfApp("2"));
  put("2026-3", planOfApp("1", "/other"));
  assert.deepEqual([planOfApp("1"), planOfApp("2"), planOfApp("3")].map(found), [["2026-1"], ["2026-2"], []]);
  put("2026-4", run.plan);
  assert.deepEqual(found(run.plan), ["2026-4"], "a cell of this project needs no source");
  const axes = run.plan.axes.map((axis) => ({
    ...axis,
    values: axis.values.map((value) => ({ ...value, facts: { file: "mine.ts", sha256: "1" } })),
  }));
  assert.deepEqual(found({ ...run.plan, axes }), [], "one with a module of somebody's does");
  put("2026-5", { ...run.plan, axes });
  assert.deepEqual(found({ ...run.plan, axes }), ["2026-5"]);
});
