import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderTest } from "../../tests/testing.ts";
import { findRuns } from "./find-runs.ts";

folderTest("runs are found at any depth; hidden folders, links and programs are passed by", (folder) => {
  const put = (...names: string[]) => {
    mkdirSync(join(folder, ...names.slice(0, -1)), { recursive: true });
    writeFileSync(join(folder, ...names), "{}");
  };
  put("b", "2026", "may", "run-1", "run.json");
  put("b", "2026", "may", "run-1", "cells", "x", "run.json");
  put("a", "left", "journal.ndjson");
  put("a", "latency-1.json");
  put(".hidden", "run", "run.json");
  put("node_modules", "run", "run.json");
  symlinkSync(join(folder, "b"), join(folder, "link"));
  const found = [...findRuns([folder])].map(({ name }) => name.replace(/^levelfield-test-\w+\//, ""));
  assert.deepEqual(found, ["a/left", "b/2026/may/run-1"]);
  assert.deepEqual([...findRuns([join(folder, "link")])].length, 1, "what is named may be a link");
  mkdirSync(join(folder, "nothing"));
  const told = [...findRuns([join(folder, "nothing"), join(folder, "absent"), join(folder, "a", "latency-1.json")])];
  assert.deepEqual(told.map((one) => "fault" in one && one.fault.replace(/:? .*/, "")), ["there", "cannot", "it"]);
});
