import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { boardRun } from "../../tests/fixtures/board-runs.ts";
import { writeSealedRun } from "../../lab/write-run.ts";
import { inTemporaryFolder } from "../../tests/testing.ts";
import type { Entry, ReadWish } from "./read-entry.ts";
import { readAll } from "./reader.ts";

/** Wishes for so many runs of one folder. */
function wishesIn(folder: string): (number: number) => ReadWish {
  const path = writeSealedRun(join(folder, "run"), boardRun("a run"));
  for (const name of ["run", "packed"]) mkdirSync(join(folder, "out", name), { recursive: true });
  return (number) => ({
    found: { kind: "folder", path, name: "run" },
    name: `run ${number}`,
    out: join(folder, "out"),
    scratch: join(folder, "scratch", String(number)),
  });
}

async function namesOf(entries: AsyncIterable<Entry>): Promise<string[]> {
  const names: string[] = [];
  for await (const entry of entries) names.push("fault" in entry ? `${entry.found}: ${entry.fault}` : entry.run.found);
  return names;
}

test("runs come in their order, by one thread and by several, however many there are", () =>
  inTemporaryFolder(async (folder) => {
    const wishAt = wishesIn(folder);
    for (const count of [0, 9]) {
      const expected = Array.from({ length: count }, (_, n) => `run ${n}`);
      for (const cpus of [1, 2]) assert.deepEqual(await namesOf(readAll(count, wishAt, cpus)), expected);
    }
  }));

test("a run that ends its thread is refused, and all others are read", () =>
  inTemporaryFolder(async (folder) => {
    const wishAt = wishesIn(folder);
    // No path may hold this sign: what is to be removed cannot be, and nothing in the thread expects that.
    const deadly = (number: number) => number % 6 === 2 ? { ...wishAt(number), scratch: "\0" } : wishAt(number);
    const names = await namesOf(readAll(10, deadly, 2));
    assert.deepEqual(names.map((name) => /^run \d+/.exec(name)![0]), Array.from({ length: 10 }, (_, n) => `run ${n}`));
    const refused = names.filter((name) => name.includes("it cannot be read: "));
    assert.deepEqual(refused.map((name) => name.split(":")[0]), ["run 2", "run 8"]);
  }));

test("who stops listening stops the threads", () =>
  inTemporaryFolder(async (folder) => {
    for await (const entry of readAll(50, wishesIn(folder), 2)) {
      assert.ok("run" in entry);
      break;
    }
  }));
