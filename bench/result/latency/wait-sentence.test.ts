import assert from "node:assert/strict";
import { test } from "node:test";
import { madeUpLatencyCell } from "../../../tests/fixtures/made-up-latency.ts";
import { parseLimit } from "../../basics/limit.ts";
import { dueText, msText, scheduleText, waitSentence } from "./wait-sentence.ts";

const limit = parseLimit("p99<10ms")!;
const cell = madeUpLatencyCell();
const knee = (change: Partial<NonNullable<typeof cell.knee>>) => ({ ...cell, knee: { ...cell.knee!, ...change } });

test("a cell says what 99 % wait at the highest rate that holds the limit, on how many windows, and where it ends", () => {
  assert.equal(
    waitSentence(cell, limit),
    "at 9k/s 99 % wait at most 6 ms (median of 6 windows, 4.8 to 8.4 ms); beyond 9.3k/s the limit of 10 ms is not held",
  );
  assert.match(waitSentence(knee({ per_second: 6_000 }), limit), /^at 5k\/s .* beyond 6k\/s the limit of 10 ms/);
  assert.match(waitSentence(knee({ capped: true }), limit), /9\.3k\/s, the most that was tried, holds the limit/);
  assert.match(waitSentence(cell, parseLimit("p99.9<50ms")!), /the limit of 50 ms for 99\.9 % is not held$/);
});

test("one window is one window, and has no median", () => {
  const tails = cell.tails.map((row) => ({ ...row, sound: 1, p99_interval: null }));
  const text = waitSentence({ ...cell, tails }, limit);
  assert.match(text, /^at 9k\/s 99 % wait at most 6 ms \(one window\);/);
  assert.doesNotMatch(text, /median/);
});

test("what no search found is not said to hold", () => {
  const none = knee({ per_second: null, why: "no rate that was tried holds the limit" });
  assert.match(waitSentence(none, limit), /^at 5k\/s .*; no rate that was tried holds the limit of 10 ms$/);
  const open = knee({ per_second: null, why: "4 of 5 steps could not be judged" });
  assert.match(waitSentence(open, limit), /; which rate holds the limit of 10 ms is open: 4 of 5 steps/);
  assert.match(
    waitSentence({ ...cell, knee: null, capacity_per_second: null }, limit),
    /closed-loop rate could not be/,
  );
});

test("how true a schedule was is told where the generator knows, and that it does not where it does not", () => {
  const tails = cell.tails.map((row, n) => ({ ...row, on_time_share: 0.997 - n / 100 }));
  assert.match(scheduleText(tails, "h2load")!, /^97\.7 % to 99\.7 % of requests left within 1 ms of their time/);
  assert.match(scheduleText(tails, "h2load")!, /counted from its time$/);
  const untrue = tails.map((row) => ({ ...row, on_time_share: 0.3 }));
  assert.match(scheduleText(untrue, "h2load")!, /^30\.0 % of .*, so waits hold what h2load itself was late, too$/);
  assert.match(scheduleText(cell.tails, "oha")!, /^oha counts .* does not tell how late they left$/);
  assert.equal(scheduleText(tails.map((row) => ({ ...row, sound: 0 })), "h2load"), null);
});

test("rates and times have as many digits as they carry", () => {
  assert.deepEqual([500, 26_000, 31_400, 9_999, 1_200_000].map(dueText), [
    "500/s",
    "26k/s",
    "31.4k/s",
    "10k/s",
    "1.2M/s",
  ]);
  assert.deepEqual([350, 17_040, 999_900, 1_240_000, 5].map(msText), ["0.35 ms", "17 ms", "1 s", "1.2 s", "0.005 ms"]);
});
