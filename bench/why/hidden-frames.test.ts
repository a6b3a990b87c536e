import assert from "node:assert/strict";
import { test } from "node:test";
import { withHidden } from "./hidden-frames.ts";
import { layersOf } from "./layers-of.ts";
import type { SampledNode } from "./samples-within.ts";

const node = (id: number, functionName: string, url: string, children: number[], ticks: number[][] = []) => ({
  ...{ id, children, callFrame: { functionName, url, lineNumber: url === "" ? -1 : 8, columnNumber: 0 } },
  positionTicks: ticks.map(([line, count]) => ({ line: line!, ticks: count! })),
});

/** A page that joins strings, under the emitter and the adapter that call it: V8 skips it while strings are joined. */
const profileOf = (atCall: number, elsewhere: number): { nodes: SampledNode[]; hits: Map<number, number> } => ({
  nodes: [
    node(1, "(root)", "", [2, 3]),
    node(2, "(program)", "", []),
    node(3, "emit", "node:events", [4], [[514, atCall], [489, elsewhere]]),
    node(4, "listener", "file:///adapter.js", [5]),
    node(5, "fetch", "file:///home/app.js", [6]),
    { ...node(6, "", "", []), callFrame: { functionName: "", url: "", lineNumber: 0, columnNumber: 1 } },
  ],
  hits: new Map([[3, atCall + elsewhere], [4, 10], [5, 50], [6, 40]]),
});

const layerOf = ({ url }: SampledNode["callFrame"]) =>
  url === "" ? "caller" : url.startsWith("node:") ? "runtime" : url.includes("adapter") ? "adapter" : "app";

test("samples at the line of a call go to the functions below it, by the samples that each has itself", () => {
  const hits = withHidden(profileOf(500, 10), layerOf);
  assert.deepEqual([3, 4, 5, 6].map((id) => hits.get(id)), [0, 61, 305, 244]);
});

test("a runtime's function that works at several lines, one with few samples, and one of another engine keep theirs", () => {
  for (const { nodes, hits } of [profileOf(300, 210), profileOf(12, 0)]) {
    assert.deepEqual(withHidden({ nodes, hits }, layerOf), hits);
  }
  const { nodes, hits } = profileOf(500, 10);
  assert.deepEqual(withHidden({ nodes: nodes.filter(({ id }) => id !== 2), hits }, layerOf), hits);
});

const served = { user_us: 60, system_us: 0 };
const use = {
  ...{ requests: 100, window_ms: 1_000, user_us: 60, system_us: 0, threads: { main: served } },
  ...{
    voluntary_switches: 0,
    involuntary_switches: 0,
    minor_faults: 0,
    major_faults: 0,
    received_bytes: 0,
    sent_bytes: 0,
  },
};
const costs = (nodes: readonly SampledNode[], hits: ReadonlyMap<number, number>) =>
  layersOf(use, use, [{ nodes, hits, samples: 20, intervalUs: 100 }], { layers: [], roots: [], homes: ["/home"] });

test("a script that node:vm runs without a name is code generated for the function that runs it", () => {
  const script = { functionName: "", url: "evalmachine.<anonymous>", lineNumber: 0, columnNumber: 3 };
  const nodes = [
    node(1, "(root)", "", [2]),
    node(2, "applyRules", "file:///home/app.js", [3]),
    { ...node(3, "", "", []), callFrame: script },
  ];
  const [rule] = costs(nodes, new Map([[3, 20]]));
  assert.deepEqual([rule!.name, rule!.file, rule!.line, rule!.layer], [
    "code generated for applyRules",
    ...["app.js", 9, "app"],
  ]);
});

test("what runs below no function, and has neither name nor file, is native code", () => {
  const parts = costs([node(1, "(root)", "", [2]), node(2, "", "", [])], new Map([[2, 20]]));
  assert.deepEqual(parts.map(({ layer, us }) => [layer, us]), [["native", 60]]);
});
