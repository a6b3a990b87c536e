/** Every reference run forged in every way, those of many lines too, which take longest. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { rawFaults } from "../../bench/result/verify.ts";
import { REFERENCE } from "../../bench/runs/find-reference.ts";
import { readRun } from "../../bench/runs/read-run.ts";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { forgedFrom, missedAmong } from "../../lab/forgeries/missed.ts";

const RESULTS = join(PROJECT_ROOT, "results");

const references = readdirSync(RESULTS).filter((name) => name.startsWith(REFERENCE))
  .map((name) => ({ name, ...readRun(join(RESULTS, name)) }));

test("what the reference runs say holds together", () => {
  for (const { name, run, lines } of references) assert.deepEqual(rawFaults(run, lines), [], name);
});

test("each forgery of each reference run is found, by the fault that names it", () => {
  let count = 0;
  function* counted() {
    for (const one of forgedFrom(references)) {
      count++;
      yield one;
    }
  }
  assert.deepEqual(missedAmong(counted()), []);
  assert.ok(count >= 1_400, `${count} forgeries`);
});
