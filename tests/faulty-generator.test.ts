/** A load generator that fails, in wrk's place on PATH: its cell says so. All its faults run with --all. */
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { MISDEEDS } from "../lab/faults/generator-faults.ts";
import { processesWith } from "../lab/faults/marked-processes.ts";
import { told, tryServer } from "./faulty-servers.ts";
import { inTemporaryFolder } from "./testing.ts";

const faultTest = existsSync("/proc/self/stat") ? test : test.skip;

faultTest("a load generator that dies spoils its cell, and is named", () =>
  inTemporaryFolder(async (folder) => {
    const script = `[ "$1" = --version ] && { echo "wrk 4.2.0"; exit 0; }\n: ${folder}\n${MISDEEDS.dies}\n`;
    writeFileSync(join(folder, "wrk"), `#!/bin/sh\n${script}`, { mode: 0o755 });
    const path = process.env["PATH"]!;
    process.env["PATH"] = `${folder}${delimiter}${path}`;
    try {
      const record = await tryServer({});
      assert.equal(record.status, "failed", told(record));
      assert.deepEqual(record.marks.map(({ code }) => code), ["generator-failed"], told(record));
      assert.match(record.marks[0]!.text, /wrk ended with exit 3: out of luck/);
    } finally {
      process.env["PATH"] = path;
    }
    assert.deepEqual(processesWith(folder), [], "something outlived its observation");
  }));
