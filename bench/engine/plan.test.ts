import assert from "node:assert/strict";
import { test } from "node:test";
import { BenchError } from "../basics/errors.ts";
import { plan, type PlanChoices } from "./plan.ts";

const refusals: readonly [PlanChoices, RegExp][] = [
  [{ rounds: 0 }, /^rounds: 0 is no whole number from 1 to 1000$/],
  [{ durationMs: 1_500 }, /^durationMs: 1500 is not whole seconds in milliseconds$/],
  [{ warmupMs: 601_000 }, /^warmupMs: 601000 is not whole seconds/],
  [{ threads: 17 }, /^threads: 17 is no whole number from 1 to 16$/],
  [{ seed: -1 }, /^seed: -1 is no whole number/],
  [{ label: "aa" }, /^label: "aa" is no label$/],
  [{ profile: "slow" as never }, /^profile: "slow" is none of quick, default, thorough$/],
  [{ at: { colour: ["red"] } }, /^suite "routes" has no axis "colour"/],
  [{ at: { route: [] } }, /^suite "routes": axis "route" is given no value$/],
  [{ at: { route: ["nowhere"] } }, /^suite "routes": axis "route" has no value "nowhere"$/],
  [{ at: { connections: [0] } }, /^suite "routes": axis "connections" has no value 0$/],
  [{ preset: "none" }, /^suite "routes" has no preset "none"$/],
  [{ generator: "siege" }, /^generator: "siege" is none of wrk, /],
  [{ colour: "red" } as never, /^colour is no choice$/],
  [{ hosts: { server: "false" } }, /^host "false": there is no agent: exit 1$/],
];

test("what cannot be planned is refused in one line that names it", async () => {
  for (const [choices, message] of refusals) {
    await assert.rejects(plan("routes", choices), (error) => {
      assert.ok(error instanceof BenchError, String(error));
      assert.match(error.message, message);
      assert.ok(!error.message.includes("\n"));
      return true;
    });
  }
  await assert.rejects(plan("no-such-suite"), /suite "no-such-suite"/);
  await assert.rejects(plan({ name: "half" } as never), /"title" is missing/);
});

test("the same choices and seed give the same plan, as data", async () => {
  const choices = { at: { runtime: ["node"], route: ["health"] }, rounds: 2, seed: 5, alone: true } as const;
  const made = await plan("routes", choices);
  assert.deepEqual(await plan("routes", choices), made);
  assert.deepEqual(JSON.parse(JSON.stringify(made)), made);
  assert.deepEqual([made.seed, made.rounds, made.ensembles], [5, 2, []]);
});
