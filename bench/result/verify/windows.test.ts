import assert from "node:assert/strict";
import { test } from "node:test";
import { lines, plan } from "../../../tests/fixtures/rate-run.ts";
import type { Observation, Window } from "../../record/observation-record.ts";
import { windowsFaults } from "./windows.ts";

const steps = lines.map(({ round }) => ({ round, draw_seed: 7 + round }));
const faultsOf = (own: readonly Observation[]) => windowsFaults({ plan }, steps, own);

/** The lines with other windows in one of them. */
const withWindows = (index: number, change: (windows: Window[]) => Window[]): Observation[] =>
  lines.map((line) => line.index === index ? { ...line, windows: change([...line.windows!]) } : line);

test("windows as the plan calls for them are found sound, and none are asked of a plan without a further axis", () => {
  assert.deepEqual(faultsOf(lines), []);
  const { further: _, ...plain } = plan;
  assert.deepEqual(windowsFaults({ plan: plain }, steps, lines), []);
});

test("a window that was left out is found, wherever it stood", () => {
  for (const line of lines) {
    for (const place of line.windows!.keys()) {
      const found = faultsOf(withWindows(line.index, (windows) => windows.toSpliced(place, 1)));
      assert.ok(found.some((fault) => fault.startsWith(`step ${line.index}: `)), `step ${line.index}, window ${place}`);
    }
  }
});

test("windows in another order, at another rate or one too many are found", () => {
  const is = (found: readonly string[]) =>
    assert.match(found[0] ?? "", /^step 0: window \d is not the one that follows/);
  is(faultsOf(withWindows(0, (windows) => windows.toReversed())));
  is(faultsOf(withWindows(0, ([first, ...others]) => [{ ...first!, per_second: first!.per_second! + 1 }, ...others])));
  is(faultsOf(withWindows(0, (windows) => [...windows, windows[0]!])));
});

test("a contrast without one of its load generators is found", () => {
  const request = { method: "GET", path: "/" };
  const contrast = { ...plan, further: { axis: "generator" as const, generators: ["wrk", "ab"], absent: [], request } };
  const at = [
    { generator: "wrk", place: "apart", requests: "drawn" },
    { generator: "wrk", place: "apart", requests: "one" },
    { generator: "ab", place: "apart", requests: "one" },
  ];
  const line = (own: typeof at) =>
    ({ ...lines[0]!, windows: own.map((one) => ({ at: one })) }) as unknown as Observation;
  assert.deepEqual(windowsFaults({ plan: contrast }, steps, [line(at)]), []);
  for (const n of at.keys()) {
    const found = windowsFaults({ plan: contrast }, steps, [line(at.toSpliced(n, 1))]);
    assert.deepEqual(found, ["step 0: a window of a load generator is missing"]);
  }
});
