import assert from "node:assert/strict";
import { test } from "node:test";
import { runTime } from "./run-time.ts";

const MINUTE = 60_000;

test("an estimate is corrected once, when the first steps take more than a fifth longer", () => {
  const time = runTime();
  assert.equal(time.stepBegins(10 * MINUTE), null, "it has just been told");
  time.stepEnds(0.4 * MINUTE);
  assert.equal(time.stepBegins(14 * MINUTE), null, "too little was made to say so");
  time.stepEnds(0.2 * MINUTE);
  assert.equal(time.stepBegins(11 * MINUTE), null, "less than a fifth");
  time.stepEnds(MINUTE);
  assert.equal(time.stepBegins(11 * MINUTE), "this machine needs longer than estimated: about 12m 36s in all");
  time.stepEnds(MINUTE);
  assert.equal(time.stepBegins(20 * MINUTE), null, "once");
});

test("an estimate that is too long is corrected, too", () => {
  const time = runTime();
  time.stepBegins(10 * MINUTE);
  time.stepEnds(MINUTE);
  assert.equal(time.stepBegins(5 * MINUTE), "this machine needs less time than estimated: about 6m 0s in all");
});

test("what is over goes by time, not by steps, and follows what is expected by now", () => {
  const time = runTime();
  assert.equal(time.shareDone(MINUTE), 0);
  time.stepBegins(10 * MINUTE);
  assert.equal(time.shareDone(10 * MINUTE), 0);
  assert.equal(time.shareDone(5 * MINUTE), 0.5);
  time.stepEnds(5 * MINUTE);
  time.stepBegins(15 * MINUTE);
  assert.equal(time.shareDone(15 * MINUTE), 0.25);
  assert.equal(time.shareDone(0), 1);
  assert.equal(time.shareDone(30 * MINUTE), 0, "never less than nothing");
});
