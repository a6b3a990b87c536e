import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderTest } from "../../tests/testing.ts";
import { makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { writeRun } from "../../lab/write-run.ts";
import { publish } from "../result/published.ts";
import { runRecord } from "../record/run-record.ts";
import { summarySchema } from "../record/summary.ts";
import { readPublishedRun } from "./published-run.ts";
import { cardFilesOf, readJson, readRun } from "./read-run.ts";
import { sealFaults, sealRun } from "./seal.ts";

function messageOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    return (error as Error).message;
  }
  return "read";
}

folderTest("a file of another version is told in one line, with its version and the one that is read", (folder) => {
  const file = join(folder, "summary.json");
  const told = (content: unknown, schema: typeof runRecord | typeof summarySchema) => {
    writeFileSync(file, JSON.stringify(content));
    return messageOf(() => readJson(file, schema as typeof runRecord)).replace(file, "FILE");
  };
  assert.equal(
    told({ schema: "levelfield.summary/1" }, summarySchema),
    '"FILE" is of version "levelfield.summary/1", this Levelfield reads levelfield.summary/8',
  );
  assert.equal(
    told({ schema: "levelfield.run/1" }, runRecord),
    '"FILE" is of version "levelfield.run/1", this Levelfield reads levelfield.run/4',
  );
  assert.equal(
    told({ schema: "levelfield.run/5", more: 1 }, runRecord),
    '"FILE" is of version "levelfield.run/5", made by a newer Levelfield; this Levelfield reads levelfield.run/4',
  );
  assert.match(told({ schema: "levelfield.run/4" }, runRecord), /^"FILE" is damaged: /);
  assert.match(told(null, runRecord), /^"FILE" is damaged: /);
  assert.match(messageOf(() => readJson(join(folder, "gone.json"), runRecord)), /^cannot read ".*gone.json": ENOENT$/);
});

folderTest("a run of any names is read back as it was written, cards in the order of its plan", (folder) => {
  const made = makeOddFixture({ rounds: 2 });
  writeRun(folder, made);
  const { run, lines, truncated } = readRun(folder);
  assert.deepEqual({ run, lines, truncated }, { ...made, truncated: false });
  const { cards, summary } = publish(made.run, made.lines);
  const published = readPublishedRun(folder);
  assert.deepEqual(published.cells, cards);
  assert.deepEqual(published.summary, summary);
  assert.equal(published.lines.length, made.lines.length);
  rmSync(join(folder, "summary.json"));
  assert.deepEqual(readPublishedRun(folder).cells, cards);
});

folderTest("a line of another version is told with its number; a plan that contradicts itself is damaged", (folder) => {
  const made = makeOddFixture({ rounds: 1 });
  writeRun(folder, { ...made, lines: [{ ...made.lines[0]!, schema: "levelfield.trial/1" as never }, ...made.lines] });
  assert.match(
    messageOf(() => readRun(folder)),
    /line 1" is of version "levelfield.trial\/1".* reads levelfield.observ/,
  );
  writeFileSync(join(folder, "journal.ndjson"), JSON.stringify({ ...made.lines[0]!, load: null }) + "\n");
  assert.match(messageOf(() => readRun(folder)), /line 1" is damaged: it: it is called ok without a load$/);
  const broken = structuredClone(made.run);
  broken.plan.solo.push({ cell: 99, rounds: 1 });
  writeFileSync(join(folder, "run.json"), JSON.stringify(broken));
  assert.match(messageOf(() => readRun(folder)), /damaged: plan: it refers to a cell it does not have$/);
});

folderTest("cards are real files below cells, and each of them is sealed", (folder) => {
  writeRun(folder, makeOddFixture({ rounds: 1 }));
  assert.equal(cardFilesOf(folder).length, 13);
  sealRun(folder);
  assert.deepEqual(sealFaults(folder), []);
  writeFileSync(join(folder, "cells", "loose.json"), "{}");
  mkdirSync(join(folder, "cells", "odd", "deep.json"));
  symlinkSync(join(folder, "run.json"), join(folder, "cells", "odd", "link.json"));
  assert.equal(cardFilesOf(folder).length, 13);
  const [first] = cardFilesOf(folder);
  writeFileSync(join(folder, first!), "{}");
  assert.deepEqual(sealFaults(folder), [`${first} changed after the run`]);
  renameSync(join(folder, first!), join(folder, "cells", "odd", "other.json"));
  assert.deepEqual(sealFaults(folder), ["cells/odd/other.json is not in SHA256SUMS", `${first} is gone`]);
});
