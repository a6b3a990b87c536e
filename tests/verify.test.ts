import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JournalLine } from "../bench/core/result/journal-line.ts";
import type { RunRecord } from "../bench/core/result/run-record.ts";
import { faultsOfRun } from "../bench/core/result/verify.ts";
import { sealFaults } from "../bench/host/seal.ts";
import { benchTest, onSite, startBench } from "./run-bench.ts";

const ARGS = ["run", "--quick", "--rounds", "1", "--runtime", "bun", "--store", "map", "--size", "1k"];

/** Every text that differs from the given one in one digit. */
function* withOneDigitChanged(text: string): Generator<[changed: string, at: number]> {
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) continue;
    yield [`${text.slice(0, at)}${(digit + 1) % 10}${text.slice(at + 1)}`, at];
  }
}

const around = (text: string, at: number) => text.slice(Math.max(0, at - 40), at + 20);

benchTest("a changed digit anywhere in what a run publishes, or in its raw lines, is found", async () => {
  await onSite(async (site) => {
    const ended = await startBench(site, ARGS).ended;
    assert.equal(ended.code, 0, ended.stderr);
    const path = join(site.results, readdirSync(site.results)[0]!);
    const verified = await startBench(site, ["verify", path]).ended;
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);

    const read = (file: string) => readFileSync(join(path, file), "utf8");
    const run: RunRecord = JSON.parse(read("run.json"));
    const lines: JournalLine[] = read("trials.ndjson").trim().split("\n").map((line) => JSON.parse(line));
    const files = [...readdirSync(join(path, "cells")).map((name) => `cells/${name}`), "summary.json"];
    const published = new Map<string, unknown>(files.map((file) => [file, JSON.parse(read(file))]));
    assert.deepEqual(faultsOfRun({ run, lines, published }), []);

    for (const file of files) {
      const text = read(file);
      for (const [changed, at] of withOneDigitChanged(text)) {
        let value: unknown;
        try {
          value = JSON.parse(changed);
        } catch {
          // A number that begins with 0 is no JSON: reading it fails.
          continue;
        }
        // The last digits of a fraction can lie below what a double keeps: then nothing changed.
        if (JSON.stringify(value) === JSON.stringify(published.get(file))) continue;
        const faults = faultsOfRun({ run, lines, published: new Map(published).set(file, value) });
        assert.ok(faults.length > 0, `${file}: …${around(text, at)}…`);
      }
    }

    const journal = read("trials.ndjson");
    // The histogram alone has thousands of digits: every 7th of them reaches all fields and keeps the test short.
    let n = 0;
    for (const [changed, at] of withOneDigitChanged(journal)) {
      if (n++ % 7 !== 0) continue;
      writeFileSync(join(path, "trials.ndjson"), changed);
      assert.ok(sealFaults(path).some((fault) => fault.includes("trials.ndjson")), `…${around(journal, at)}…`);
    }
    writeFileSync(join(path, "trials.ndjson"), journal);
    assert.deepEqual(sealFaults(path), []);

    writeFileSync(join(path, "trials.ndjson"), journal.slice(0, -30));
    const cut = await startBench(site, ["verify", path]).ended;
    assert.equal(cut.code, 3);
    assert.match(cut.stdout, /half a line/);
    writeFileSync(join(path, "run.json"), read("run.json").replace("levelfield.run/1", "levelfield.run/9"));
    const newer = await startBench(site, ["shape", path]).ended;
    assert.equal(newer.code, 1);
    assert.match(newer.stderr, /version "levelfield\.run\/9"/);
  });
});
