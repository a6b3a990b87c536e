/**
 * Loads the test files named by `LEVELFIELD_TEST_FILES`, a JSON list of paths from the project's folder, into one process.
 * Before the tests of each file stands a test that names it, so that a log tells which test belongs to which file.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { detectRuntime } from "../../servers/runtime.ts";
import { ROOT } from "./folders.ts";
import { markerOf } from "./read-log.ts";

const expected = process.env["LEVELFIELD_EXPECT_RUNTIME"];
const { name } = detectRuntime();

test(`these tests run on ${expected}`, () => assert.equal(name, expected));
// Node alone has the hooks it takes to see a test that asserts nothing.
if (name === "node") await import("./must-assert.ts");

for (const file of JSON.parse(process.env["LEVELFIELD_TEST_FILES"] ?? "[]") as string[]) {
  test(markerOf(file), () => assert.ok(file));
  try {
    await import(pathToFileURL(join(ROOT, file)).href);
  } catch (error) {
    // Runners say little or nothing of it.
    test(`${file} can be loaded`, () => {
      throw error;
    });
  }
}
