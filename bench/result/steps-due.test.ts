import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { createRandom } from "../basics/random.ts";
import { scheduleOf } from "../plan/schedule.ts";
import type { Observation } from "../record/observation-record.ts";
import type { RunRecord } from "../record/run-record.ts";
import { scheduleFaults } from "./schedule-faults.ts";
import { isAnswered, stepsDue } from "./steps-due.ts";
import { timeSpent } from "./time-spent.ts";

const made = makeFixture({
  sizes: [10_000],
  stores: ["map", "sqlite"],
  runtimes: ["node", "bun"],
  rounds: 12,
  together: "plan",
});
const [ensemble] = made.run.plan.ensembles;

/** A run with a time, of which so many rounds were made. */
function timed(rounds: number, looks: number[] | null = [4, 8, 12]): { run: RunRecord; lines: Observation[] } {
  const plan = {
    ...made.run.plan,
    ...{ ceilings: [], rounds: 3, alone_rounds: 0, ensembles: [{ ...ensemble!, rounds: 3 }] },
    timed: { ms: 3_600_000, most_rounds: 12, ...(looks === null ? {} : { looks }) },
  };
  const lines = made.lines.filter(({ kind }) => kind === "ensemble").slice(0, rounds)
    .map((line, n) => ({ ...line, index: n, round: n }));
  return { run: { ...made.run, plan }, lines };
}

/** The same with servers of which each varies by 3 % from round to round, and those on Bun are 4 % cheaper. */
function open(rounds: number) {
  const { run, lines } = timed(rounds);
  const random = createRandom(3);
  const costOf = (runtime: unknown) => 20_000 * (runtime === "bun" ? 0.96 : 1) * (1 + 0.05 * (2 * random() - 1));
  return {
    run,
    lines: lines.map((line) => ({
      ...line,
      members: line.members.map((member) => ({
        ...member,
        cpu_ns_per_request: costOf(member.cell.point.at["runtime"]),
      })),
    })),
  };
}

test("a run ends at a planned look where all that may change its answer is decided, and at no other round", () => {
  for (const rounds of [3, 5, 7]) assert.equal(isAnswered(...both(timed(rounds))), false, `${rounds} rounds`);
  assert.equal(isAnswered(...both(timed(4))), true);
  assert.equal(isAnswered(...both(timed(4, null))), false, "without looks it takes its time");
  const { run, lines } = timed(4);
  assert.deepEqual(stepsDue(run, lines, scheduleOf(run.plan)), []);
});

test("it goes on where more rounds would decide what is open", () => {
  const { run, lines } = open(4);
  assert.equal(isAnswered(run, lines), false);
  assert.ok(stepsDue(run, lines, scheduleOf(run.plan)).length > 0);
});

test("verification names a run that went on after a sure look", () => {
  const { run, lines } = timed(5);
  assert.match(
    scheduleFaults(run, lines).join("\n"),
    /goes on after 4 rounds, though the look at its verdicts had ended it/,
  );
});

test("the parts of a run's time are not more than all of it, and windows of ok rounds count", () => {
  const { lines } = timed(4);
  const { all, counted, warmUps, alone } = timeSpent(lines);
  assert.ok(counted > 0 && warmUps > 0 && counted + warmUps + alone > 0 && all > 0);
  const lost = lines.map((line) => ({ ...line, status: "invalid" as const }));
  assert.equal(timeSpent(lost).counted, 0);
});

const both = ({ run, lines }: { run: RunRecord; lines: Observation[] }) => [run, lines] as const;
