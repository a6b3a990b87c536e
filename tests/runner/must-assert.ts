/**
 * Run with other tests on Node. A test that has asserted nothing when it ends has failed, and so has a file that cannot be
 * loaded, of which Node says nothing. Functions of `node:assert` are what asserts, however many helpers stand between.
 */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { afterEach, beforeEach, test, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import "./expected-runtime.ts";

let asserted = 0;
let before = 0;
const skipped = new WeakSet<object>();
let patched = false;

for (const [name, value] of Object.entries(assert)) {
  // A getter, not a wrapper: an assertion that fails shows the line of the test.
  if (typeof value === "function" && name !== "AssertionError") {
    Object.defineProperty(assert, name, {
      get() {
        asserted++;
        return value;
      },
    });
  }
}

/** Notes which tests skip themselves while they run. */
function watchSkips(context: TestContext): void {
  if (patched) return;
  patched = true;
  const type = Object.getPrototypeOf(context) as { skip(message?: string): void };
  const skip = type.skip;
  type.skip = function (message) {
    skipped.add(this);
    skip.call(this, message);
  };
}

beforeEach((context) => {
  watchSkips(context as TestContext);
  before = asserted;
});

afterEach((context) => {
  if (asserted === before && !skipped.has(context)) throw new Error("the test asserted nothing");
});

test("every file of tests can be loaded", async () => {
  const files = process.argv.slice(1).filter((file) => file.endsWith(".ts"));
  assert.ok(files.length > 0, process.argv.join(" "));
  for (const file of files) await import(pathToFileURL(resolve(file)).href);
});
