import assert from "node:assert/strict";
import { test } from "node:test";
import { detectRuntime } from "../../servers/runtime.ts";

const expected = process.env["LEVELFIELD_EXPECT_RUNTIME"];

(expected === undefined ? test.skip : test)("these tests run on the runtime the gate started", () => {
  assert.equal(detectRuntime().name, expected);
});
