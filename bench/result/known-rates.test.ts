import assert from "node:assert/strict";
import { test } from "node:test";
import { madeUpLatencyCell } from "../../tests/fixtures/made-up-latency.ts";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { keptRates, knownRates } from "./known-rates.ts";
import { publish } from "./published.ts";

function ratesOf(rounds: number) {
  const { run, lines } = makeFixture({ rounds, sizes: [10_000], stores: ["sqlite"], runtimes: ["node"] });
  return knownRates(publish(run, lines).cards, lines);
}

test("one sample is no rate to reckon with, and its cell is named", () => {
  const { rates, single } = ratesOf(1);
  assert.deepEqual(rates, []);
  assert.equal(single.length, 1);
});

test("a few samples lie from the least to the most, six and more say where their median lies", () => {
  for (const rounds of [3, 12]) {
    const { rates: [rate], single } = ratesOf(rounds);
    assert.deepEqual([single, rate!.samples], [[], rounds]);
    assert.ok(rate!.low <= rate!.perSecond && rate!.perSecond <= rate!.high! && rate!.low < rate!.high!);
  }
  const { run, lines } = makeFixture({ rounds: 12, sizes: [10_000], stores: ["sqlite"], runtimes: ["node"] });
  const { cards } = publish(run, lines);
  const { low, high } = knownRates(cards, lines).rates[0]!;
  const interval = cards.find(({ requests_per_second_interval }) => requests_per_second_interval !== null)!;
  assert.deepEqual([low, high], [
    interval.requests_per_second_interval!.low,
    interval.requests_per_second_interval!.high,
  ]);
});

test("a rate that a search found lies between the one that held and the least that did not", () => {
  const cell = madeUpLatencyCell();
  const [rate, ...others] = keptRates([cell]);
  assert.deepEqual(others, []);
  assert.deepEqual([rate!.low, rate!.high, rate!.samples], [9_300, 9_700, 2]);
  const capped = { ...cell, knee: { ...cell.knee!, capped: true } };
  assert.equal(keptRates([capped])[0]!.high, null);
  assert.deepEqual(keptRates([{ ...cell, contradictions: ["its rate moved"] }]), []);
  assert.deepEqual(keptRates([{ ...cell, knee: { ...cell.knee!, per_second: null, why: "stopped" } }]), []);
});
