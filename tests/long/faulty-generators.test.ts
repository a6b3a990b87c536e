/** Load generators that say nothing, lie, hang or leave something behind: real programs on PATH, real observations. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { findProgram } from "../../bench/machine/programs.ts";
import type { Mark } from "../../bench/record/outcome-schema.ts";
import { MISDEEDS } from "../../lab/faults/generator-faults.ts";
import { processesWith } from "../../lab/faults/marked-processes.ts";
import { factsOf, tryServer } from "../faulty-servers.ts";

const faultTest = findProgram("wrk") !== undefined && existsSync("/proc/self/stat") ? test : test.skip;

const SOUND = fileURLToPath(new URL("../fixtures/generators/k6-1.8.1.txt", import.meta.url));

/** Puts a program called k6 first on PATH, for as long as something runs. */
async function withK6<T>(script: string, work: () => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-fake-"));
  const path = process.env["PATH"]!;
  try {
    const text = `#!/bin/sh\n[ "$1" = version ] && { echo "k6 v1.8.1 (go1.26.8)"; exit 0; }\n: ${folder}\n${script}\n`;
    writeFileSync(join(folder, "k6"), text, { mode: 0o755 });
    process.env["PATH"] = `${folder}${delimiter}${path}`;
    const made = await work();
    assert.deepEqual(processesWith(folder), [], "something outlived its observation");
    return made;
  } finally {
    process.env["PATH"] = path;
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Report {
  durationMs: number;
  requests: { count: number };
  received: { count: number };
  duration: Record<string, number>;
}

/** What a sound k6 printed, with some of it changed. */
function printed(change: (report: Report) => void): string {
  const [mark, json] = readFileSync(SOUND, "utf8").split(/ (.*)/s);
  const report = JSON.parse(json!);
  change(report);
  return `sleep 1; cat <<'END'\n${mark} ${JSON.stringify(report)}\nEND`;
}

const FAULTS: readonly (readonly [name: string, code: Mark["code"], message: RegExp, script: string])[] = [
  ["is killed", "generator-failed", /k6 ended with SIGKILL/, MISDEEDS.isKilled],
  ["prints nothing", "generator-failed", /k6 printed no result line/, "exit 0"],
  ["prints half a report", "generator-failed", /k6 printed no JSON/, `head -c 300 '${SOUND}'`],
  [
    "says it ran longer than it did",
    "generator-failed",
    /says it ran 100 s, and ended after/,
    printed((report) => report.durationMs = 100_000),
  ],
  [
    "tells latencies its rate contradicts",
    "littles-law-broken",
    /above the number of connections: /,
    printed((report) => report.duration["avg"] = 200),
  ],
  ["has left something behind", "generator-failed", /left a process behind/, MISDEEDS.leaves(`cat '${SOUND}'`)],
  ["hangs in a process it has started", "generator-failed", /did not end in time/, `${MISDEEDS.hangs}; echo late`],
];

for (const [name, code, message, script] of FAULTS) {
  faultTest(`a load generator that ${name} spoils its cell, and is named`, async () => {
    const record = await withK6(script, () => tryServer({ generator: "k6", replyMs: 1_500 }));
    assert.notEqual(record.status, "ok", factsOf(record));
    const reason = record.marks.find((own) => own.code === code);
    assert.ok(reason !== undefined, factsOf(record));
    assert.match(reason.text, message);
  });
}
