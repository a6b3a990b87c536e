import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { linesOf } from "../../tests/fixtures/made-up-lines.ts";
import { scheduleOf } from "../plan/schedule.ts";
import { stepsAhead } from "../plan/spare-rounds.ts";
import { AA } from "../record/cell.ts";
import type { Comparison } from "../record/comparison.ts";
import { mark } from "../record/mark.ts";
import { type Plan, planSchema } from "../record/plan.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { mean } from "../statistics/variation.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { scheduleFaults, timeFaults } from "./schedule-faults.ts";
import { publish } from "./published.ts";
import { type SettlePlan, settlePlanOf } from "./settle-plan.ts";
import { summaryOf } from "./summary-of.ts";

/** Three runtimes with three stores: Bun is 2 % faster than Deno, which four rounds do not decide for each. */
const { run, lines } = makeFixture({
  stores: ["map", "sqlite", "drizzle"],
  sizes: [10_000],
  together: "plan",
  rounds: 4,
});
const summary = summaryOf(run, lines);
const all = ({ families }: Pick<Summary, "families">) => families.flatMap(({ comparisons }) => comparisons);
const HOUR = 3_600_000;

function settled(timeMs = HOUR, of: RunRecord = run, made = summary): SettlePlan {
  const found = settlePlanOf(of, made, timeMs);
  assert.ok(found.kind === "settles", JSON.stringify(found));
  return found;
}

/** A run whose settles are made, with as many rounds as they plan. */
function withPart(plan: Plan, { part }: SettlePlan): RunRecord {
  return { ...run, plan: planSchema.parse({ ...plan, settles: [...plan.settles ?? [], part] }) };
}

/** Its lines go on as they were: each cell costs what it did in the mean. */
function withLines(after: RunRecord) {
  const costs = Map.groupBy(
    lines.filter(({ kind }) => kind === "ensemble").flatMap(({ members }) => members),
    ({ cell }) => JSON.stringify(cell),
  );
  const again = linesOf(after.plan, (cell) => ({
    rate: 1e9 / mean(costs.get(JSON.stringify(cell))!.map(({ cpu_ns_per_request }) => cpu_ns_per_request!)),
  }));
  const more = again.slice(lines.length);
  const late = more.at(-1)!;
  const finished_at = new Date(Date.parse(late.started_at) + late.wall_ms).toISOString();
  return { run: { ...after, finished_at }, lines: [...lines, ...more] };
}

test("a settle measures the servers of open comparisons alone, with the A/A pair of their ensemble", () => {
  const { part, cells, open, comparisons } = settled();
  const undecided = all(summary).filter(({ verdict }) => verdict === "not-separable");
  assert.ok(undecided.length > 0 && open >= undecided.length && comparisons === open);
  for (const { over, under } of undecided) assert.ok(cells.includes(over) && cells.includes(under));
  assert.ok(cells.every((name) => !name.startsWith("node/")), "all that is faster than Node is decided");
  const [ensemble, ...none] = part.ensembles;
  assert.deepEqual([none, part.solo], [[], []]);
  const twin = ensemble!.cells.find((place) => run.plan.cells[place]!.label === AA);
  assert.ok(twin !== undefined);
  assert.ok(ensemble!.cells.length < run.plan.ensembles[0]!.cells.length);
});

test("what was decided by less than three looks allow is open again, and counts as such", () => {
  const { reopened, open } = settled();
  const undecided = all(summary).filter(({ verdict }) => verdict === "not-separable").length;
  assert.equal(open, undecided + reopened);
  const alike = summaryOf({ ...run, plan: { ...run.plan, settles: undefined } as Plan }, lines);
  const calm = alike.families.map((family) => ({
    ...family,
    comparisons: family.comparisons.map((one): Comparison =>
      one.verdict === "faster"
        ? { ...one, interval: { ...one.interval, low: one.ratio / 1.0001, high: one.ratio * 1.0001 } }
        : one
    ),
  }));
  assert.equal(settled(HOUR, run, { ...alike, families: calm }).reopened, 0);
});

