import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderTest } from "../../tests/testing.ts";
import type { Gated } from "../record/gated.ts";
import { isGateHistory, keepGate, readGates } from "./gate-history.ts";

const gated = (commit: string, at: string): Gated => ({
  schema: "levelfield.gated/1",
  ...{ commit, at, base_commit: "0", module: "a.ts", run: "r", cpu_kind: "mill", runtimes: [], outcome: "not-proven" },
  places: [],
});

folderTest("a history has a line a commit, in the order of commits, and a line that is none is named", (folder) => {
  const history = join(folder, "speed");
  assert.equal(isGateHistory(history), false);
  keepGate(history, gated("b", "2026-02-01T00:00:00+01:00"));
  keepGate(history, gated("a", "2026-01-01T00:00:00Z"));
  keepGate(history, { ...gated("b", "2026-02-01T00:00:00+01:00"), run: "again" });
  assert.deepEqual(readGates(history).map(({ commit, run }) => [commit, run]), [["a", "r"], ["b", "again"]]);
  const file = join(history, "gates.ndjson");
  assert.equal(readFileSync(file, "utf8").split("\n").length, 3);
  writeFileSync(file, "{}\n");
  assert.throws(() => readGates(history), /line 1, is no gate's/);
});
