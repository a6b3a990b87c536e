import assert from "node:assert/strict";
import { test } from "node:test";
import { compareVersions, isVersion, isVersionRange, requestedVersions } from "./versions.ts";

const ALL = ["1.2.9", "1.2.10", "1.3.1", "1.2.19", "1.3.0", "1.4.0-canary.2", "1.4.0-canary.10", "1.4.0", "2.0.1"];

test("versions have the order of their numbers, and a pre-release comes before its release", () => {
  assert.deepEqual(ALL.toSorted(compareVersions), [
    ...["1.2.9", "1.2.10", "1.2.19", "1.3.0", "1.3.1", "1.4.0-canary.2", "1.4.0-canary.10", "1.4.0", "2.0.1"],
  ]);
  assert.equal(compareVersions("1.2", "1.2.0"), 0);
});

test("a range gives the newest of each part its finer end names", () => {
  const asked: Readonly<Record<string, readonly string[]>> = {
    "1.2..1.4": ["1.2.19", "1.3.1", "1.4.0"],
    "1..2": ["1.4.0", "2.0.1"],
    "1": ["1.4.0"],
    "1.2": ["1.2.19"],
    "1.2.10..1.3": ["1.2.10", "1.2.19", "1.3.0", "1.3.1"],
    "1.2.10..1.2.19": ["1.2.10", "1.2.19"],
    "1.3.1..1.4.0-canary.2": ["1.3.1", "1.4.0-canary.2"],
    "1.9..1.2": [],
    "3": [],
  };
  for (const [text, versions] of Object.entries(asked)) assert.deepEqual(requestedVersions(text, ALL), versions, text);
});

test("what is no range is told from one", () => {
  for (const text of ["1", "1.2", "1.2..1.4", "1.2.3", "1.2.3-canary.4"]) assert.ok(isVersionRange(text), text);
  for (const text of ["", "lts", "1..", "..1", "1.2.3.4", "1...2", "../x", "1.2..1.3..1.4"]) {
    assert.ok(!isVersionRange(text), text);
  }
});

test("one exact version is told from a range, a tag, a path and an address", () => {
  for (const text of ["1.2.3", "0.0.0", "1.2.3-canary.4", "1.4.0-canary.20260101T140512", "1.2.3-x-y.0"]) {
    assert.ok(isVersion(text), text);
  }
  const others = ["", "1", "1.2", "v1.2.3", "01.2.3", "1.2.3-", "1.2.3-..", "1.2.3-01", "1.2.3+b", "1.2.3\n", " 1.2.3"];
  const addresses = ["latest", "^1.2.3", "1.2.3/..", "../1.2.3", "npm:a@1.2.3", "https://a/1.2.3", "1.2.3\u{202e}"];
  for (const text of [...others, ...addresses, `1.2.3-${"a".repeat(100)}`]) assert.ok(!isVersion(text), text);
});
