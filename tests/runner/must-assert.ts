/**
 * Loaded before test files on Node: fails each test that has asserted nothing when it ends. Functions of `node:assert` are
 * what asserts, however many helpers stand between.
 */
import assert from "node:assert/strict";
import { afterEach, beforeEach, type TestContext } from "node:test";

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
