import assert from "node:assert/strict";
import { test } from "node:test";
import { sentBy } from "./duet-steadiness.ts";

test("requests sent by a moment are whole slots and a share of the one begun", () => {
  const sent = (atUs: number) => sentBy([100, 200, 300], 20_000, 1_000_000, atUs);
  assert.equal(sent(1_000_000), 0);
  assert.equal(sent(1_010_000), 50);
  assert.equal(sent(1_020_000), 100);
  assert.equal(sent(1_050_000), 450);
  assert.equal(sent(1_060_000), 600);
});

test("nothing was sent before the start and no more than all after the end", () => {
  assert.equal(sentBy([100], 20_000, 1_000_000, 900_000), 0);
  assert.equal(sentBy([100], 20_000, 1_000_000, 9_000_000), 100);
  assert.equal(sentBy([], 20_000, 0, 9_000_000), 0);
});
