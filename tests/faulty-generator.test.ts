/** A load generator that lies: a real program on PATH, a real observation. tests/long has more misdeeds. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { findProgram } from "../bench/machine/programs.ts";
import { processesWith } from "../lab/faults/marked-processes.ts";
import { factsOf, tryServer } from "./faulty-servers.ts";
import { inTemporaryFolder } from "./testing.ts";

const faultTest = findProgram("wrk") !== undefined && existsSync("/proc/self/stat") ? test : test.skip;

const SOUND = fileURLToPath(new URL("./fixtures/generators/k6-1.8.1.txt", import.meta.url));

faultTest("a load generator that counts replies nobody sent spoils its cell, and is named", async () => {
  await inTemporaryFolder(async (folder) => {
    const [mark, json] = readFileSync(SOUND, "utf8").split(/ (.*)/s) as [string, string];
    const report = JSON.parse(json);
    [report.requests.count, report.received.count] = [50_000_000, 0];
    const prints = `sleep 1; cat <<'END'\n${mark} ${JSON.stringify(report)}\nEND`;
    const script =
      `#!/bin/sh\n[ "$1" = version ] && { echo "k6 v1.8.1 (go1.26.8)"; exit 0; }\n: ${folder}\n${prints}\n`;
    writeFileSync(join(folder, "k6"), script, { mode: 0o755 });
    const path = process.env["PATH"]!;
    process.env["PATH"] = `${folder}${delimiter}${path}`;
    try {
      const record = await tryServer({ generator: "k6" });
      assert.notEqual(record.status, "ok", factsOf(record));
      const reason = record.marks.find(({ code }) => code === "claim-contradicted");
      assert.match(reason?.text ?? "", /CPU time allows system calls for: 50000000, at most \d+/, factsOf(record));
    } finally {
      process.env["PATH"] = path;
    }
    assert.deepEqual(processesWith(folder), [], "something outlived its observation");
  });
});
