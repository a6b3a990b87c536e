/** Pure code is tested on Node. That it gives the same on every runtime, to the last digit, is seen by what it publishes. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { EXPORTS } from "../../bench/exports/registry.ts";
import { REFERENCE } from "../../bench/runs/find-reference.ts";
import { readRun, verify } from "../../mod.ts";
import { forExports } from "../fixtures/made-up-run.ts";
import { filesOf } from "../fixtures/run-files.ts";
import { ROOT } from "../runner/folders.ts";

const RESULTS = join(ROOT, "results");
const GOLDEN = join(ROOT, "bench", "exports", "golden");

test("all that a reference run of each suite publishes follows from its raw lines, digit by digit", () => {
  const names = readdirSync(RESULTS).filter((name) => name.startsWith(REFERENCE));
  const bySuite = new Map(names.map((name) => [readRun(join(RESULTS, name)).run.plan.suite.name, name]));
  assert.ok(bySuite.size > 1, names.join());
  for (const name of bySuite.values()) assert.deepEqual(verify(join(RESULTS, name)).faults, [], name);
});

test("every export is its golden file", () => {
  const files = filesOf(forExports());
  for (const [name, { extension, render }] of Object.entries(EXPORTS)) {
    assert.equal(render(files), readFileSync(join(GOLDEN, `${name}.${extension}`), "utf8"), name);
  }
});
