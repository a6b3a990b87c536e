import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderTest } from "../../tests/testing.ts";
import type { Gated } from "../record/gated.ts";
import { isGateStore, readGates, storeGate } from "./gate-store.ts";

const gated = (commit: string, at: string): Gated => ({
  schema: "levelfield.gated/1",
  ...{ commit, at, base_commit: "0", module: "a.ts", run: "r", cpu_kind: "mill", runtimes: [], outcome: "not-proven" },
  places: [],
});

folderTest("a store has a line a commit, in the order of commits, and a line that is none is named", (folder) => {
  const store = join(folder, "speed");
  assert.equal(isGateStore(store), false);
  storeGate(store, gated("b", "2026-02-01T00:00:00+01:00"));
  storeGate(store, gated("a", "2026-01-01T00:00:00Z"));
  storeGate(store, { ...gated("b", "2026-02-01T00:00:00+01:00"), run: "again" });
  assert.deepEqual(readGates(store).map(({ commit, run }) => [commit, run]), [["a", "r"], ["b", "again"]]);
  const file = join(store, "gates.ndjson");
  assert.equal(readFileSync(file, "utf8").split("\n").length, 3);
  writeFileSync(file, "{}\n");
  assert.throws(() => readGates(store), /line 1, is no gate's/);
});
