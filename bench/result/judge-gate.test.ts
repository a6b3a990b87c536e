import assert from "node:assert/strict";
import { test } from "node:test";
import { madeUpVerdict } from "../../tests/fixtures/made-up-verdicts.ts";
import { mark } from "../record/mark.ts";
import { MAIN } from "../record/cell.ts";
import type { Comparison } from "../record/comparison.ts";
import type { Summary } from "../record/summary.ts";
import { noVerdict } from "../statistics/verdict.ts";
import { confirmedBy, contradictsItself, type GateOutcome, judgeGate, measuredAgain } from "./judge-gate.ts";

const LIMIT = 0.03;

const entry = (
  over: string,
  under: string,
  low: number,
  high: number,
  verdict: "faster" | "slower" | null,
): Comparison =>
  madeUpVerdict(over, under, Math.sqrt(low * high), {
    verdict: verdict ?? "not-separable",
    interval: { low, high, level: 0.95 },
  });

const untold = (over: string, under: string): Comparison =>
  noVerdict({ over, under, basis: "together" }, [mark("too-few-rounds", "others had the core")]);

/** What a run says of base and yours on some runtimes. */
function summaryOf(made: Readonly<Record<string, Comparison>>): Pick<Summary, "families" | "cells"> {
  const names = Object.keys(made);
  const cell = (app: string, runtime: string) => ({
    name: `${app}/${runtime}`,
    cell: { point: { suite: "own", at: { app, runtime } }, label: MAIN },
    marks: [],
    steadiness: "unknown" as const,
    cv: null,
  });
  return {
    cells: names.flatMap((runtime) => [cell("base", runtime), cell("yours", runtime)]),
    families: names.map((title) => ({
      kind: "axis",
      axis: "app",
      title,
      at: { runtime: title },
      comparisons: [made[title]!],
      ranking: [],
      unranked: [],
    })),
  };
}

test("a regression is an interval wholly beyond the limit, and nothing else", () => {
  const cases: readonly [low: number, high: number, verdict: "faster" | "slower" | null, GateOutcome][] = [
    [1.031, 1.08, "faster", "regression"],
    [1.029, 1.15, "faster", "not-proven"],
    [1.01, 1.03, "faster", "no-regression"],
    [0.98, 1.02, null, "no-regression"],
    [0.97, 1.06, null, "not-proven"],
    [0.8, 0.9, "slower", "no-regression"],
    // Beyond the limit, but not beyond what the run invents.
    [1.04, 1.2, null, "not-proven"],
  ];
  for (const [low, high, verdict, outcome] of cases) {
    const gate = judgeGate(summaryOf({ bun: entry("base/bun", "yours/bun", low, high, verdict) }), LIMIT);
    assert.equal(gate.outcome, outcome, `${low} to ${high}`);
    assert.deepEqual(gate.places[0]!.comparison.interval, { low, high, level: 0.95 });
    const turned = verdict === null ? null : verdict === "faster" ? "slower" : "faster";
    const other = judgeGate(summaryOf({ bun: entry("yours/bun", "base/bun", 1 / high, 1 / low, turned) }), LIMIT);
    assert.equal(other.outcome, outcome, "whichever of them comes first");
    assert.ok(Math.abs(other.places[0]!.comparison.ratio! - gate.places[0]!.comparison.ratio!) < 1e-12);
  }
});

test("without a verdict nothing is proven, and the reason is kept", () => {
  const gate = judgeGate(summaryOf({ bun: untold("base/bun", "yours/bun") }), LIMIT);
  assert.equal(gate.outcome, "not-proven");
  const { comparison } = gate.places[0]!;
  assert.ok(comparison.verdict === "no-verdict" && comparison.marks[0]!.text === "others had the core");
  assert.equal(judgeGate({ families: [], cells: [] }, LIMIT).outcome, "not-proven");
});

test("of several runtimes one regression is enough, and all must be proven to be none", () => {
  const slower = entry("base/bun", "yours/bun", 1.05, 1.1, "faster");
  const same = (runtime: string) => entry(`base/${runtime}`, `yours/${runtime}`, 0.99, 1.01, null);
  assert.equal(
    judgeGate(summaryOf({ bun: slower, node: untold("base/node", "yours/node") }), LIMIT).outcome,
    "regression",
  );
  assert.equal(judgeGate(summaryOf({ bun: same("bun"), node: same("node") }), LIMIT).outcome, "no-regression");
  const open = summaryOf({ bun: same("bun"), node: untold("base/node", "yours/node") });
  assert.equal(judgeGate(open, LIMIT).outcome, "not-proven");
});

