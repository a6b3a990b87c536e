/**
 * The forgeries that `bench verify` promises to find (SECURITY.md), made from the reference runs by someone who knows the
 * tool: one of each kind. tests/long has all of them.
 */
import assert from "node:assert/strict";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { EXIT } from "../bench/basics/errors.ts";
import { REFERENCE } from "../bench/runs/find-reference.ts";
import { readRun } from "../bench/runs/read-run.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { sharedLoadForgeries } from "../lab/forgeries/loads.ts";
import { forgedFrom, missedAmong, oneOfEachKind } from "../lab/forgeries/missed.ts";
import { movedLines } from "../lab/forgeries/order.ts";
import { writeSealedRun } from "../lab/write-run.ts";
import { commandLine } from "./command-line.ts";
import { inTemporaryFolder } from "./testing.ts";

const RESULTS = join(PROJECT_ROOT, "results");
const references = readdirSync(RESULTS).filter((name) => name.startsWith(REFERENCE))
  .map((name) => ({ name, ...readRun(join(RESULTS, name)) }));

/** How many kinds of forgeries there are at least. */
const KINDS = 140;

/** Lines of runs that tests/long forges: they are most of the work, and the others have each kind of forgery. */
const MANY_LINES = 40;

// What a forged run publishes is made anew from it and sealed, so that only what it says itself can give it away.
test("a forged run of each kind is found by the fault that names it", () => {
  const forged = oneOfEachKind(forgedFrom(references.filter(({ lines }) => lines.length < MANY_LINES)));
  assert.ok(forged.length >= KINDS, `${forged.length} kinds of forgeries`);
  assert.ok(new Set(forged.map(({ evidence }) => evidence)).size > 10, "they are of most runs");
  assert.deepEqual(missedAmong(forged), []);
});

test("bench verify finds forged runs on the disk that were published and sealed anew", async () => {
  const own = references.find(({ lines }) => lines.some(({ members }) => members.length > 1))!;
  await inTemporaryFolder(async (folder) => {
    const path = join(folder, "forged");
    const forged = [...movedLines(own), ...sharedLoadForgeries(own)];
    for (const { name, run, lines, found } of [forged[1]!, forged.at(-1)!]) {
      rmSync(path, { recursive: true, force: true });
      writeSealedRun(path, { run, lines });
      const ended = await commandLine(["verify", path], folder);
      assert.equal(ended.code, EXIT.invalid, `${name}: ${ended.stdout}${ended.stderr}`);
      assert.match(ended.stdout, found, name);
    }
  });
});
