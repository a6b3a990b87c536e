import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { runRecord } from "../core/result/run-record.ts";
import { summarySchema } from "../core/result/summary.ts";
import { readJson } from "./read-run.ts";

test("a file of another version is told in one line, with the version it has and the one that is read", () => {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-read-"));
  const file = join(folder, "summary.json");
  const messageOf = (content: unknown, schema: typeof runRecord | typeof summarySchema, version: string) => {
    writeFileSync(file, JSON.stringify(content));
    try {
      readJson(file, schema, version);
    } catch (error) {
      return (error as Error).message.replace(file, "FILE");
    }
    return "read";
  };
  try {
    assert.equal(
      messageOf({ schema: "levelfield.summary/1" }, summarySchema, "levelfield.summary/2"),
      '"FILE" is of version "levelfield.summary/1", this Levelfield reads levelfield.summary/2',
    );
    assert.equal(
      messageOf({ schema: "levelfield.run/9" }, runRecord, "levelfield.run/1"),
      '"FILE" is of version "levelfield.run/9", this Levelfield reads levelfield.run/1',
    );
    assert.match(messageOf({ schema: "levelfield.run/1" }, runRecord, "levelfield.run/1"), /^"FILE" is damaged: /);
    assert.match(messageOf(null, runRecord, "levelfield.run/1"), /^"FILE" is damaged: /);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
