import assert from "node:assert/strict";
import { test } from "node:test";
import { CARDS, KNEE, madeUpCard } from "../../../tests/fixtures/made-up-rates.ts";
import type { CellCard } from "../../record/card.ts";
import { createRandom } from "../../basics/random.ts";
import { kneeOf, type KneeStep, searchKnee } from "../../plan/knee.ts";
import { mark } from "../../record/mark.ts";
import { dueText, msText, scheduleText, waitSentence, windowsText } from "./wait-sentence.ts";

type Figures = Parameters<typeof waitSentence>[0];

const limit = "p99<10ms";
const sentenceOf = (figures: Omit<Figures, "limit">, limit: string | null) =>
  waitSentence({ ...figures, limit: limit });
const cell = { capacity_per_second: 10_000, knee: KNEE, cards: CARDS };
const knee = (change: Partial<typeof KNEE>) => ({ ...cell, knee: { ...KNEE, ...change } });

test("a cell says what 99 % wait at the highest rate that holds the limit, on how many windows, and where it ends", () => {
  assert.equal(
    sentenceOf(cell, limit),
    "at 9k/s 99 % wait at most 6 ms (of all in 6 windows, 4.8 to 8.4 ms); beyond 9.3k/s the limit of 10 ms is not held",
  );
  assert.match(sentenceOf(knee({ per_second: 6_000 }), limit), /^at 5k\/s .* beyond 6k\/s the limit of 10 ms/);
  assert.match(sentenceOf(knee({ capped: true }), limit), /9\.3k\/s, the most that was tried, holds the limit/);
  assert.match(sentenceOf(cell, "p99.9<50ms"), /the limit of 50 ms for 99\.9 % is not held$/);
});

test("one window is one window, and has no median", () => {
  const text = sentenceOf({ ...cell, cards: [madeUpCard("90%", 9_000, 6_000, 1)] }, limit);
  assert.match(text, /^at 9k\/s 99 % wait at most 6 ms \(one window\);/);
  assert.doesNotMatch(text, /median/);
});

test("what no search found is not said to hold", () => {
  const none = knee({ per_second: null, open: null });
  assert.match(sentenceOf(none, limit), /^at 5k\/s .*; no rate that was tried holds the limit of 10 ms$/);
  const open = knee({ per_second: null, open: mark("knee-open", "4 of 5 steps could not be judged") });
  assert.match(sentenceOf(open, limit), /; which rate holds the limit of 10 ms is open: 4 of 5 steps/);
  assert.match(sentenceOf({ ...cell, knee: null, capacity_per_second: null }, limit), /closed-loop rate could not be/);
});

test("a server whose rates contradict each other holds nothing, and without a search its sentence ends at the wait", () => {
  const contradiction = mark("rates-contradict", "its closed-loop rate was 1k to 2k req/s in 2 servers");
  assert.equal(
    sentenceOf({ ...cell, contradiction }, limit),
    "contradicts itself, so no rate is known that holds: its closed-loop rate was 1k to 2k req/s in 2 servers",
  );
  const halting = {
    ...madeUpCard("200", 200, 271_000),
    cell: { point: { suite: "mills", at: { rate: 200 } }, label: "" },
  };
  const none = { ...KNEE, per_second: null };
  assert.match(
    sentenceOf({ ...cell, cards: [halting, ...CARDS], knee: none, contradiction }, limit),
    /^at 200\/s 99 % wait at most 280 ms .*; no rate that was tried holds the limit of 10 ms; shares of .*: its closed/,
  );
  const given = { ...cell, knee: null };
  assert.match(
    sentenceOf(given, null),
    /^at 5k\/s 99 % wait at most 0\.9 ms \(of all in 6 windows, [\d.]+ to [\d.]+ ms\)$/,
  );
  const lost = { ...given, cards: [madeUpCard("90%", 9_000, 6_000, 0)] };
  assert.equal(sentenceOf(lost, null), "no answer: no rate was kept");
  const { open_loop, ...rest } = CARDS[0]!;
  const { due: _, ...clocks } = open_loop!.by_clock;
  const untold = { p50: null, p90: null, p99: null, p999: null, max: null };
  const bySender = { ...rest, open_loop: { ...open_loop!, by_clock: { ...clocks, due: untold, late: untold } } };
  assert.match(
    sentenceOf({ ...given, cards: [bySender] }, null),
    /^no answer: this generator counts from when it sent/,
  );
  // Its waits are withheld: the generator was late itself.
  const late = { ...bySender, open_loop: { ...bySender.open_loop, by_clock: { ...clocks, due: untold } } };
  assert.match(
    sentenceOf({ ...given, cards: [late] }, null),
    /^no wait is known at 5k\/s: the load generator itself sent late/,
  );
  assert.match(
    sentenceOf({ ...cell, cards: [late] }, limit),
    /held; no wait is known at 5k\/s: .*repeat it on a quieter machine$/,
  );
});

