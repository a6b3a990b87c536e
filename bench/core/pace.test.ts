import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { paceOf } from "./pace.ts";
import { loadedMs, MAIN, type Plan, scheduleOf } from "./plan.ts";
import { type JournalLine, journalLine } from "./result/journal-line.ts";
import { planOfRun } from "./result/plan-of-run.ts";
import { runRecord } from "./result/run-record.ts";

const reference = (file: string) => readFileSync(new URL(`../../results/reference/${file}`, import.meta.url), "utf8");
const run = runRecord.parse(JSON.parse(reference("run.json")));
const lines = reference("trials.ndjson").trim().split("\n").map((line): JournalLine =>
  journalLine.parse(JSON.parse(line))
);

const cells = ["map", "sqlite"].map((store) => ({ suite: "users", workload: "read", runtime: "bun", store, size: 1 }));
const plan: Plan = {
  ...planOfRun(run),
  subjects: cells.map((cell) => ({ cell, label: MAIN })),
  duets: [],
  rounds: 1,
  durationMs: 3_000,
  warmupMs: 1_000,
};

test("what is left is told from each step's own times, or from its load and what others took beyond theirs", () => {
  const pace = paceOf(plan);
  const ahead = scheduleOf(plan);
  assert.equal(loadedMs(plan), 11_000);
  assert.equal(pace.remainingMs([]), 0);
  assert.equal(pace.remainingMs(ahead), 11_000 + 3 * 700);
  const first = ahead.find((step) => step.kind === "trial")!;
  pace.note(first, 5_000);
  pace.note(first, 7_000);
  // The same step its mean of 6 s; the other trial 5 s and the ceiling 1 s, and 1 s beyond each.
  assert.equal(pace.remainingMs(ahead), 6_000 + (5_000 + 1_000) + (1_000 + 1_000));
});

test("after the first round of the reference run, what was left is told within 20 %, and so after each later one", () => {
  const reference = planOfRun(run);
  const schedule = scheduleOf(reference);
  const pace = paceOf(reference);
  const endsAt = Date.parse(run.finished_at!);
  let seen = 0;
  for (const [n, step] of schedule.entries()) {
    const line = lines[n]!;
    assert.equal(line.index, step.index);
    pace.note(step, line.wall_ms);
    const next = lines[n + 1];
    if (next === undefined || next.round === line.round) continue;
    const left = endsAt - Date.parse(next.started_at);
    const told = pace.remainingMs(schedule.slice(n + 1));
    assert.ok(Math.abs(told / left - 1) < 0.2, `step ${n}: told ${told} ms, left ${left} ms`);
    seen++;
  }
  // The rounds of trials, then the rounds of duets, without the end of the last one.
  assert.equal(seen, 2 * reference.rounds - 1);
});
