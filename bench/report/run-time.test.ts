import assert from "node:assert/strict";
import { test } from "node:test";
import { runTime } from "./run-time.ts";
import { mark } from "../record/mark.ts";
import type { Observation } from "../record/observation-record.ts";

const MINUTE = 60_000;

/** A step that took so many milliseconds. */
const made = (wall_ms: number, change: object = {}): Observation =>
  ({ wall_ms, status: "ok", marks: [], warmup: null, members: [], ...change }) as unknown as Observation;

test("an estimate is corrected when the first steps take more than a fifth longer", () => {
  const time = runTime();
  assert.equal(time.stepBegins(10 * MINUTE), null, "it has just been told");
  time.stepEnds(made(0.4 * MINUTE));
  assert.equal(time.stepBegins(14 * MINUTE), null, "too little was made to say so");
  time.stepEnds(made(0.2 * MINUTE));
  assert.equal(time.stepBegins(11 * MINUTE), null, "less than a fifth");
  time.stepEnds(made(MINUTE));
  assert.equal(time.stepBegins(11 * MINUTE), "this machine needs longer than estimated: about 12m 36s in all");
  time.stepEnds(made(MINUTE));
  assert.equal(time.stepBegins(15 * MINUTE), null, "within half as much again of what was printed last");
});

test("an estimate that is too long is corrected, too", () => {
  const time = runTime();
  time.stepBegins(10 * MINUTE);
  time.stepEnds(made(MINUTE));
  assert.equal(time.stepBegins(5 * MINUTE), "this machine needs less time than estimated: about 6m 0s in all");
});

test("what is over goes by time, not by steps, and follows what is expected by now", () => {
  const time = runTime();
  assert.equal(time.shareDone(MINUTE), 0);
  time.stepBegins(10 * MINUTE);
  assert.equal(time.shareDone(10 * MINUTE), 0);
  assert.equal(time.shareDone(5 * MINUTE), 0.5);
  time.stepEnds(made(5 * MINUTE));
  time.stepBegins(15 * MINUTE);
  assert.equal(time.shareDone(15 * MINUTE), 0.25);
  assert.equal(time.shareDone(0), 1);
  assert.equal(time.shareDone(30 * MINUTE), 0, "never less than nothing");
});

test("a time that was corrected is corrected again when it moves on, with what eats it", () => {
  const time = runTime();
  time.stepBegins(2 * MINUTE);
  const lost = { status: "invalid", marks: [mark("contended", "others used 40 % of the cores")] };
  time.stepEnds(made(MINUTE, lost));
  assert.match(time.stepBegins(2 * MINUTE)!, /about 3m 0s in all, as others voided 1 of 1 observation$/);
  time.stepEnds(made(MINUTE, lost));
  assert.equal(time.stepBegins(2 * MINUTE), null);
  time.stepEnds(made(MINUTE));
  assert.match(time.stepBegins(3 * MINUTE)!, /about 6m 0s in all, as others voided 2 of 3 observations$/);
  const slow = runTime();
  slow.stepBegins(2 * MINUTE);
  slow.stepEnds(made(MINUTE, { warmup: { duration_us: 45e6 } }));
  assert.match(slow.stepBegins(2 * MINUTE)!, /about 3m 0s in all, 75 % of it so far for warm-ups$/);
});
