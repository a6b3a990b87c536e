/** Digits changed one by one: what is published must say nothing that does not follow from the raw lines. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Observation } from "../bench/record/observation-record.ts";
import type { RunRecord } from "../bench/record/run-record.ts";
import { publish } from "../bench/result/published.ts";
import { faultsOfRun, publishedFaults, type RunEvidence } from "../bench/result/verify.ts";
import { cardFilesOf } from "../bench/runs/read-run.ts";
import { sealFaults } from "../bench/runs/seal.ts";

/** Every text that differs from the given one in one digit. */
function* withOneDigitChanged(text: string): Generator<[changed: string, at: number]> {
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) continue;
    yield [`${text.slice(0, at)}${(digit + 1) % 10}${text.slice(at + 1)}`, at];
  }
}

/** What stands around a place of a text, to be shown. */
const around = (text: string, at: number) => text.slice(Math.max(0, at - 40), at + 20);

/** Asserts that a changed digit in any published file is found. */
export function assertNoDigitIsFree(evidence: RunEvidence): void {
  const expected = publish(evidence.run, evidence.lines).files;
  for (const [file, content] of evidence.published) {
    const text = JSON.stringify(content);
    for (const [changed, at] of withOneDigitChanged(text)) {
      let value: unknown;
      try {
        value = JSON.parse(changed);
      } catch {
        // A number that begins with 0 is no JSON: reading it fails.
        continue;
      }
      // The last digits of a fraction can lie below what a double keeps: then nothing changed.
      if (JSON.stringify(value) === text) continue;
      const faults = publishedFaults(
        { ...evidence, published: new Map(evidence.published).set(file, value) },
        expected,
      );
      assert.ok(faults.length > 0, `${file}: …${around(text, at)}…`);
    }
  }
}

/** Asserts that a changed digit in any file of a finished run is found, those of its raw lines among them. */
export function assertNoDigitOnDiskIsFree(path: string): void {
  const read = (file: string) => readFileSync(join(path, file), "utf8");
  const run: RunRecord = JSON.parse(read("run.json"));
  const lines: Observation[] = read("journal.ndjson").trim().split("\n").map((line) => JSON.parse(line));
  const files = [...cardFilesOf(path), "summary.json"];
  const published = new Map<string, unknown>(files.map((file) => [file, JSON.parse(read(file))]));
  assert.deepEqual(faultsOfRun({ run, lines, published }), []);
  assertNoDigitIsFree({ run, lines, published });

  const journal = read("journal.ndjson");
  // The histogram alone has thousands of digits: every 7th of them reaches all fields and keeps the test short.
  let n = 0;
  for (const [changed, at] of withOneDigitChanged(journal)) {
    if (n++ % 7 !== 0) continue;
    writeFileSync(join(path, "journal.ndjson"), changed);
    assert.ok(sealFaults(path).some((fault) => fault.includes("journal.ndjson")), `…${around(journal, at)}…`);
  }
  writeFileSync(join(path, "journal.ndjson"), journal);
  assert.deepEqual(sealFaults(path), []);
}
