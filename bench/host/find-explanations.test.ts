import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { cellOfCosts, explanationOf } from "../../tests/fixtures/explained-cell.ts";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { findExplanations } from "./find-explanations.ts";

const { run } = makeFixture({ sizes: [10_000], stores: ["map"] });
const [first, second] = run.plan.cells.map((cell, n) => ({
  ...cellOfCosts(`cell ${n}`, { app: [n + 1, n + 2] }),
  cell,
}));
const machine = { cpu_model: run.machine.cpu_model, system: "linux" };

test("of each set of a run's cells the newest explanation is found, in either order of cells, and no other", async () => {
  await inTemporaryFolder((results) => {
    const write = (name: string, text: string) => {
      mkdirSync(join(results, "explanations", name), { recursive: true });
      writeFileSync(join(results, "explanations", name, "explanation.json"), text);
    };
    const path = join(results, "some-run");
    assert.deepEqual(findExplanations(path, run), []);
    const made = (cells: (typeof first)[], load: string, more = machine) =>
      JSON.stringify(explanationOf(cells.map((cell) => cell!), { machine: more, load }));
    write("2026-1", made([first, second], "older"));
    write("2026-2", made([second, first], "newer"));
    write("2026-3", made([first], "alone"));
    write("2026-4", made([first, second], "elsewhere", { ...machine, cpu_model: "a windmill" }));
    write("2026-5", made([{ ...first!, cell: { ...first!.cell, label: "other" } }, second], "other cells"));
    write("2026-6", "{");
    write("2026-7", JSON.stringify({ ...JSON.parse(made([first], "x")), cells: Array(400).fill(first) }));
    mkdirSync(join(results, "explanations", "2026-8"));
    symlinkSync(
      join(results, "explanations/2026-2/explanation.json"),
      join(results, "explanations/2026-8/explanation.json"),
    );
    assert.deepEqual(findExplanations(path, run).map(({ load }) => load), ["alone", "newer"]);
  });
});
