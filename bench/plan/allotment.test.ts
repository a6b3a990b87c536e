import assert from "node:assert/strict";
import { test } from "node:test";
import { smallPlan } from "../../tests/fixtures/small-plan.ts";
import { createRandom } from "../basics/random.ts";
import type { Observation } from "../record/observation-record.ts";
import type { Plan, PlannedObservation } from "../record/plan.ts";
import { allotment, varianceOf } from "./allotment.ts";
import { studentTQuantile } from "../statistics/distributions.ts";
import { compareBlocks } from "../statistics/blocks.ts";
import type { MeasuredRatio } from "../statistics/compare.ts";
import { familyLevel } from "../statistics/verdict.ts";
import { everyTwo } from "./families.ts";
import { turnsTakeMs } from "./lengths.ts";
import { windowTogetherMs } from "./schedule.ts";
import { stepsAhead } from "./spare-rounds.ts";
import { timedPlan } from "./timed-plan.ts";

const SERVERS = 4;
const base: Plan = {
  ...smallPlan,
  solo: [],
  ceilings: [],
  ensembles: [{ purpose: "matrix", cells: [0, 1, 2, 3], rounds: 3 }],
  alone_rounds: 0,
};

/** Standard deviations of a server's log cost: inside a window of one second, and from round to round. */
interface Noise {
  readonly within: number;
  readonly between: number;
}

/** A run of a plan by servers that vary so much, in rounds with so much besides their windows. */
function madeBy(plan: Plan, noise: Noise, besidesMs: number, seed: number): Observation[] {
  const random = createRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const lines: Observation[] = [];
  for (let [step] = stepsAhead(plan, lines); step !== undefined; [step] = stepsAhead(plan, lines)) {
    lines.push(lineOf(step, plan, noise, besidesMs, normal));
  }
  return lines;
}

function lineOf(
  step: PlannedObservation,
  plan: Plan,
  noise: Noise,
  besidesMs: number,
  normal: () => number,
): Observation {
  const windowMs = windowTogetherMs(step.counted_ms ?? plan.ensemble_ms, SERVERS);
  const members = step.cells.map((cell) => {
    const ofRound = noise.between * normal();
    const parts = [1 / 3, 2 / 3].map((share) => {
      const ms = share * windowMs / SERVERS;
      return { requests: 1e5 * share, cpu_ns: 1e6 * ms, cost: ofRound + noise.within / Math.sqrt(ms / 1e3) * normal() };
    }).map(({ requests, cpu_ns, cost }) => ({ cpu_ns, requests: requests / Math.exp(cost) }));
    const sum = (of: "requests" | "cpu_ns") => parts[0]![of] + parts[1]![of];
    return {
      ...{ cell, marks: [], alone: null, parts, requests: sum("requests"), cpu_ns: sum("cpu_ns") },
      cpu_ns_per_request: sum("cpu_ns") / sum("requests"),
    };
  });
  const { cells: _, ...planned } = step;
  return {
    ...{ ...planned, status: "ok", marks: [], members, load: {} },
    wall_ms: besidesMs + turnsTakeMs(windowMs, SERVERS),
  } as unknown as Observation;
}

const spentMs = (lines: readonly Observation[]) => lines.reduce((sum, { wall_ms }) => sum + wall_ms, 0);

test("a plan with a time ends at most a tenth after it, whatever a round costs besides its windows", () => {
  for (const [seed, besidesMs] of [4_000, 15_000, 40_000, 90_000].entries()) {
    const plan = timedPlan(base, { ms: 420_000 });
    const lines = madeBy(plan, { within: 0.02, between: 0.01 }, besidesMs, seed);
    assert.ok(lines.length >= 3 && lines.length <= 12, `${lines.length} rounds`);
    // Windows are whole seconds.
    const longest = Math.max(...lines.map(({ wall_ms }) => wall_ms));
    assert.ok(
      spentMs(lines) <= 1.1 * 420_000 + 1_000 * lines.length || lines.length === 3,
      `${spentMs(lines)} ms with ${besidesMs}`,
    );
    assert.ok(spentMs(lines) > 420_000 - 2 * longest || lines.length === 12, "and uses it");
  }
});

