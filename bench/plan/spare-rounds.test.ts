/** Spare rounds and rounds of a time; longer than others because each rule is tried on a schedule of its own. */
import type { RunRecord } from "../record/run-record.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { smallPlan } from "../../tests/fixtures/small-plan.ts";
import type { Mark } from "../record/outcome-schema.ts";
import type { Plan, PlannedObservation } from "../record/plan.ts";
import { cutSettle, isSettling, isSpareStep, scheduleOf } from "./schedule.ts";
import type { Solo } from "../judge/lines.ts";
import type { Observation } from "../record/observation-record.ts";
import { scheduleFaults } from "../result/schedule-faults.ts";
import { remadeText, sparesExpected, stepsAhead, stepsAsMade, withoutMadeUp } from "./spare-rounds.ts";

const plan: Plan = {
  ...smallPlan,
  solo: [],
  ceilings: [],
  ensembles: [{ purpose: "pair", cells: [0, 1], rounds: 3 }, { purpose: "pair", cells: [2, 3], rounds: 3 }],
  alone_rounds: 0,
  rounds: 3,
  spare_rounds: 2,
};
const steps = scheduleOf(plan);
const first = (step: PlannedObservation) => step.cells[0] === plan.cells[0];

const marksOf = (codes: readonly Mark["code"][]) => codes.map((code) => ({ code, message: code }));

/** A line as far as spare rounds look at it: of an ensemble with a member that was marked alone, by the member's place. */
function line(
  { index, kind, round, alone, cells }: PlannedObservation,
  codes: readonly Mark["code"][] = [],
  aloneCodes: Readonly<Record<number, readonly Mark["code"][]>> = {},
): Observation {
  const made = {
    index,
    kind,
    round,
    alone,
    status: codes.length === 0 ? "ok" : "invalid",
    marks: marksOf(codes),
    members: cells.map((cell, place) => ({
      cell,
      marks: [],
      alone: alone && kind !== "solo" ? { marks: marksOf(aloneCodes[place] ?? []) } : null,
    })),
  };
  return made as unknown as Observation;
}

/** Lines of a run in which a step ends as it is told to. */
function made(
  codesOf: (step: PlannedObservation) => readonly Mark["code"][],
  of = plan,
  aloneOf: (step: PlannedObservation) => Readonly<Record<number, readonly Mark["code"][]>> = () => ({}),
): Observation[] {
  const lines: Observation[] = [];
  for (let [step] = stepsAhead(of, lines); step !== undefined; [step] = stepsAhead(of, lines)) {
    lines.push(line(step, codesOf(step), aloneOf(step)));
  }
  return lines;
}

test("spare rounds follow a schedule that is what it is without them", () => {
  const { spare_rounds: _, ...without } = plan;
  assert.deepEqual(steps.slice(0, 6), scheduleOf(without));
  assert.deepEqual(steps.slice(6).map(({ round }) => round), [3, 3, 4, 4]);
  assert.equal(new Set(steps.map(({ draw_seed }) => draw_seed)).size, 5);
});

test("what is measured in fewer rounds than there are has no spare one", () => {
  const [one, other] = plan.ensembles as [Plan["ensembles"][number], Plan["ensembles"][number]];
  const fewer = scheduleOf({ ...plan, ensembles: [one, { ...other, rounds: 2 }] });
  assert.deepEqual(fewer.map((step) => [step.round, first(step)]).filter(([round]) => Number(round) >= 2), [
    [2, true],
    [3, true],
    [4, true],
  ]);
});

test("a step that others voided is made again in a spare round, and none else", () => {
  assert.equal(made(() => []).length, 6);
  const once = made((step) => first(step) && step.round === 1 ? ["contended", "core-not-full"] : []);
  assert.deepEqual(once.map(({ index }) => index).slice(6), [
    steps.find((step) => step.round === 3 && first(step))!.index,
  ]);
  const clocks = made((step) => !first(step) && step.round < 2 ? ["clock-changed"] : []);
  assert.deepEqual(clocks.slice(6).map(({ index }) => [steps[index]!.round, first(steps[index]!)]), [
    [3, false],
    [4, false],
  ]);
});

