import assert from "node:assert/strict";
import { test } from "node:test";
import type { PlannedTrial } from "../core/plan.ts";
import type { TrialRecord } from "../core/result/trial-record.ts";
import { lineProgress, outcomeText, preparingText } from "./progress.ts";
import { styleFor } from "./style.ts";

const plain = styleFor(false, {});
const cell = { suite: "users", workload: "read", runtime: "bun", store: "map", size: 1_000 };
const planned = (index: number, round: number): PlannedTrial => ({
  kind: "trial",
  index,
  round,
  cell,
  label: "main",
  drawSeed: 1,
});

/** As much of a record as progress looks at. */
const record = (part: Partial<TrialRecord>) =>
  ({ schema: "levelfield.trial/1", reasons: [], status: "ok", wall_ms: 4_000, ...part }) as TrialRecord;
const load = { requests_per_second: 98_200 } as TrialRecord["load"];
const failed = record({ status: "failed", reasons: [{ code: "server-hung", message: "no reply within 10005 ms" }] });

test("a trial's outcome is its rate, a lower bound, or what went wrong", () => {
  assert.equal(outcomeText(record({ load, bound: "server" }), plain), "98.2k req/s");
  assert.equal(outcomeText(record({ load, bound: "generator" }), plain), "≥ 98.2k req/s, generator-bound");
  assert.equal(outcomeText(failed, plain), "failed: no reply within 10005 ms");
});

test("without a terminal progress is one plain line a trial, nothing redrawn", () => {
  let written = "";
  const stream = { write: (text: string) => (written += text, true) } as NodeJS.WriteStream;
  const progress = lineProgress(stream, plain);
  progress.preparing("Preparing 1k users: 0 %");
  progress.begin(["on CPU 1"], 4, 2);
  progress.stepBegins(planned(0, 0), 16_000);
  progress.stepEnds(planned(0, 0), record({ load, bound: "server" }));
  progress.stepBegins(planned(3, 1), 1_000);
  progress.stepEnds(planned(3, 1), failed);
  progress.end();
  assert.equal(
    written,
    `Preparing 1k users: 0 %
on CPU 1
[1/4] round 1/2 bun/map/1k 98.2k req/s, ETA 12s
[4/4] round 2/2 bun/map/1k failed: no reply within 10005 ms, ETA 0.0s
`,
  );
});

test("preparing tells how far a data set is, or which store is being built", () => {
  assert.equal(preparingText({ size: 10_000, done: 3_333 }), "Preparing 10k users: 33 %");
  assert.equal(preparingText({ size: 10_000, store: "sqlite" }), "Preparing sqlite for 10k users");
});
