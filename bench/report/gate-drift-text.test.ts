import assert from "node:assert/strict";
import { test } from "node:test";
import { styleFor } from "./style.ts";
import { driftTexts, gateSeriesLines } from "./gate-drift-text.ts";
import type { Gated } from "../record/gated.ts";
import { gateSeries } from "../result/gate-drift.ts";

const commitOf = (n: number) => String(n).padStart(40, "0");

/** Gates of a commit a day whose cost grows by a share a week, each held against the commit before it. */
const gates = (n: number, weekly: number, more: (place: number) => Partial<Gated> = () => ({})): Gated[] =>
  Array.from({ length: n }, (_, place) => {
    const noise = ((place * 7919) % 13 - 6) / 400;
    const ratio = Math.exp(weekly / 7);
    return {
      schema: "levelfield.gated/1",
      ...{ commit: commitOf(place), base_commit: commitOf(place - 1), module: "app.ts", run: "r", cpu_kind: "mill-1" },
      at: new Date(Date.UTC(2026, 0, 1 + place)).toISOString(),
      runtimes: [{ name: "node", version: "26.10.0" }],
      outcome: "not-proven",
      places: [{
        title: "",
        base_ns: 10_000,
        yours_ns: 10_000 * Math.exp(weekly * place / 7 + noise),
        ratio,
        interval: [ratio * 0.99, ratio * 1.01],
      }],
      ...more(place),
    };
  });

test("a slow drift that each gate passes is told by week, with what the gates found in sum", () => {
  const [series] = gateSeries(gates(60, 0.008));
  const [drift, sum] = driftTexts(series!);
  assert.match(
    drift!,
    /^\+0\.[6-9] % a week \(\+0\.\d % to \+\d\.\d %\) since [0-9]{7} of 2026-01-\d\d: \+\d\.\d % in all/,
  );
  assert.match(
    sum!,
    /^What gates found from commit to commit, each in one run, sums to \+\d\.\d % \(−\d\.\d % to \+1\d/,
  );
  const text = gateSeriesLines([series!], { style: styleFor(false, {}), columns: 80 });
  assert.match(text, /^app\.ts: 60 gates\n {2}[▁▂▃▄▅▆▇█]{60} \d/m);
  assert.deepEqual(driftTexts(gateSeries(gates(60, 0))[0]!), ["No drift is proven over 60 commits."]);
});

test("gates on another kind of CPU or version begin anew, and a gap in the commits has no sum", () => {
  const moved = gateSeries(gates(60, 0.008, (place) => place < 50 ? { cpu_kind: "old" } : {}))[0]!;
  assert.match(driftTexts(moved)[0]!, /^No drift can be told yet: it takes 20 commits on one kind .* not 10\.$/);
  assert.deepEqual(moved.changed.flatMap((is, n) => is ? [n] : []), [50]);
  const gap = gateSeries(gates(60, 0.02, (place) => place === 55 ? { base_commit: commitOf(99) } : {}))[0]!;
  assert.equal(driftTexts(gap).length, 1);
});

test("modules and places have a series each, and one without a cost has none", () => {
  const two = gates(3, 0, () => ({}));
  const other = two.map((gate) => ({
    ...gate,
    module: "b.ts",
    places: gate.places.map((one) => ({ ...one, yours_ns: null })),
  }));
  assert.deepEqual(gateSeries([...two, ...other]).map(({ module }) => module), ["app.ts"]);
});
