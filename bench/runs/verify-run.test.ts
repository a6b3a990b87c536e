import assert from "node:assert/strict";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { writeSealedRun } from "../../lab/write-run.ts";
import { makePlausible } from "../../tests/fixtures/plausible-run.ts";
import { folderTest, inTemporaryFolder } from "../../tests/testing.ts";
import { BOUNDS } from "../record/bounds.ts";
import type { Plan } from "../record/plan.ts";
import type { RunRecord } from "../record/run-record.ts";
import { unjudgedWarmups } from "../result/verify.ts";
import { verify } from "./verify-run.ts";

const small = makePlausible({ stores: ["map"], sizes: [10_000], together: "all", rounds: 6 });

/** What is said of a run whose record was changed by hand. */
const faultsWith = (change: (run: RunRecord) => void) =>
  inTemporaryFolder((folder) => {
    const path = writeSealedRun(join(folder, "run"), small);
    const file = join(path, "run.json");
    const run = JSON.parse(readFileSync(file, "utf8"));
    change(run);
    writeFileSync(file, JSON.stringify(run));
    return Promise.resolve(verify(path).faults);
  });

const ofPlan = (change: (plan: Plan) => void) => faultsWith(({ plan }) => change(plan));
const many = <T>(count: number, item: (n: number) => T) => Array.from({ length: count }, (_, n) => item(n));

test("a plan that asks for more than anybody measures is refused before a step of it is made", async () => {
  const refused: [RegExp, (plan: Plan) => void][] = [
    [/plan\.solo: Too big/, (plan) => plan.solo = many(60_000, () => ({ cell: 0, rounds: 1_000 }))],
    [/plan: .*stands in it twice/, (plan) => plan.solo = many(2, () => ({ cell: 0, rounds: 1 }))],
    [/plan: .*stands in it twice/, (plan) => plan.ensembles.push(plan.ensembles[0]!)],
    [/plan: .*stands in it twice/, ({ ensembles }) => ensembles[0]!.cells[1] = ensembles[0]!.cells[0]!],
    [/plan\.rounds: it comes to more than 100000 steps/, (plan) => {
      const [cell] = plan.cells;
      plan.cells.push(...many(200, (n) => ({ ...cell!, label: `l${n}` })));
      plan.solo = plan.cells.map((_, cell) => ({ cell, rounds: 1_000 }));
      plan.rounds = 1_000;
    }],
    [/plan\.rounds: it comes to more than/, (plan) => {
      plan.cells.push(...many(200, (n) => ({ ...plan.cells[0]!, label: `l${n}` })));
      plan.solo = plan.cells.map((_, cell) => ({ cell, rounds: 1 }));
      plan.spare_rounds = 1_000;
    }],
    [/plan\.cells: it may compare more than 50000 pairs/, (plan) => {
      plan.cells.push(...many(600, (n) => ({ ...plan.cells[0]!, label: `l${n}` })));
    }],
    [/plan\.axes/, (plan) => plan.axes[0]!.name = "__proto__"],
    [/plan\.seed: Too big/, (plan) => plan.seed = 2 ** 32],
    [/plan\.alone_rounds: Too big/, (plan) => plan.alone_rounds = 1e9],
    [/plan\.axes\.0\.title: Too big/, (plan) => plan.axes[0]!.title = "x".repeat(BOUNDS.word + 1)],
    [/plan\.duration_ms: Too big/, (plan) => plan.duration_ms = 2 ** 50],
  ];
  for (const [says, change] of refused) {
    const faults = await ofPlan(change);
    assert.match(faults.join("\n"), says);
  }
});

test("warm-ups without their slices are told by their number, with the reason that was kept", () => {
  assert.deepEqual(unjudgedWarmups(small.lines), []);
  const without = small.lines.map((line) => structuredClone(line));
  const [member] = without.flatMap(({ members }) => members.filter(({ warmup }) => warmup !== null));
  Object.assign(member!.warmup!, { slices: null, judged_slices: null, why_no_slices: "an earlier version kept none" });
  assert.match(
    unjudgedWarmups(without)[0]!,
    /^1 of \d+ warm-ups cannot be judged again: an earlier version kept none$/,
  );
});

test("what judging a run throws is its fault, in one line", async () => {
  // Half a character makes no name of a file, and nothing expects that.
  const called = (text: string) =>
    ofPlan(({ axes }) => {
      for (const [n, value] of axes.flatMap(({ values }) => values).entries()) value.text = `${n}${text}`;
    });
  const faults = await called("\ud800");
  assert.ok(faults.some((fault) => /^it cannot be judged: (URI|String)/.test(fault)), faults.join("\n"));
  assert.deepEqual((await called("\n")).filter((fault) => fault.includes("\n{")), []);
});

folderTest("what is wrong many times is told once or a hundred times, and not a million", (folder) => {
  const path = writeSealedRun(join(folder, "run"), small);
  writeFileSync(join(path, "SHA256SUMS"), "x\n".repeat(1e6));
  const cells = join(path, "cells", "users");
  for (let n = 0; n < 300; n++) writeFileSync(join(cells, `more-${n}.json`), "{");
  const { faults } = verify(path);
  assert.ok(faults.includes("SHA256SUMS has 999999 lines more of that kind"), faults.slice(0, 5).join("\n"));
  assert.ok(faults.includes("more of its files cannot be read"));
  assert.ok(faults.filter((fault) => fault.includes("it is no JSON")).length <= 100);
});

folderTest("a journal of more lines than any run, and a file of more values, are refused unparsed", (folder) => {
  const path = writeSealedRun(join(folder, "run"), small);
  appendFileSync(join(path, "journal.ndjson"), "\n".repeat(BOUNDS.steps + 1));
  writeFileSync(join(path, "summary.json"), `[${"[],".repeat(1_000_000)}[]]`);
  const { faults } = verify(path);
  assert.ok(faults.some((fault) => /journal\.ndjson" has more than \d+ lines/.test(fault)), faults.join("\n"));
  assert.ok(faults.some((fault) => /summary\.json" is damaged: it has more than 1000000 values/.test(fault)));
});