test("other comparisons of the run say nothing", () => {
  const gate = judgeGate(
    summaryOf({
      bun: entry("base/bun", "yours/bun", 0.99, 1.01, null),
      odd: entry("yours/bun", "yours/odd", 2, 3, "faster"),
    }),
    LIMIT,
  );
  assert.deepEqual([gate.places.length, gate.outcome], [1, "no-regression"]);
});

test("a run is made again where it found a difference between a cell and itself, and for nothing else", () => {
  const sides = { over: "base/bun", under: "yours/bun", basis: "together" } as const;
  const contradicted = noVerdict(sides, [mark("run-contradicted", "it differs from itself")]);
  const slower = entry("base/node", "yours/node", 1.05, 1.1, "faster");
  assert.equal(contradictsItself(summaryOf({ node: slower, bun: contradicted })), true);
  assert.equal(judgeGate(summaryOf({ bun: contradicted }), LIMIT).outcome, "not-proven");
  for (const other of [slower, untold("base/bun", "yours/bun"), entry("base/bun", "yours/bun", 0.97, 1.06, null)]) {
    assert.equal(contradictsItself(summaryOf({ bun: other })), false, JSON.stringify(other));
  }
  const { families } = summaryOf({ bun: contradicted });
  const ofRuntimes = families.map((family) => ({ ...family, axis: "runtime" }));
  assert.equal(contradictsItself({ families: ofRuntimes }), false, "runtimes are not what a gate compares");
});

test("a regression stands only at places where a second run proves it again", () => {
  const gate = (bun: number, node: number) =>
    judgeGate(
      summaryOf({
        bun: entry("base/bun", "yours/bun", bun, bun + 0.04, "faster"),
        node: entry("base/node", "yours/node", node, node + 0.04, "faster"),
      }),
      LIMIT,
    );
  const seen = (bun: number, node: number) => {
    const { outcome, places } = confirmedBy(gate(1.1, 1.2), gate(bun, node));
    return [outcome, ...places.map((place) => place.isUnconfirmed === true)];
  };
  assert.deepEqual(seen(1.1, 1.1), ["regression", false, false]);
  assert.deepEqual(seen(0.98, 1.1), ["regression", true, false]);
  assert.deepEqual(seen(0.98, 1), ["not-proven", true, true]);
  assert.deepEqual(confirmedBy(gate(0.98, 0.98), gate(1.1, 1.1)), gate(0.98, 0.98), "a second makes none by itself");
});

type Made = Parameters<typeof measuredAgain>[0] extends () => Promise<infer R> ? R : never;

/** A run whose comparison has no verdict for some cause. */
const made = (name: string, cause: string, state: "finished" | "interrupted" = "finished"): Made => {
  const marks = [{ code: cause, effect: "withholds", text: cause }];
  const families = [{ axis: "app", comparisons: [{ verdict: "no-verdict", marks }] }] as unknown as Summary["families"];
  return { run: { run: name, state }, summary: { families } };
};

/** Measures what is given, one after the other, and says which run counts and what was told. */
async function tried(...runs: readonly Made[]) {
  const left = [...runs], told: string[] = [];
  const { finished, insteadOf } = await measuredAgain(
    () => Promise.resolve(left.shift()!),
    (name) => void told.push(name),
  );
  return { counts: finished.run.run, insteadOf, told, measured: runs.length - left.length };
}

test("a run that contradicts itself is made again once, and the second counts whatever it says", async () => {
  const sound = made("a", "too-few-rounds"),
    odd = made("a", "run-contradicted"),
    second = made("b", "run-contradicted");
  assert.deepEqual(await tried(sound, second), { counts: "a", insteadOf: null, told: [], measured: 1 });
  assert.deepEqual(await tried(odd, second), { counts: "b", insteadOf: "a", told: ["a"], measured: 2 });
  assert.deepEqual(await tried(odd, made("c", "not-measured"), second), {
    ...{ counts: "c", insteadOf: "a", told: ["a"], measured: 2 },
  });
});

test("a run that was interrupted is not made again", async () => {
  const stopped = made("a", "run-contradicted", "interrupted");
  assert.deepEqual(await tried(stopped, made("b", "")), { counts: "a", insteadOf: null, told: [], measured: 1 });
});