test("rounds are as many as fit the time, and no more than all of its comparisons need", () => {
  const whole = settled();
  const roundMs = 60_000 * whole.minutes / whole.rounds;
  assert.equal(whole.decides, whole.comparisons);
  const some = settled(2.5 * roundMs);
  assert.ok(some.rounds >= 2 && some.rounds < whole.rounds && some.decides < whole.decides, JSON.stringify(some));
  assert.ok(some.sees! > whole.sees!);
  const none = settlePlanOf(run, summary, 1);
  assert.ok(none.kind === "none" && none.code === "time" && none.roundMs! > 1);
});

test("where all of them do not fit, those are measured that the time decides", () => {
  const needs = (one: Comparison, ratio: number): Comparison =>
    one.verdict === "no-verdict" ? one : {
      ...one,
      ...{ verdict: "not-separable", ratio, delta: 0.01, rounds_needed: 99 },
      interval: { ...one.interval, low: ratio / 1.03, high: ratio * 1.03 },
      smallest_detectable: 0.06,
    };
  const families = summary.families.map((family) => ({
    ...family,
    // Two stores are close on Bun, and closer still on Node.
    comparisons: family.comparisons.map((one) =>
      one.over === "bun/map/10k" && one.under === "bun/sqlite/10k"
        ? needs(one, 1.035)
        : one.over === "node/map/10k" && one.under === "node/sqlite/10k"
        ? needs(one, 1.0155)
        : one.verdict === "not-separable"
        ? { ...one, ...needs(one, 1.0155) }
        : one
    ),
  }));
  const near = { ...summary, families };
  const whole = settled(10 * HOUR, run, near);
  assert.ok(whole.cells.includes("node/map/10k"));
  const roundMs = 60_000 * whole.minutes / whole.rounds;
  const fewer = Array.from({ length: 40 }, (_, n) => settled((n + 2) * roundMs, run, near))
    .filter(({ comparisons, open }) => comparisons < open);
  assert.ok(fewer.length > 0, "at no time");
  for (const { decides, cells } of fewer) {
    assert.ok(decides > 0 && !cells.includes("node/map/10k"), cells.join());
  }
});

test("a settled run is verified, judges all verdicts by a third of the error, and keeps the rounds of what it left", () => {
  const found = settled();
  const { run: after, lines: made } = withLines(withPart(run.plan, found));
  const published = publish(after, made);
  assert.deepEqual([...scheduleFaults(after, made), ...timeFaults(after, made)], []);
  const { summary: then } = published;
  for (const [n, { looks, level_each, comparisons }] of then.questions.entries()) {
    assert.equal(looks, thresholds.looks.value);
    assert.equal(comparisons, summary.questions[n]!.comparisons);
    assert.ok(Math.abs((1 - level_each) - (1 - summary.questions[n]!.level_each) / looks) < 1e-9);
  }
  const isFurther = ({ over, under }: Comparison) => found.cells.includes(over) && found.cells.includes(under);
  for (const one of all(then)) {
    assert.ok(one.verdict !== "no-verdict");
    assert.equal(one.rounds, run.plan.rounds + (isFurther(one) ? found.rounds : 0), `${one.over} ${one.under}`);
    assert.equal(one.interval.level, then.questions[0]!.level_each);
  }
  assert.ok(all(then).filter((one) => isFurther(one) && one.verdict === "not-separable").length === 0);
  assert.equal(then.answer.rounds, run.plan.rounds);
});

test("before its first further round a settle that was stopped has the verdicts it had", () => {
  const after = { ...withPart(run.plan, settled()), state: "interrupted" as const };
  const { families, questions, marks } = summaryOf(after, lines);
  assert.deepEqual([families, questions], [summary.families, summary.questions]);
  assert.match(marks.find(({ code }) => code === "interrupted")!.text, /stopped before round 1 of \d+$/);
});