/** As `--quick` plans: a rate once, alone before the ensemble or by itself. */
const quick: Plan = {
  ...plan,
  solo: [{ cell: 2, rounds: 1 }],
  ensembles: [{ purpose: "matrix", cells: [0, 1], rounds: 3 }],
  alone_rounds: 1,
  spare_rounds: 1,
};
const spareOf = (lines: readonly Observation[]) =>
  lines.filter(({ round }) => round >= quick.rounds)
    .map(({ kind, members }) => [kind, ...members.map(({ cell }) => quick.cells.indexOf(cell))]);

test("a cell whose rate others voided is measured alone again, wherever it was measured alone", () => {
  assert.deepEqual(spareOf(made(() => [], quick)), []);
  const contended = (kind: string) => (step: PlannedObservation) =>
    step.kind === kind && step.round === 0 ? ["contended" as const] : [];
  assert.deepEqual(spareOf(made(contended("solo"), quick)), [["solo", 2]]);
  assert.deepEqual(
    spareOf(made(contended("ensemble"), quick)),
    [["ensemble", 0, 1]],
    "what each did alone was left alone",
  );
  assert.deepEqual(spareOf(made(() => [], quick, ({ alone }) => alone ? { 1: ["contended"] } : {})), [["solo", 1]]);
  assert.deepEqual(spareOf(made(() => [], quick, ({ alone }) => alone ? { 1: ["wrong-answer"] } : {})), []);
  assert.equal(spareOf(made(({ kind }) => kind === "solo" ? ["contended"] : [], quick)).length, 1, "once");
});

test("what was made again counts once, whatever came of it", () => {
  const solo = (round: number, ...codes: Mark["code"][]) =>
    ({ round, status: codes.length === 0 ? "ok" : "invalid", marks: marksOf(codes) }) as unknown as Solo;
  const left = (...solos: Solo[]) => withoutMadeUp(quick, solos).map(({ round }) => round);
  assert.deepEqual(left(solo(0, "contended"), solo(3)), [3]);
  assert.deepEqual(left(solo(0, "contended"), solo(3, "wrong-answer")), [3]);
  assert.deepEqual(left(solo(0, "contended"), solo(3, "contended")), [0, 3]);
  assert.deepEqual(left(solo(0, "contended"), solo(1, "contended"), solo(3)), [1, 3]);
  assert.deepEqual(left(solo(0, "contended"), solo(1)), [0, 1], "one of the planned rounds makes up for nothing");
});

test("a spare step that is voided, too, calls for the next one, up to the most there are", () => {
  assert.equal(made((step) => first(step) && (step.round === 0 || step.round === 3) ? ["contended"] : []).length, 8);
  assert.equal(made(() => ["contended"]).length, 10);
});

test("what is wrong with a server is not tried until it looks better", () => {
  assert.equal(made(() => ["wrong-answer"]).length, 6);
  assert.equal(made(() => ["contended", "wrong-answer"]).length, 6);
});

test("verification knows which spare steps had to be made", () => {
  const whole = (lines: readonly Observation[]) =>
    lines.map((each): Observation => {
      const { cells: _, ...step } = steps[each.index]!;
      return { ...step, ...each, order: [0, 1].map((place) => (step.round + place) % 2) };
    });
  const faults = (lines: readonly Observation[], state: "finished" | "interrupted" = "finished") =>
    scheduleFaults({ plan, state } as RunRecord, whole(lines));
  const voided = made((step) => step.index === 0 ? ["contended"] : []);
  const spare = voided.at(-1)!;
  assert.deepEqual(faults(voided), []);
  assert.deepEqual(faults(voided.slice(0, -1), "interrupted"), []);
  assert.match(faults(voided.slice(0, -1)).join(), /^step \d+ \(ensemble .*\) is missing$/);
  const unneeded = [...voided.map(({ index }) => line(steps[index]!))];
  assert.deepEqual(faults(unneeded), [
    `step ${spare.index} is a spare one, and others voided none that it makes up for`,
  ]);
  const [other] = steps.filter((step) => step.round === 3 && first(step) !== first(steps[0]!));
  assert.match(faults([...voided.slice(0, -1), line(other!)]).join(), /is a spare one.*is missing/);
});