test("no sentence tells a wait or a rate without the windows that carry it", () => {
  const random = createRandom(20_261_126);
  const below = (most: number) => Math.floor(most * random());
  const kinds = new Set<string>();
  for (let n = 0; n < 2_000; n++) {
    const rates = [["50%", 5_000, 900], ["70%", 7_000, 1_600], ["90%", 9_000, 6_000]] as const;
    const cards = rates.slice(below(4)).map(([rate, perSecond, us]) => madeUpCard(rate, perSecond, us, below(7)));
    const steps: KneeStep[] = [];
    const edge = 13_000 * random();
    for (let end = searchKnee([], 10_000); end.kind === "try" && random() > 0.02;) {
      const holds = random() < 0.05 ? null : random() < 0.05 ? random() < 0.5 : end.perSecond < edge;
      steps.push({ per_second: end.perSecond, why: end.why, holds, sent_share: 1, dropped: 0, us: 1, marks: [] });
      end = searchKnee(steps, 10_000);
    }
    const capacity = random() < 0.1 ? null : 10_000;
    const knee = capacity === null ? null : kneeOf(steps, capacity);
    const text = sentenceOf({ cards, capacity_per_second: capacity, knee }, limit);
    const sound = cards.filter(({ observations_ok: ok }) => ok > 0);
    assert.equal(text.includes("99 % wait at most"), sound.length > 0, text);
    if (sound.length > 0) {
      const card = sound.find(({ open_loop }) => text.startsWith(`at ${dueText(open_loop!.offered_per_second)} `))!;
      const windows = card.observations_ok;
      assert.ok(text.includes(windows === 1 ? "(one window)" : `(of all in ${windows} windows, `), text);
      const us = card.open_loop!.by_clock.due.p99!.us;
      assert.ok(text.includes(` 99 % wait at most ${msText(us)} (`), text);
    }
    const beyond = text.includes("beyond "), capped = text.includes("the most that was tried");
    if (beyond || capped) {
      const held = steps.filter((step) => step.holds && step.per_second === knee!.per_second);
      const failed = steps.filter((step) => step.holds === false && step.per_second > knee!.per_second!);
      assert.ok(held.length >= 3 && failed.length > 0 === beyond, text);
    } else if (knee === null) {
      assert.match(text, /no answer: nothing was|no limit was looked for: its closed-loop rate/);
    } else assert.deepEqual([knee.per_second, knee.open !== null], [null, text.includes(" is open: ")], text);
    kinds.add(
      beyond ? "beyond" : capped ? "capped" : knee === null ? "none" : text.includes("no rate") ? "no" : "open",
    );
  }
  assert.equal(kinds.size, 5, [...kinds].join());
});

test("how true a schedule was is told where the generator knows, and that it does not where it does not", () => {
  const told = (share: number | null, n = 0): CellCard => {
    const { open_loop, ...card } = CARDS[n]!;
    return { ...card, open_loop: { ...open_loop!, on_time_share: share } };
  };
  const cards = [0, 1, 2].map((n) => told(0.997 - n / 100, n));
  assert.match(scheduleText(cards, "h2load")!, /^97\.7 % to 99\.7 % of requests left within 1 ms of their time/);
  assert.match(scheduleText(cards, "h2load")!, /counted from its time$/);
  assert.match(scheduleText([told(null)], "k7")!, /^k7 counts .* does not report how late they left$/);
  const bySender = told(null);
  const none = { p50: null, p90: null, p99: null, p999: null, max: null };
  bySender.open_loop!.by_clock = { ...bySender.open_loop!.by_clock, due: none, late: none };
  assert.match(scheduleText([bySender], "k6")!, /^k6 counts from when it sent a request/);
  assert.equal(scheduleText([madeUpCard("50%", 5_000, 900, 0)], "h2load"), null);
});

test("rates and times have as many digits as they carry", () => {
  assert.deepEqual([500, 26_000, 31_400, 9_999, 1_200_000].map(dueText), "500/s 26k/s 31.4k/s 10k/s 1.2M/s".split(" "));
  assert.deepEqual([350, 17_040, 999_900, 1_240_000, 5].map(msText), ["0.35 ms", "17 ms", "1 s", "1.2 s", "0.005 ms"]);
});

test("windows at rates say how long they are, and whether their gaps are equal or random", () => {
  const planOf = (duration_ms: number, values: readonly (number | string)[]) => ({
    ...{ duration_ms, rounds: 4 },
    axes: [{ name: "rate", values: values.map((value) => ({ value, text: `${value}`, facts: {} })) }],
  });
  const said = (ms: number, rates: readonly (number | string)[], schedule: "fixed" | "poisson" = "fixed") =>
    windowsText(planOf(ms, rates) as never, { axis: "rate", generator: "ontime", limit: null, schedule });
  assert.equal(said(3_000, ["closed", 20_000, "50%"]), "windows of 3 s, equal gaps");
  assert.equal(said(2_000, [20, 20_000]), "windows of 2 to 60 s, equal gaps");
  assert.equal(said(500, [20_000, "50%"], "poisson"), "windows of 0.5 to 1 s, random gaps (a Poisson schedule)");
});
