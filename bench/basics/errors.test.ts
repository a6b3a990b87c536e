import assert from "node:assert/strict";
import { test } from "node:test";
import { EXIT, failure, failureOf, usageError } from "./errors.ts";

test("an error of a failure has its words, and gives code and facts back", () => {
  const late = failure({ code: "reply-late", facts: { ms: 50, state: "its head came" } }, "try again");
  assert.equal(late.message, "no reply within 50 ms: its head came");
  assert.deepEqual([late.exit, late.hint], [EXIT.failed, "try again"]);
  assert.deepEqual(failureOf(late, "cannot-serve", "reply-late"), {
    code: "reply-late",
    facts: { ms: 50, state: "its head came" },
  });
  const old = usageError({ code: "cannot-serve", facts: { runtime: "node@4.0.0", fault: "too old" } });
  assert.equal(old.message, "node@4.0.0 cannot serve here: too old");
  assert.equal(failureOf(old, "cannot-serve")?.facts.fault, "too old");
});

test("an error of another code, or of words alone, is no such failure", () => {
  const late = failure({ code: "reply-late", facts: { ms: 50, state: null } });
  assert.equal(failureOf(late, "cannot-serve"), null);
  assert.equal(failureOf(failure("no reply within 50 ms"), "reply-late"), null);
  assert.equal(failureOf(new Error("no reply within 50 ms"), "reply-late"), null);
});
