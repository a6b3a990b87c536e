/** Every reference run forged in every way, those of many lines too, which take longest. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readRun } from "../../bench/host/read-run.ts";
import { PROJECT_ROOT } from "../../bench/host/runtimes.ts";
import { REFERENCE } from "../../bench/result/reference-name.ts";
import { missedIn } from "../../lab/forgeries/missed.ts";

const RESULTS = join(PROJECT_ROOT, "results");

test("each forgery of each reference run is found, by the fault that names it", () => {
  const references = readdirSync(RESULTS).filter((name) => name.startsWith(REFERENCE))
    .map((name) => ({ name, ...readRun(join(RESULTS, name)) }));
  const { names, missed } = missedIn(references);
  assert.deepEqual(missed, []);
  assert.ok(names.size >= 1_400, `${names.size} forgeries`);
});
