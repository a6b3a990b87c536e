import assert from "node:assert/strict";
import { test } from "node:test";
import { normal } from "../../tests/fixtures/simulation.ts";
import { type FlaggedObservation, flagsOf } from "./flags.ts";
import { createRandom, type Random } from "../basics/random.ts";
import { steady as judgeSlices } from "../statistics/steady.ts";

/** An observation nothing is to be said of. */
const one = (
  ended: "steady" | "most" | "planned",
  change: Partial<FlaggedObservation> = {},
  kind: "flat" | "moving" | "unknown" = ended === "most" ? "moving" : "flat",
): FlaggedObservation => ({
  load: { requests: 100_000, requests_per_second: 50_000, connections: 50, sent_per_slot: [] },
  latency: null,
  counters: null,
  member: { warmup: { ended, duration_us: 12_100_000, steadiness: [kind], curves: [[]] } },
  ...change,
});
const codes = (ok: readonly FlaggedObservation[], lost = 0) => flagsOf(ok, lost, null).map(({ code }) => code);
const [steady, most, planned] = [one("steady"), one("most"), one("planned")];

test("a cell that most warm-ups gave up on is not judged, one that half of them did is", () => {
  assert.deepEqual(codes([steady, steady, most]), []);
  assert.deepEqual(codes([steady, most]), [], "no more than half");
  assert.deepEqual(codes([steady, most, most]), ["never-steady"]);
  assert.deepEqual(codes([planned, planned]), [], "a length given by hand is not given up");
  const [flag] = flagsOf([most], 0, null);
  assert.deepEqual([flag!.objection, flag!.message], [true, "its cost was still changing after 12 s of warm-up"]);
  assert.deepEqual(codes([one("most", { member: { warmup: null } })]), []);
});

test("a warm-up given up for noise is told, and is no objection: nobody saw the cost change", () => {
  const noisy = one("most", {}, "unknown");
  const [flag] = flagsOf([noisy, noisy], 0, null);
  assert.deepEqual([flag!.code, flag!.objection], ["noisy-warm-up", false]);
  assert.deepEqual(codes([noisy, most]), ["never-steady"], "one that was seen to change is enough");
});

/** A warm-up of 6 s that was given up: of a server that falls by a share a second, on a machine of two speeds 1.65 apart. */
function givenUp(fallPerSecond: number, random: Random): FlaggedObservation {
  let slow = random() < 0.3;
  const curve = Array.from({ length: 60 }, (_, n) => {
    if (random() < (slow ? 0.14 : 0.07)) slow = !slow;
    return 30_000 * (slow ? 1.65 : 1) * Math.exp(0.08 * normal(random)) * (1 - fallPerSecond) ** (n / 10);
  });
  const { kind } = judgeSlices(curve.map((cost) => ({ requests: 1 / cost, cpuNs: 1 })));
  return one("most", { member: { warmup: { ended: "most", duration_us: 6e6, steadiness: [kind], curves: [curve] } } });
}

test("a machine that changes its speed makes few servers never steady, in however many rounds; one that falls is found", () => {
  const seed = 31;
  const random = createRandom(seed);
  const share = (rounds: number, fallPerSecond: number) => {
    const cells = Array.from(
      { length: 200 },
      () => Array.from({ length: rounds }, () => givenUp(fallPerSecond, random)),
    );
    const movingOnce =
      cells.filter((own) => own.some(({ member }) => member.warmup!.steadiness.includes("moving"))).length;
    return {
      never: cells.filter((own) => codes(own).includes("never-steady")).length / 200,
      movingOnce: movingOnce / 200,
    };
  };
  for (const rounds of [3, 6, 14]) {
    const { never } = share(rounds, 0);
    assert.ok(never <= 0.12, `seed ${seed}: ${never} of cells that stood still, ${rounds} rounds`);
  }
  assert.ok(share(14, 0).movingOnce > 0.9, "what one round shows the machine shows in nearly every run");
  const { never } = share(14, 0.12);
  assert.ok(never >= 0.9, `seed ${seed}: ${never} of cells that fell by 12 % a second`);
  const [flag] = flagsOf(Array.from({ length: 14 }, () => givenUp(0.2, random)), 0, null);
  assert.match(flag!.message, /^its cost still fell by [23]\d(\.\d)? % after 6\.0 s of warm-up$/);
});

test("rounds that are lost are told and held against nothing, and where all are lost the status says so", () => {
  assert.deepEqual(codes([steady, steady]), []);
  const [flag] = flagsOf([steady, steady, steady, steady, steady], 1, null);
  assert.deepEqual([flag!.code, flag!.objection, flag!.message], ["rounds-lost", false, "1 of 6 rounds are lost"]);
  assert.deepEqual(codes([], 6), []);
});

test("connections that wait for the generator are told beyond the limit of Little's law, and held against nothing", () => {
  const at = (gap: number, requests = 100_000) =>
    one("steady", {
      load: { requests, requests_per_second: 50_000, connections: 50, sent_per_slot: [] },
      latency: { littles_law_gap: gap },
    });
  assert.deepEqual(codes([at(-0.019)]), []);
  assert.deepEqual(codes([at(0.019)]), []);
  const [flag] = flagsOf([at(-0.07)], 0, null);
  assert.deepEqual([flag!.code, flag!.objection, flag!.message], [
    "generator-wait",
    false,
    "connections waited 7.0 % of the time for the generator",
  ]);
  assert.deepEqual(codes([at(-0.07), at(-0.01), at(-0.01)]), [], "the middle one counts");
  assert.deepEqual(codes([at(-0.07, 4_999)]), [], "too few requests a connection to tell");
  assert.deepEqual(codes([at(-0.07, 5_000)]), ["generator-wait"]);
});
