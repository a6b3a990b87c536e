/** Every run and plan that was made to do harm, and 1 000 runs that were changed by number. */
import { test } from "node:test";
import { assertJudged, assertNothingDone, assertNothingOpened } from "../hostile-runs.ts";

test("commands that show runs start, load, ask and read nothing that hostile runs name", () =>
  assertNothingDone(1, 200));

test("nine commands on 400 hostile plans, each text of a plan or run a path once, open no file they name", () =>
  assertNothingOpened(400));

test("1 000 mutated runs are judged in half a GiB, whatever they hold, and cost a row of runs no other run", async () => {
  for (let first = 0; first < 1_000; first += 250) await assertJudged(first, 250);
});
