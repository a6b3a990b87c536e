import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { madeUpLatencyCell } from "../../tests/fixtures/made-up-latency.ts";
import { publish } from "../result/published.ts";
import { tookText } from "./listed-run.ts";
import { runRecords } from "./run-lines.ts";

test("a run of bench latency is listed with what it says of each cell and between them, not with no answer", () => {
  const { run, lines } = makeFixture({ sizes: [10_000], stores: ["map"], runtimes: ["bun"] });
  const { summary } = publish(run, lines);
  assert.match(tookText(summary), /^no answer: /);
  const latency = [madeUpLatencyCell(), madeUpLatencyCell({ name: "wind", sentence: "no limit was looked for" })];
  const latency_between = { per_second: 700, none: null, pairs: [], sentences: ["no difference found at 700/s"] };
  const told = tookText({ ...summary, latency, latency_between });
  assert.match(told, /^steam at 9k\/s .* is not held; wind no limit was looked for; no difference found at 700\/s$/);
  const [listed] = runRecords([{ name: run.run, run, summary: { ...summary, latency, latency_between } }]);
  assert.equal((listed as { answer: string }).answer, told);
  assert.equal(tookText({ ...summary, latency }), told.split("; no difference")[0]);
});
