/** Runs and plans made to do harm: a part of lab/hostile; tests/long has all of them. */
import { test } from "node:test";
import { assertJudged, assertNothingDone, assertNothingOpened } from "./hostile-runs.ts";

test("commands that show runs start, load, ask and read nothing that hostile runs name", () =>
  assertNothingDone(116, 2));

test("commands that run, resume and explain import, run and open no file that a hostile plan names anywhere", () =>
  assertNothingOpened(15, ({ name }, n) => n % 29 === 0 || /^suite called .{0,12}$/.test(name)));

test("mutated runs are judged in half a GiB, whatever they hold, and cost a row of runs no other run", () =>
  assertJudged(0, 4));