test("a step's place is told, and that of a spare one as such", () => {
  assert.deepEqual(remadeText(plan, steps[5]!, 6), { step: "6/6", round: "round 3/3" });
  assert.deepEqual(remadeText(plan, steps[9]!, 6), { step: "spare", round: "round 2 of at most 2" });
});

test("spare steps are expected in as large a share as others voided so far, and never more than there are", () => {
  const steps = scheduleOf({ ...plan, spare_rounds: 3 });
  const gate = { ...plan, spare_rounds: 3 };
  const line = (index: number, voided: boolean) =>
    ({
      ...steps[index]!,
      status: voided ? "invalid" : "ok",
      marks: marksOf(voided ? ["contended"] : []),
      members: [],
    }) as unknown as Observation;
  const expected = (...voided: boolean[]) => {
    const lines = voided.map((each, index) => line(index, each));
    return sparesExpected(gate, lines, stepsAhead(gate, lines, steps), steps).length;
  };
  const spare = steps.filter(({ kind, round }) => kind !== "ceiling" && round >= gate.rounds).length;
  assert.equal(expected(false, false), 0);
  const [half, all] = [expected(true, false), expected(true, true)];
  assert.ok(half > 0 && half < spare, `${half} of ${spare}`);
  assert.equal(all, spare - 2, "two are called for already");
  assert.deepEqual(sparesExpected({ ...plan, spare_rounds: undefined }, [line(0, true)], [], steps), []);
});

const NO_ERRORS = { connect: 0, read: 0, write: 0, timeout: 0, status: 0, expected_status: 0 };

test("servers that leave their core idle are measured alone in all later rounds", () => {
  const [made] = scheduleOf(plan).filter(({ kind }) => kind === "ensemble");
  const aheadOf = (share: number) =>
    stepsAhead(plan, [{ ...line(made!), counters: { core_share: share } } as unknown as Observation])
      .filter((step) => first(step) === first(made!) && step.kind === "ensemble");
  assert.ok(aheadOf(0.6).length > 0 && aheadOf(0.6).every(({ apart, alone }) => apart && alone));
  assert.ok(aheadOf(0.97).every(({ apart }) => apart === undefined));
});

test("servers whose work comes in bursts as long as a turn are measured alone in windows four times as long", () => {
  const ofBoth = steps.filter((step) => step.kind === "ensemble" && first(step)).slice(0, 2);
  const made = (step: PlannedObservation, dearer: number, burstNs: number) => {
    const members = step.cells.map((cell, n) => ({
      ...{ cell, marks: [], requests: 20_000, cpu_ns: 2e9 },
      lead_in: { requests: 9_000, cpu_ns: 9e8 * (n === 0 ? dearer : 1) },
      warmup: { slices: [Array.from({ length: 40 }, (_, at) => [1_000, at % 10 < 3 && n === 0 ? burstNs : 1e8])] },
    }));
    return {
      ...line(step),
      members,
      load: { turn_ms: 100, lead_in_ms: 50, connections: 50 },
    } as unknown as Observation;
  };
  const ahead = (dearer: number, burstNs: number) =>
    stepsAhead(plan, ofBoth.map((step) => made(step, dearer, burstNs)), scheduleOf({ ...plan, rounds: 4 }))
      .filter((step) => step.kind === "ensemble" && first(step))
      .map(({ apart = false, counted_ms }) => [apart, counted_ms === 4 * plan.duration_ms]);
  const [none, rampUps, bursts] = [ahead(1, 1e8), ahead(3, 1e8), ahead(1, 4e8)];
  assert.ok(none.length > 0);
  assert.deepEqual(none, none.map(() => [false, false]));
  assert.deepEqual([rampUps, bursts], [none.map(() => [true, false]), none.map(() => [true, true])]);
});

