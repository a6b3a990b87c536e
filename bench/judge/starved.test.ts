import assert from "node:assert/strict";
import { test } from "node:test";
import { isStarved, starvedMark } from "./starved.ts";

const judged = (change: object, gap: number | null = null, busy = 0.5) =>
  ({
    load: { requests: 80_000, connections: 50, ...change },
    latency: { littles_law_gap: gap },
    counters: { generator_share: busy },
  }) as unknown as Parameters<typeof starvedMark>[0][number];
const by = (unanswered: number, stuck: number) => ({ by_connection: { unanswered, stuck, replies: [0, 0, 20_000] } });

test("connections without a reply are counted, of the window with the most of them", () => {
  assert.equal(starvedMark([judged(by(0, 0), -0.9)]), null);
  assert.equal(
    starvedMark([judged(by(0, 0)), judged(by(0, 1)), judged(by(46, 0))])!.text,
    "46 connections of 50 got no reply in 2 of 3 windows; replies each: 0 to 20000, median 0",
  );
  assert.match(
    starvedMark([judged(by(0, 1))])!.text,
    /^1 connection of 50 waited in vain for one more reply in 1 of 1 /,
  );
  assert.match(
    starvedMark([], [by(0, 0), by(3, 1)] as never)!.text,
    /^3 connections got no reply, 1 connection .* others/,
  );
});

test("where connections are not counted Little's law says it, unless the generator was at its limit", () => {
  assert.match(
    starvedMark([judged({}, -0.92)])!.text,
    /^rate × mean latency comes to 4\.0 of 50 connections in 1 of 1/,
  );
  for (const sound of [judged({}, -0.5), judged({}, -0.92, 0.99), judged({ requests: 200 }, -0.92), judged({})]) {
    assert.deepEqual([starvedMark([sound]), isStarved(sound)], [null, false]);
  }
});

test("connections with few replies are counted where long waits fill their time, in a closed loop alone", () => {
  const few = (long: number, change: object = {}) =>
    ({
      load: {
        ...{ requests: 160_000, connections: 50, duration_us: 2e6, ...change },
        by_connection: { unanswered: 0, stuck: 0, few: 10, replies: [2, 3_851, 3_927] },
      },
      latency: { histogram: [[500, 160_000 - long], [900_000, long]] },
    }) as unknown as Parameters<typeof starvedMark>[0][number];
  assert.equal(
    starvedMark([few(20), few(0)])!.text,
    "10 connections of 50 got under a tenth of the mean number of replies, each after 900ms, in 1 of 2 windows; " +
      "replies each: 2 to 3927, median 3851",
  );
  assert.deepEqual([few(20), few(8), few(20, { offered_per_second: 80_000 })].map(isStarved), [true, false, false]);
});
