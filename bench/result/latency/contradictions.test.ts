import assert from "node:assert/strict";
import { test } from "node:test";
import { heldByAll } from "../../plan/knee.ts";
import { parseLimit } from "../../basics/units.ts";
import type { Observation } from "../../record/observation-record.ts";
import { contradictionMark, contradictionMarks } from "./contradictions.ts";
import { makeRateRun } from "../../../tests/fixtures/rate-run.ts";
import { CARDS, KNEE, madeUpCard } from "../../../tests/fixtures/made-up-rates.ts";
import type { LatencyCell } from "../../record/latency-schema.ts";

type Figures = Parameters<typeof contradictionMark>[0];

/** Texts of the marks; all have the one code. */
const contradictionsOf = (figures: Figures): string[] =>
  contradictionMark(figures).map(({ code, effect, text }) => {
    assert.deepEqual([code, effect], ["rates-contradict", "withholds"]);
    return text;
  });

const closed = (rate: number, bound: Observation["bound"] = "server") =>
  ({ status: "ok", bound, load: { requests_per_second: rate, connections: 50 } }) as unknown as Observation;

const step = (per_second: number, sent_share: number | null = 1) => ({
  per_second,
  why: "up" as const,
  holds: true,
  sent_share,
  us: 500,
  marks: [],
});

const knee = (...steps: ReturnType<typeof step>[]): NonNullable<LatencyCell["knee"]> => ({
  per_second: 9_000,
  capped: false,
  share_of_capacity: 0.9,
  open: null,
  steps,
});

const SOUND: Figures = {
  capacity_per_second: 10_000,
  observations: [closed(10_000), closed(9_500), closed(10_400)],
  knee: knee(step(5_000), step(9_000)),
};

test("rates that agree are not contradicted", () => {
  assert.deepEqual(contradictionsOf(SOUND), []);
  assert.deepEqual(contradictionsOf({ ...SOUND, capacity_per_second: null, observations: [] }), []);
});

test("servers of one cell that differ by half again contradict each other", () => {
  const observations = [closed(34_500), closed(71_200), { ...closed(200_000), status: "invalid" } as Observation];
  assert.deepEqual(contradictionsOf({ ...SOUND, observations, knee: null }), [
    "its closed-loop rate was 34.5k to 71.2k req/s in 2 servers",
  ]);
  const noisy = [closed(10_000), closed(14_000)];
  assert.deepEqual(contradictionsOf({ ...SOUND, observations: noisy, knee: null }), []);
});

test("a step of the search that is answered above the closed loop contradicts a server that was the limit there", () => {
  const steps = knee(step(11_000), step(12_000), step(30_000, 0.2), step(40_000, null));
  assert.match(contradictionsOf({ ...SOUND, knee: steps })[0]!, /^in the search it answered 12\.0k req\/s, 15 % above/);
  const waiting = [closed(10_000, "neither"), closed(10_400, "neither")];
  assert.deepEqual(contradictionsOf({ ...SOUND, knee: steps, observations: waiting }), []);
});

test("a closed loop that moved contradicts shares of it, and no wait at a given rate", () => {
  const marksAt = (rates: readonly (string | number)[]) => {
    const { plan } = makeRateRun({ limit: null, rates }).run;
    return contradictionMarks(plan, plan.cells[0]!, [closed(34_500), closed(71_200)] as never).length;
  };
  assert.deepEqual([marksAt([200, 1_000]), marksAt([200, "50%"])], [0, 1]);
});

test("what a search found does not stand where all requests of a lower rate do not hold the limit", () => {
  const held = (...cards: typeof CARDS) => heldByAll(KNEE, [...CARDS, ...cards], parseLimit("p99<20ms")!);
  assert.deepEqual([held(), held(madeUpCard("95%", 9_500, 271_000))], [KNEE, KNEE]);
  const { per_second, share_of_capacity, open } = held(madeUpCard("200", 200, 271_000));
  assert.deepEqual([per_second, share_of_capacity, open], [null, null, null]);
  assert.match(held(madeUpCard("70%", 7_000, 271_000)).open!.text, /^at 7\.00k req\/s all requests together do not/);
});