test("the second of two equal cells is measured alone like any other", () => {
  const cells = plan.cells.map((cell, n) => n === 1 ? { ...cell, label: "aa" as const } : cell);
  const alone: Plan = { ...plan, cells, ensembles: [], solo: [{ cell: 0, rounds: 2 }, { cell: 1, rounds: 2 }] };
  assert.equal(stepsAhead(alone, []).filter(({ cells: [cell] }) => cell!.label === "aa").length, 2);
});

test("a function that gave another result ends its steps, and all of an ensemble of which one cell is left", () => {
  const calls = { ...plan, generator: "in-process" }, steps = scheduleOf(calls);
  const together = steps.find(({ kind }) => kind === "ensemble")!;
  const wrong = (many: number) =>
    ({
      ...line(together),
      members: together.cells.map((cell, n) => ({ cell, marks: marksOf(n < many ? ["wrong-answer"] : []) })),
    }) as unknown as Observation;
  const ahead = (lines: readonly Observation[], of = calls) =>
    stepsAhead(of, lines, steps).filter((step) => first(step) === first(together));
  const most = together.cells.length;
  assert.deepEqual(ahead([wrong(most)]), []);
  assert.ok(ahead([wrong(most)], plan).length > 0, "a server may answer wrongly once");
  assert.ok(ahead([wrong(0)]).every(({ ended }) => ended === undefined));
});

test("a server that hung in each of its first two rounds is not started again, and one that answered once is", () => {
  const lines = (...hung: readonly boolean[]) =>
    steps.filter((step) => step.kind === "ensemble" && first(step)).slice(0, hung.length).map((step, n) => {
      const members = step.cells.map((cell) => ({ cell, marks: marksOf(hung[n] ? ["server-hung"] : []) }));
      return { ...line(step), members } as unknown as Observation;
    });
  const ahead = (...hung: readonly boolean[]) => stepsAhead(plan, lines(...hung), steps).filter(first);
  assert.deepEqual(ahead(true, true), []);
  assert.ok(ahead(true).length > 0 && ahead(false, true).every(({ ended }) => ended === undefined));
});

test("servers whose faults halts make are measured alone in all later rounds, whatever comes of it, and no others", () => {
  const codes = (step: PlannedObservation) => first(step) && step.round === 0 ? ["unexpected-status"] as const : [];
  const lines: Observation[] = [];
  const stepsMade: PlannedObservation[] = [];
  const of = { ...plan, alone_rounds: 1 };
  for (let [step] = stepsAhead(of, lines); step !== undefined; [step] = stepsAhead(of, lines)) {
    const load = { requests: 900, turn_ms: 100, errors: { ...NO_ERRORS, status: 90 } };
    const next = { ...line(step, codes(step)), ...(step.apart ? { load: null, windows: [] } : { load }) };
    for (const { alone } of next.members) {
      Object.assign(alone ?? {}, { load: step.apart ? load : { ...load, errors: NO_ERRORS } });
      // Alone it errs, too, once it is measured alone in earnest.
      if (step.apart) alone!.marks.push(...marksOf(["unexpected-status"]) as never[]);
    }
    stepsMade.push(step);
    lines.push(next as Observation);
  }
  assert.deepEqual(
    stepsMade.map((step) => [first(step), step.round > 0, step.apart ?? false, step.alone]).toSorted(),
    [
      ...[[false, false, false, true], [false, true, false, false], [false, true, false, false]],
      ...[[true, false, false, true], [true, true, true, true], [true, true, true, true]],
    ],
  );
  assert.deepEqual(
    stepsAsMade({ ...of, further: { axis: "generator" } as never }, lines, steps),
    steps,
    "none by windows",
  );
});

