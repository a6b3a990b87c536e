import assert from "node:assert/strict";
import { test } from "node:test";
import { causeOf, countRows } from "./gate-counts.ts";

const looks = (...calls: readonly Record<string, number>[]) => calls.map((each) => ({ calls: each, written_bytes: 0 }));

test("a count differs where looks at one revision agree, and by more than they differ", () => {
  const base = looks({ write: 1, read: 1, futex: 0.2 }, { write: 1, read: 1, futex: 0.9 });
  const yours = looks({ write: 1, read: 1, futex: 0.8, fsync: 1 }, { write: 1, read: 1, futex: 0.3, fsync: 1 });
  const rows = countRows(base, yours);
  assert.deepEqual(rows.map(({ name, says }) => [name, says]), [
    ["calls", "more"],
    ["fsync", "more"],
    ["bytes", "the same"],
  ]);
  assert.deepEqual(countRows(base, base).map(({ says }) => says), ["varies", "the same"]);
  const rare = countRows(
    looks({ write: 1, madvise: 0.01 }, { write: 1 }),
    looks({ write: 1, madvise: 0.04 }, { write: 1 }),
  );
  assert.deepEqual(rare.map(({ name }) => name), ["calls", "bytes"]);
});

test("what nobody could count has no row, and each side has to have it", () => {
  const unknown = [{ calls: null, written_bytes: null }];
  assert.deepEqual(countRows(unknown, unknown), []);
  assert.deepEqual(countRows(looks({ write: 1 }), unknown), []);
  const bytes = (each: number) => [{ calls: null, written_bytes: each }, { calls: null, written_bytes: each + 5 }];
  assert.deepEqual(countRows(bytes(0), bytes(4_096)), [{ name: "bytes", base: 2.5, yours: 4_098.5, says: "more" }]);
});

test("a call says what to look at", () => {
  assert.match(causeOf("fdatasync")!, /disk/);
  assert.match(causeOf("openat")!, /files/);
  assert.match(causeOf("sendto")!, /pieces/);
  assert.equal(causeOf("getpid"), null);
});
