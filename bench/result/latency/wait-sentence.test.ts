import assert from "node:assert/strict";
import { test } from "node:test";
import { madeUpLatencyCell } from "../../../tests/fixtures/made-up-latency.ts";
import { createRandom } from "../../basics/random.ts";
import { parseLimit } from "../../basics/units.ts";
import { asSearched, type kneeStepOf } from "../../plan/knee-step.ts";
import { searchKnee } from "../../plan/knee.ts";
import { waitClaim } from "../../record/latency-cell.ts";
import { kneeOf } from "./rows.ts";
import { dueText, msText, scheduleText, waitClaimOf, waitSentence } from "./wait-sentence.ts";

const limit = parseLimit("p99<10ms")!;
const sentenceOf = (...found: Parameters<typeof waitClaimOf>) => waitSentence(waitClaimOf(...found));
const cell = madeUpLatencyCell();
const knee = (change: Partial<NonNullable<typeof cell.knee>>) => ({ ...cell, knee: { ...cell.knee!, ...change } });

test("a cell says what 99 % wait at the highest rate that holds the limit, on how many windows, and where it ends", () => {
  assert.equal(
    sentenceOf(cell, limit),
    "at 9k/s 99 % wait at most 6 ms (median of 6 windows, 4.8 to 8.4 ms); beyond 9.3k/s the limit of 10 ms is not held",
  );
  assert.match(sentenceOf(knee({ per_second: 6_000 }), limit), /^at 5k\/s .* beyond 6k\/s the limit of 10 ms/);
  assert.match(sentenceOf(knee({ capped: true }), limit), /9\.3k\/s, the most that was tried, holds the limit/);
  assert.match(sentenceOf(cell, parseLimit("p99.9<50ms")!), /the limit of 50 ms for 99\.9 % is not held$/);
});

test("one window is one window, and has no median", () => {
  const tails = cell.tails.map((row) => ({ ...row, sound: 1, p99_interval: null }));
  const text = sentenceOf({ ...cell, tails }, limit);
  assert.match(text, /^at 9k\/s 99 % wait at most 6 ms \(one window\);/);
  assert.doesNotMatch(text, /median/);
});

test("what no search found is not said to hold", () => {
  const none = knee({ per_second: null, why: null });
  assert.match(sentenceOf(none, limit), /^at 5k\/s .*; no rate that was tried holds the limit of 10 ms$/);
  const open = knee({ per_second: null, why: "4 of 5 steps could not be judged" });
  assert.match(sentenceOf(open, limit), /; which rate holds the limit of 10 ms is open: 4 of 5 steps/);
  assert.match(
    sentenceOf({ ...cell, knee: null, capacity_per_second: null }, limit),
    /closed-loop rate could not be/,
  );
});

test("no sentence tells a wait or a rate without the windows that carry it", () => {
  const random = createRandom(20_261_126);
  const below = (most: number) => Math.floor(most * random());
  const kinds = new Set<string>();
  for (let n = 0; n < 2_000; n++) {
    const tails = cell.tails.slice(below(4)).map((row) => {
      const sound = below(7);
      return sound > 0 ? { ...row, sound } : { ...row, sound, p99_us: null, p99_least_us: null, p99_most_us: null };
    });
    const steps: ReturnType<typeof kneeStepOf>[] = [];
    const edge = 13_000 * random();
    for (let end = searchKnee([], 10_000); end.kind === "try" && random() > 0.02;) {
      const holds = random() < 0.05 ? null : random() < 0.05 ? random() < 0.5 : end.perSecond < edge;
      steps.push({ per_second: end.perSecond, why: end.why, holds, sent_share: 1, dropped: 0, us: 1, reasons: [] });
      end = searchKnee(asSearched(steps), 10_000);
    }
    const capacity = random() < 0.1 ? null : 10_000;
    const found = { tails, capacity_per_second: capacity, knee: capacity === null ? null : kneeOf(steps, capacity) };
    const claim = waitClaim.parse(waitClaimOf(found, limit));
    const { waits, holds, none } = claim;
    const text = waitSentence(claim);
    assert.equal(text.includes("99 % wait at most"), waits !== null, text);
    if (waits !== null) {
      const row = tails.find(({ name }) => name === waits.rate)!;
      assert.deepEqual([waits.windows, waits.p99_us], [row.sound, row.p99_us]);
      assert.ok(text.includes(waits.windows === 1 ? "(one window)" : `(median of ${waits.windows} windows, `), text);
    }
    const beyond = text.includes("beyond "), capped = text.includes("the most that was tried");
    if (beyond || capped) assert.ok(holds!.held >= 3 && holds!.failed > 0 === beyond, text);
    else if (holds === null) assert.ok(none !== null && text.endsWith(none), text);
    else assert.deepEqual([holds.per_second, holds.why !== null], [null, text.includes(" is open: ")], text);
    kinds.add(
      beyond ? "beyond" : capped ? "capped" : holds === null ? "none" : text.includes("no rate") ? "no" : "open",
    );
  }
  assert.equal(kinds.size, 5, [...kinds].join());
});

test("how true a schedule was is told where the generator knows, and that it does not where it does not", () => {
  const tails = cell.tails.map((row, n) => ({ ...row, on_time_share: 0.997 - n / 100 }));
  assert.match(scheduleText(tails, "h2load")!, /^97\.7 % to 99\.7 % of requests left within 1 ms of their time/);
  assert.match(scheduleText(tails, "h2load")!, /counted from its time$/);
  const untrue = tails.map((row) => ({ ...row, on_time_share: 0.3 }));
  assert.match(scheduleText(untrue, "h2load")!, /^30\.0 % of .*, so waits hold what h2load itself was late, too$/);
  assert.match(scheduleText(cell.tails, "k6")!, /^k6 counts .* does not tell how late they left$/);
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
