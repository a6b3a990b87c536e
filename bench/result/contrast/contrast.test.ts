import assert from "node:assert/strict";
import { test } from "node:test";
import { makeObservation } from "../../../tests/fixtures/made-up-windows.ts";
import { answeredClaims } from "./claims.ts";
import { contrastRows, DRAWN, ratios, windowName } from "./rows.ts";

/** Three rounds: wrk at 100, 90 and 110, the other at a share of it, one of its windows not sound. */
const rounds = (share: number, change: Parameters<typeof makeObservation>[1] = {}) =>
  [100, 90, 110].map((rate) =>
    makeObservation([
      { name: windowName("autocannon", "apart"), rate: rate * share, bound: "generator" },
      { name: windowName("wrk", "apart"), rate },
      { name: DRAWN, rate: rate * 0.9 },
      { name: windowName("wrk", "one-core"), rate: rate * 0.6 },
      { name: windowName("autocannon", "one-core"), rate: rate * 0.2 },
    ], change)
  );

test("ratios are taken round by round, and a window that is not sound takes its round with it", () => {
  const observations = rounds(0.5);
  assert.deepEqual(ratios(observations, windowName("autocannon", "apart"), windowName("wrk", "apart")), [
    0.5,
    0.5,
    0.5,
  ]);
  observations[1]!.windows![0]!.reasons = [{ code: "generator-failed", message: "out of luck" }];
  const [wrk, other] = contrastRows(observations, ["wrk", "autocannon"]);
  assert.deepEqual([wrk!.over_wrk, wrk!.over_wrk_least, wrk!.over_wrk_most, wrk!.sound], [1, 1, 1, 3]);
  assert.deepEqual([other!.sound, other!.windows, other!.reasons], [2, 3, ["out of luck"]]);
  assert.equal(other!.requests_per_second, (50 + 55) / 2);
  assert.equal(other!.bound, "generator");
});

test("a generator none of whose windows is sound has no figures, and no claim rests on it", () => {
  const observations = rounds(0.5);
  for (const { windows } of observations) windows![0]!.reasons = [{ code: "generator-failed", message: "out of luck" }];
  const rows = contrastRows(observations, ["wrk", "autocannon"]);
  const own = rows.find(({ generator, place }) => generator === "autocannon" && place === "apart")!;
  assert.deepEqual([own.requests_per_second, own.over_wrk, own.bound], [null, null, "unknown"]);
  assert.deepEqual(answeredClaims(rows, null).filter(({ claim }) => claim.startsWith("autocannon")), []);
});

const answers = (share: number, drawn: number | null = null) =>
  new Map(answeredClaims(contrastRows(rounds(share), ["wrk", "autocannon"]), drawn).map((own) => [own.claim, own]));

test("claims are confirmed, refuted or left open by what was measured", () => {
  const wrong = "autocannon is the wrong choice to find what a server can do";
  assert.equal(answers(0.5).get(wrong)!.answer, "confirmed");
  assert.match(answers(0.5).get(wrong)!.sentence, /reached 0\.50 of wrk's rate, and was the limit itself/);
  assert.equal(answers(0.97).get(wrong)!.answer, "refuted");
  assert.equal(answers(0.92).get(wrong)!.answer, "open");
  const url = "one URL again and again flatters the server";
  assert.deepEqual([answers(0.5, 0.8).get(url)!.answer, answers(0.5, 0.99).get(url)!.answer], ["confirmed", "refuted"]);
  assert.equal(answers(0.5).has(url), false);
});

test("on one core each generator is held against what the server does on a core of its own", () => {
  const own = answers(0.5).get("on the server's own core autocannon takes the CPU it measures, and wrk does not")!;
  // wrk left it 60 %: neither is innocent, so the claim stands neither whole nor not at all.
  assert.equal(own.answer, "open");
  assert.match(own.sentence, /wrk showed 60\.0 % .* autocannon 20\.0 % \(50\.0 % from another core\): each took CPU/);
});

test("CPU of wrk and its rewritten averages are held against what is claimed of them", () => {
  const claims = answers(0.5);
  const cpu = claims.get("wrk uses almost no CPU relative to the load it generates")!;
  assert.deepEqual([cpu.answer, /30\.0 %/.test(cpu.sentence)], ["refuted", true]);
  const mean = claims.get("the average latency wrk prints is the average response time")!;
  assert.equal(mean.answer, "refuted");
  const light = contrastRows(rounds(0.5, { generatorNs: 900, toldMeanUs: 100, toldP99Us: 300 }), ["wrk"]);
  assert.deepEqual(answeredClaims(light, null).map(({ answer }) => answer), ["confirmed", "confirmed"]);
});
