/** Runs made to do harm: a part of lab/hostile; tests/long has all of them. */
import { test } from "node:test";
import { assertJudged, assertNothingDone } from "./hostile-runs.ts";

test("commands that show runs start, load, ask and read nothing that hostile runs name", () =>
  assertNothingDone(29, 7));

test("mutated runs are judged in half a GiB, whatever they hold, and cost a board no other run", () =>
  assertJudged(0, 12));