test("windows are longer where rounds are alike than where they differ", () => {
  const [alike, different] = [0, 0.06].map((between) => {
    const lines = madeBy(timedPlan(base, { ms: 600_000, rounds: undefined }), { within: 0.03, between }, 40_000, 7);
    return { rounds: lines.length, lastMs: lines.at(-1)!.counted_ms! };
  });
  assert.ok(alike!.rounds <= different!.rounds, JSON.stringify({ alike, different }));
  assert.ok(alike!.lastMs >= different!.lastMs, JSON.stringify({ alike, different }));
});

test("what servers vary by inside windows and between rounds is found again", () => {
  const plan = { ...timedPlan(base, { ms: 420_000, rounds: 200 }), ensemble_ms: 2_000 };
  const noise = { within: 0.03, between: 0.02 };
  const { within, between } = varianceOf(madeBy(plan, noise, 1_000, 11));
  assert.ok(Math.abs(Math.sqrt(within / 1e3) / noise.within - 1) < 0.15, String(Math.sqrt(within / 1e3)));
  assert.ok(Math.abs(Math.sqrt(between) / noise.between - 1) < 0.25, String(Math.sqrt(between)));
});

test("rounds and windows chosen by hand stay, and a plan without a time has no allotment", () => {
  const plan = timedPlan(base, { ms: 60_000, rounds: 5, windowMs: 3_000 });
  const lines = madeBy(plan, { within: 0.02, between: 0.01 }, 1_000, 3);
  assert.equal(lines.length, 5);
  assert.ok(lines.slice(1).every(({ counted_ms }) => counted_ms === 3_000));
  assert.equal(allotment(base, lines), null);
});

test("a round of servers measured one after the other tells nothing of windows together, and the run goes on", () => {
  const plan = timedPlan(base, { ms: 300_000 });
  const [first, second] = madeBy(plan, { within: 0.1, between: 0.01 }, 20_000, 3) as [Observation, Observation];
  const members = second.members.map((member) => ({ ...member, parts: null, cpu_ns_per_request: null }));
  assert.deepEqual(varianceOf([first, { ...second, members }]), varianceOf([first]));
});

test("a round that was lost is made again in the time", () => {
  const plan = { ...timedPlan(base, { ms: 200_000 }), spare_rounds: 1 };
  const lines = madeBy(plan, { within: 0.02, between: 0.01 }, 30_000, 5);
  const lost = lines.map((line, n) => n === 1 ? { ...line, status: "invalid" as const } : line);
  assert.equal(allotment(plan, lost)!.rounds >= allotment(plan, lines)!.rounds, true);
});

test("looks are planned where time allows many rounds", () => {
  const many = timedPlan(base, { ms: 1_200_000 }), few = timedPlan(base, { ms: 60_000 });
  assert.deepEqual(many.timed!.looks, [3, 6, 12]);
  assert.equal(few.timed!.looks, undefined);
});

test("families of intervals miss no more often because spreads choose the rounds", () => {
  const FAMILIES = 400;
  const { levelEach } = familyLevel(SERVERS * (SERVERS - 1) / 2);
  const names = Array.from({ length: SERVERS }, (_, n) => String(n));
  for (const [seed, between] of [0, 0.03].entries()) {
    const plan = { ...base, rounds: 3, ensemble_ms: 800, timed: { ms: 420_000, most_rounds: 12 } };
    const missed = Array.from({ length: FAMILIES }, (_, n) => {
      const lines = madeBy(plan, { within: 0.045, between }, 45_000, FAMILIES * seed + n);
      const rounds = lines.map(({ members }, round) => ({
        round,
        costs: members.map(({ cpu_ns_per_request }) => cpu_ns_per_request),
      }));
      return everyTwo(names).some(([over, under]) => {
        const { logRatio } = compareBlocks({ id: "t", members: names, rounds }, over, under) as MeasuredRatio;
        return Math.abs(logRatio.mean) > studentTQuantile((1 + levelEach) / 2, logRatio.degrees) * logRatio.error;
      });
    }).filter(Boolean).length;
    // Of a true 5 %, 400 families have 34 and more once in 1 000 times; the seeds are fixed.
    assert.ok(missed <= 33, `${missed} of ${FAMILIES} with ${between} between rounds`);
  }
});
