import assert from "node:assert/strict";
import { test } from "node:test";
import type { Observation } from "../bench/record/observation-record.ts";
import { publish } from "../bench/result/published.ts";
import type { RunRecord } from "../bench/record/run-record.ts";
import { faultsOfRun, type RunEvidence } from "../bench/result/verify.ts";
import { assertNoDigitIsFree } from "./digits.ts";
import { type MadeUpRun, makeOddFixture } from "./fixtures/made-up-run.ts";
import { makePlausible, plausible } from "./fixtures/plausible-run.ts";
import { mark } from "../bench/record/mark.ts";

/** What a made-up run and everything it publishes looks like when it was read back from its files. */
function evidenceOf({ run, lines }: MadeUpRun): RunEvidence {
  const files = [...publish(run, lines).files];
  return { run, lines, published: new Map(files.map(([file, value]) => [file, JSON.parse(JSON.stringify(value))])) };
}

test("made-up runs follow from their plans and lines, and no digit they publish can change unseen", () => {
  for (
    const made of [
      makePlausible({ stores: ["map"], sizes: [10_000], together: "all" }),
      plausible(makeOddFixture({ rounds: 1 })),
    ]
  ) {
    const evidence = evidenceOf(made);
    assert.deepEqual(faultsOfRun(evidence), []);
    assertNoDigitIsFree({ ...evidence, published: new Map([...evidence.published].slice(0, 2)) });
  }
});

test("lines that were not planned so, stand twice, in another order or not at all are named", () => {
  const { run, lines } = plausible(makeOddFixture({ rounds: 2 }));
  const faultsWith = (changed: readonly Observation[], state: RunRecord["state"] = "finished") =>
    faultsOfRun({ ...evidenceOf({ run: { ...run, state }, lines: [...changed] }), lines: changed });
  const at = (n: number, change: (line: Observation) => void) => {
    const copy = structuredClone(lines);
    change(copy[n]!);
    return copy;
  };
  const first = lines.findIndex(({ kind }) => kind === "ensemble");
  const cases: [readonly Observation[], RegExp][] = [
    [lines.slice(0, -1), /^step \d+ \(.*\) is missing$/],
    [[...lines, lines[3]!], /^step 3 stands twice in journal\.ndjson$/],
    [[lines[1]!, lines[0]!, ...lines.slice(2)], /^step 0 stands after step 1$/],
    [at(5, (line) => line.round = 1), /^step 5 is not the planned one: /],
    [at(5, (line) => line.draw_seed++), /^step 5 is not the planned one: /],
    [at(5, (line) => line.members[0]!.cell.label = "other"), /^step 5 is not the planned one: /],
    [at(first, (line) => line.order.reverse()), /^step \d+ is not the planned one: ensemble /],
    [at(first, (line) => line.members.reverse()), /^step \d+ is not the planned one: ensemble /],
    [at(first, (line) => line.purpose = "pair"), /^step \d+ is not the planned one: ensemble /],
    [at(0, (line) => line.index = 9_999), /^step 9999 was never planned$/],
  ];
  for (const [changed, fault] of cases) {
    const faults = faultsWith(changed);
    assert.ok(faults.some((text) => fault.test(text)), `${fault}: ${faults.join("; ")}`);
  }
  assert.deepEqual(faultsWith(lines.slice(0, 7), "interrupted"), []);
});

test("a line whose figures contradict each other is named with what is wrong", () => {
  const { run, lines } = makePlausible({ stores: ["map"], sizes: [10_000] });
  const solo = lines.findIndex(({ kind }) => kind === "solo"),
    pair = lines.findIndex(({ kind }) => kind === "ensemble");
  const cases: [number, (line: Observation) => void, RegExp][] = [
    [solo, (line) => line.status = "invalid", /status and marks contradict/],
    [solo, (line) => line.load!.requests_per_second++, /rate is not requests by time/],
    [solo, (line) => line.load!.errors.read = 1, /figures say "socket-errors", and it does not/],
    [solo, (line) => line.load!.errors.status = 1, /figures say "unexpected-status", and it does not/],
    [solo, (line) => line.latency!.histogram[0]![1]++, /figures say "histogram-broken", and it does not/],
    [solo, (line) => line.latency!.p99_us = 1, /percentiles fall/],
    [solo, (line) => line.latency!.mean_us = 1.1 * line.latency!.mean_us!, /mean latency is not the histogram's/],
    [solo, (line) => line.latency!.littles_law_gap = 0.001, /gap to Little's law/],
    [solo, (line) => line.counters!.server_cpu_ns! += 1_000, /CPU per request is not CPU by requests/],
    [pair, (line) => line.members[1]!.cpu_ns_per_request!++, /CPU per request is not CPU by requests/],
    [pair, (line) => line.members[1]!.cpu_ns_per_request = null, /compares nothing and is called fit/],
    [pair, (line) => line.members[0]!.parts![1].requests *= 2, /parts of a window hold more requests/],
    [pair, (line) => line.members[0]!.parts![0].cpu_ns *= 3, /parts of a window used more CPU/],
    [solo, (line) => {
      line.status = "unsupported";
      line.marks = [mark("server-crashed", "it ended")];
    }, /status and marks contradict/],
  ];
  for (const [place, change, fault] of cases) {
    const changed = structuredClone(lines);
    change(changed[place]!);
    const faults = faultsOfRun({ run, lines: changed, published: new Map() });
    assert.match(faults.join("\n"), fault);
  }
});