test("servers of which one works by the clock are measured alone in all later rounds", () => {
  const [step] = stepsAhead(plan, []).filter(({ kind }) => kind === "ensemble");
  const made = (rampUp: number) => {
    const of = line(step!, []);
    Object.assign(of, { load: { turn_ms: 100, lead_in_ms: 50 } });
    for (const member of of.members) {
      Object.assign(member, { marks: [], requests: 20_000, cpu_ns: 2e9, lead_in: { requests: rampUp, cpu_ns: 1e9 } });
    }
    const name = JSON.stringify(step!.cells);
    return stepsAhead(plan, [of]).filter(({ cells }) => JSON.stringify(cells) === name).map(({ apart = false }) =>
      apart
    );
  };
  assert.ok(made(9_000).length > 0 && made(9_000).every((apart) => !apart));
  assert.ok(made(2_000).every((apart) => apart));
});

test("a window by turns that others voided calls for one more round of its servers, and for none of one alone", () => {
  const rates: Plan = {
    ...plan,
    solo: [{ cell: 0, rounds: 1 }],
    ensembles: [{ purpose: "pair", cells: [0, 1], rounds: 3 }],
    together_first: true,
    further: { axis: "rate", generator: "ontime", limit: "p99<10ms" },
    rounds: 4,
  };
  const planned = scheduleOf(rates).filter(({ round }) => round < rates.rounds);
  assert.deepEqual(planned.map(({ kind, alone }) => [kind, alone]), [
    ...Array.from({ length: 3 }, () => ["ensemble", true]),
    ["solo", true],
  ]);
  const lines = (codes: readonly Mark["code"][]) =>
    planned.map((step) => ({
      ...line(step),
      windows: [{ at: { rate: 5 }, marks: step.index === 1 ? marksOf(codes) : [] }],
    } as unknown as Observation));
  assert.deepEqual(stepsAhead(rates, lines([])), []);
  assert.deepEqual(stepsAhead(rates, lines(["rate-not-kept"])), []);
  const ahead = stepsAhead(rates, lines(["contended"]));
  assert.deepEqual(ahead.map(({ kind, round, alone }) => [kind, round, alone]), [["ensemble", 4, true]]);
});

test("steps of a settle follow all others, and nothing that is lost in them calls for a spare round", () => {
  const part = (of: number, rounds: number, seed: number) => ({
    ...{ ensembles: [{ of, cells: [2 * of, 2 * of + 1] }], solo: [0], rounds, seed },
  });
  // With rounds alone there are spare steps of each cell alone, too.
  const own: Plan = { ...plan, alone_rounds: 1 }, steps = scheduleOf(own);
  const settled: Plan = { ...own, settles: [part(0, 2, 5), part(1, 3, 6)] };
  const all = scheduleOf(settled);
  assert.deepEqual(all.slice(0, steps.length), steps);
  const added = all.slice(steps.length);
  assert.deepEqual(added.map(({ index }) => index), added.map((_, n) => steps.length + n));
  assert.deepEqual([...new Set(added.map(({ round }) => round))], [5, 6, 7, 8, 9]);
  assert.ok(added.every((step) => isSettling(settled, step) && !isSpareStep(settled, step)));
  assert.ok(!steps.some((step) => isSettling(settled, step)));
  assert.deepEqual(
    added.filter(({ kind }) => kind === "ensemble").map((step) => [first(step), step.alone]),
    [0, 0, 1, 1, 1].map((of) => [of === 0, false]),
  );
  assert.equal(added.filter(({ kind }) => kind === "solo").length, 5);
  assert.deepEqual(scheduleOf(cutSettle(settled, { round: 8 })), all.filter(({ round }) => round < 9));
  assert.deepEqual([added[0]!, added.at(-1)!].map((step) => remadeText(settled, step, 1).round), [
    "round 1 of 5",
    "round 5 of 5",
  ]);

  const journal = steps.filter((step) => !isSpareStep(own, step)).map((step) => line(step));
  assert.deepEqual(stepsAhead(settled, journal), added, "no spare one, as none was lost");
  const lost = [...journal, ...added.slice(0, 2).map((step) => line(step, ["contended"]))];
  assert.deepEqual(stepsAhead(settled, lost), added.slice(2), "of an ensemble and of a cell alone");
  assert.deepEqual(sparesExpected(settled, lost, added.slice(2)), []);
});
