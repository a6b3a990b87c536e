/** Servers that wait instead of work: each alone, compared by rates, whatever a request costs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { AA } from "../bench/record/cell.ts";
import { isDecided } from "../bench/record/verdicts.ts";
import { makeFixture, measureApart } from "./fixtures/made-up-run.ts";
import { filesOf } from "./fixtures/run-files.ts";

/** Returns the comparison of two servers alone, whose own busy share and the generator's are given. */
function comparedAlone(busy: number, generator: number) {
  const run = makeFixture({ stores: ["map"], sizes: [10_000], runtimes: ["node", "bun"], together: "all" });
  const shares = { server_share: busy, server_thread_share: busy, core_share: busy, generator_share: generator };
  const given = { ended: "most", duration_us: 12_000_000, steadiness: ["moving"], changes: [null] };
  for (const line of run.lines) {
    if (line.kind === "solo") Object.assign(line, { bound: "neither", counters: { ...line.counters, ...shares } });
    for (const member of line.members) {
      Object.assign(member, { warmup: { ...(member.warmup ?? line.warmup), ...given } });
    }
  }
  measureApart(run, run.lines.filter(({ kind }) => kind === "ensemble"));
  const { families } = filesOf(run).summary;
  return families.flatMap(({ comparisons }) => comparisons).find(({ over }) => !over.includes(AA))!;
}

test("servers that wait for themselves are compared by rates, those that take turns with the generator are not", () => {
  const waiting = comparedAlone(0.1, 0.05);
  assert.ok(waiting.basis === "solo" && isDecided(waiting), JSON.stringify(waiting));
  const inTurns = comparedAlone(0.45, 0.4);
  assert.ok(inTurns.verdict === "no-verdict", JSON.stringify(inTurns));
  assert.ok(inTurns.marks.some(({ code }) => code === "other-bound"));
});
