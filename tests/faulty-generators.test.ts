/** Load generators that die, say nothing, lie, hang or leave something behind: real programs on PATH, real observations. */
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { Reason } from "../bench/record/observation-record.ts";
import { findProgram } from "../bench/host/child.ts";
import { processesWith } from "../lab/faults/marked-processes.ts";
import { told, tryServer } from "./faulty-servers.ts";

const faultTest = findProgram("wrk") !== undefined && existsSync("/proc/self/stat") ? test : test.skip;

const SOUND = fileURLToPath(new URL("./fixtures/generators/oha-1.16.0.json", import.meta.url));

/** Puts a program called oha first on PATH, for as long as something runs. */
async function withOha<T>(script: string, work: () => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-fake-"));
  const path = process.env["PATH"]!;
  try {
    const file = join(folder, "oha");
    writeFileSync(file, `#!/bin/sh\n[ "$1" = --version ] && { echo "oha 1.16.0"; exit 0; }\n${script}\n`);
    chmodSync(file, 0o755);
    process.env["PATH"] = `${folder}${delimiter}${path}`;
    return await work();
  } finally {
    process.env["PATH"] = path;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a sound oha printed, with some of it changed. */
function printed(
  change: (report: { summary: Record<string, number>; statusCodeDistribution: Record<string, number> }) => void,
): string {
  const report = JSON.parse(readFileSync(SOUND, "utf8"));
  change(report);
  return `sleep 1; cat <<'END'\n${JSON.stringify(report)}\nEND`;
}

const FAULTS: readonly {
  readonly name: string;
  readonly script: string;
  readonly code: Reason["code"];
  readonly message: RegExp;
}[] = [
  {
    name: "dies",
    script: "echo 'out of luck' >&2; exit 3",
    code: "generator-failed",
    message: /oha ended with exit 3: out of luck/,
  },
  { name: "is killed", script: "kill -9 $$", code: "generator-failed", message: /oha ended with SIGKILL/ },
  { name: "prints nothing", script: "exit 0", code: "generator-failed", message: /oha printed nothing/ },
  {
    name: "prints half a report",
    script: `head -c 300 '${SOUND}'`,
    code: "generator-failed",
    message: /oha printed no JSON/,
  },
  {
    name: "counts replies nobody sent",
    script: printed((report) => report.statusCodeDistribution = { 200: 50_000_000 }),
    code: "claim-contradicted",
    message: /50000000 replies, for which the servers used \d+ ns/,
  },
  {
    name: "says it ran longer than it did",
    script: printed((report) => report.summary["total"] = 100),
    code: "generator-failed",
    message: /says it ran 100 s, and ended after/,
  },
  {
    name: "tells latencies its rate contradicts",
    script: printed((report) => report.summary["average"] = 0.2),
    code: "littles-law-broken",
    message: /above the 50 connections/,
  },
  {
    name: "has ended and left something behind that holds its output",
    script: `sleep 317 & cat '${SOUND}'`,
    code: "generator-failed",
    message: /left a process behind/,
  },
  {
    name: "hangs in a process it has started",
    script: "sleep 317; echo late",
    code: "generator-failed",
    message: /did not end in time/,
  },
];

for (const { name, script, code, message } of FAULTS) {
  faultTest(`a load generator that ${name} spoils its cell, and is named`, async () => {
    const record = await withOha(script, () => tryServer({ generator: "oha", replyMs: 1_500 }));
    assert.notEqual(record.status, "ok", told(record));
    const reason = record.reasons.find((own) => own.code === code);
    assert.ok(reason !== undefined, told(record));
    assert.match(reason.message, message);
    const outlived = processesWith("sleep 317").filter(({ command }) => command === "sleep 317");
    assert.deepEqual(outlived, [], "it outlived its observation");
  });
}
