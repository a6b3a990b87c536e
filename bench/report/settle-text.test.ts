import assert from "node:assert/strict";
import { test } from "node:test";
import { assertCommands } from "../../tests/printed-commands.ts";
import type { NoSettle, SettlePlan } from "../result/settle-plan.ts";
import { noSettleText, settleTexts } from "./settle-text.ts";

const found: SettlePlan = {
  ...{
    kind: "settles",
    open: 9,
    reopened: 0,
    comparisons: 7,
    decides: 5,
    rounds: 12,
    minutes: 9.5,
    quiet: 0,
    sees: 0.123,
  },
  cells: Array.from({ length: 8 }, (_, n) => `c${n}`),
  part: { ensembles: [], solo: [], rounds: 12, seed: 1 },
};

test("a settle says what it measures, how long that takes, and what it would decide and see", () => {
  assert.deepEqual(settleTexts(found), [
    "settle: 12 further rounds of 8 servers for 7 of 9 open comparisons, about 9m 30s: c0, c1, c2, c3, c4, c5 and 2 more",
    "5 of them would be decided if the ratios seen are true; then differences above about 12 % would as a rule have been seen",
  ]);
  const [, known, quiet, reopened] = settleTexts({ ...found, sees: null, decides: 0, quiet: 2, reopened: 3 });
  assert.match(known!, /^how far apart they are is not known yet/);
  assert.match(quiet!, /^others had the machine in rounds of 2 of them: /);
  assert.match(reopened!, /^open comparisons that were decided: 3, as the looks at a settled run/);
});

test("each reason for no settle is one line with a next step", () => {
  const reasons = ["unfinished", "decided", "looks", "remedy", "time"] as const;
  const codes: NoSettle["code"][] = ["latency", "gate", "bisect", ...reasons];
  for (const code of codes) {
    const { text, hint } = noSettleText("it", { kind: "none", code, helps: null, open: 2, roundMs: 30_000 });
    assert.match(text, /run "it"/);
    assertCommands(`error: ${text}\n  try: ${hint}\n`);
  }
});
