import assert from "node:assert/strict";
import { test } from "node:test";
import { interruptsOf } from "./interrupts.ts";

test("an abort ends what was started before it, at once, and whatever is started after", async () => {
  const abort = new AbortController();
  const interrupts = interruptsOf(abort.signal);
  const ended: string[] = [];
  interrupts.onStart(() => ended.push("first"));
  interrupts.onStart(() => ended.push("second"));
  assert.ok(!interrupts.stopped());
  abort.abort();
  assert.ok(interrupts.stopped());
  assert.deepEqual(ended, ["first", "second"]);
  interrupts.onStart(() => ended.push("third"));
  assert.deepEqual(ended, ["first", "second", "third"]);
  await interrupts.stop;
});

test("a signal aborted before counts, one released does not", () => {
  assert.ok(interruptsOf(AbortSignal.abort()).stopped());
  const abort = new AbortController();
  const interrupts = interruptsOf(abort.signal);
  interrupts.release();
  abort.abort();
  assert.ok(!interrupts.stopped());
});
