/** Run with other tests: they run on the runtime that was meant. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { detectRuntime } from "../../servers/runtime.ts";

const expected = process.env["LEVELFIELD_EXPECT_RUNTIME"];

test(`these tests run on ${expected}`, () => assert.equal(detectRuntime().name, expected));
