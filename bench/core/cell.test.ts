import assert from "node:assert/strict";
import { test } from "node:test";
import { cellFileStem, cellLabel, cellName } from "./cell.ts";

test("a cell has one name for programs, one for people and one for files", () => {
  const cell = { suite: "users", workload: "read", runtime: "node", store: "sqlite", size: 10_000 };
  assert.equal(cellName(cell), "users/read/node/sqlite/10k");
  assert.equal(cellLabel(cell), "node/sqlite/10k");
  assert.equal(cellFileStem(cell), "node-sqlite-10k");
});

test("neighbouring sizes never share a name", () => {
  const name = (size: number) => cellName({ suite: "users", workload: "read", runtime: "bun", store: "map", size });
  const sizes = [1, 999, 1_000, 1_001, 10_000, 10_001, 999_999, 1_000_000, 1_000_001];
  assert.equal(new Set(sizes.map(name)).size, sizes.length);
});