test("a second settle goes on after the first, and a third is refused: the looks are used", () => {
  const first = withLines(withPart(run.plan, settled(30_000)));
  const once = summaryOf(first.run, first.lines);
  const undecided = once.families.map((family) => ({
    ...family,
    comparisons: family.comparisons.map((one): Comparison =>
      one.verdict === "faster" && one.over === "bun/map/10k" && one.under === "bun/sqlite/10k"
        ? {
          ...one,
          verdict: "not-separable",
          ratio: 1.03,
          smallest_detectable: 0.06,
          interval: { ...one.interval, low: 1, high: 1.06 },
        }
        : one
    ),
  }));
  const more = settled(HOUR, first.run, { ...once, families: undecided });
  const second = withPart(first.run.plan, more);
  const steps = scheduleOf(second.plan);
  assert.deepEqual(steps.slice(0, first.lines.length), scheduleOf(first.run.plan), "what was planned stays as it was");
  assert.equal(stepsAhead(second.plan, first.lines).length, more.rounds);
  const { run: after, lines: made } = withLines(second);
  const [, part] = after.plan.settles!;
  assert.notEqual(part!.seed, after.plan.settles![0]!.seed);
  const rounds = new Map(
    all(summaryOf(after, made)).map((
      one,
    ) => [`${one.over} ${one.under}`, one.verdict === "no-verdict" ? 0 : one.rounds]),
  );
  assert.ok(rounds.get("bun/map/10k bun/sqlite/10k")! >= run.plan.rounds + more.rounds);
  const third = settlePlanOf(after, { ...once, families: undecided }, HOUR);
  assert.ok(third.kind === "none" && third.code === "looks");
});

test("runs that have no open comparison, are no whole runs, or need something else are not settled, and say why", () => {
  const decided = { ...summary, families: [] };
  const whyOf = (of: Pick<RunRecord, "plan" | "state">, made: typeof decided | Summary = summary) => {
    const found = settlePlanOf(of, made, HOUR);
    return found.kind === "none" ? found.code : found.kind;
  };
  assert.equal(whyOf(run, decided), "decided");
  assert.equal(whyOf({ ...run, state: "interrupted" }), "unfinished");
  const further = { axis: "rate", generator: "wrk", limit: null } as const;
  assert.equal(whyOf({ ...run, plan: { ...run.plan, further } }), "latency");
  assert.equal(whyOf({ ...run, plan: { ...run.plan, profile: "gate, quick" } }), "gate");
  const marked = {
    ...summary,
    families: summary.families.map((family) => ({
      ...family,
      comparisons: family.comparisons.map(({ over, under, basis }): Comparison => ({
        ...{ verdict: "no-verdict", over, under, basis, ratio: null, interval: null },
        marks: [mark("later-work", `${over} works on`)],
      })),
    })),
  };
  const found = settlePlanOf(run, marked, HOUR);
  assert.ok(found.kind === "none" && found.code === "remedy" && found.helps === "server", JSON.stringify(found));
});

test("cells that are compared by their rates alone are measured alone, with the twin", () => {
  const alone = makeFixture({ stores: ["sqlite"], sizes: [10_000], runtimes: ["deno", "bun"], rounds: 6 });
  const plan = { ...alone.run.plan, ensembles: [] };
  const kept = alone.lines.filter(({ kind }) => kind !== "ensemble");
  const made = scheduleOf(plan);
  const solo = kept.map((line, n) => ({ ...line, index: n, round: made[n]!.round }));
  const found = settled(HOUR, { ...alone.run, plan }, summaryOf({ ...alone.run, plan }, solo));
  assert.deepEqual(found.part.ensembles, []);
  assert.deepEqual(found.part.solo, [0, 1, 2], "both, and one of them again");
});
