import assert from "node:assert/strict";
import { test } from "node:test";
import { cardAt, planWith } from "../../tests/fixtures/made-up-card.ts";
import { planAxis, smallPlan } from "../../tests/fixtures/small-plan.ts";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { rerunCommand } from "./rerun-command.ts";

test("a cell is measured again by its suite, the text of every axis and how the run measured", () => {
  const { run, cells } = filesOf(makeFixture({ rounds: 2 }));
  assert.equal(
    rerunCommand(run, cells.at(-1)!),
    "bench run users --workload read --runtime deno --store sqlite --size 10k --engine native --connections 50 " +
      "--miss-share 0 --rounds 2 --duration 3s --warmup 1s --warmup-loads 2 --seed 4231963727",
  );
});

test("a shell hands every value on as it is", () => {
  const plan = planWith([planAxis("what it is", ['it\'s $HOME "so"', "--json"], { option: "what-it-is" })], {
    suite: { ...smallPlan.suite, module: "/a b/suite.ts" },
    threads: 3,
  });
  const of = (value: string, label = "main") => {
    const card = cardAt(plan, { "what it is": value }, 1);
    return rerunCommand({ plan }, { cell: { ...card.cell, label } });
  };
  assert.ok(
    of('it\'s $HOME "so"').startsWith(`bench run '/a b/suite.ts' --what-it-is 'it'\\''s $HOME "so"' --rounds `),
  );
  assert.match(of("--json"), / --what-it-is=--json .* --threads 3$/);
  assert.match(of("--json", "b c"), / --label 'b c'$/);
});
