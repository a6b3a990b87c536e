import assert from "node:assert/strict";
import { test } from "node:test";
import { CAPACITY, KNEE, makeRatedRun, makeRateRun } from "../../../tests/fixtures/rate-run.ts";
import { mark } from "../../record/mark.ts";
import { nextRateWindow, type RateAxis } from "../../plan/rate-windows.ts";
import { publish } from "../published.ts";
import { summaryOf } from "../summary-of.ts";

test("each round at rates has every rate, in an order of its own; the last searches", () => {
  const { lines } = makeRateRun();
  const orders = lines.slice(0, 6).map(({ windows }) => windows!.map(({ at }) => String(at["rate"])));
  for (const order of orders) assert.deepEqual(order.toSorted(), ["50%", "7000", "90%"]);
  assert.ok(new Set(orders.map((order) => order.join())).size > 1);
  assert.ok(lines[6]!.windows!.every(({ at }) => "knee" in at));
  assert.equal(lines.length, 7);
  for (const { windows } of lines) {
    assert.equal(new Set(windows!.map(({ at }) => JSON.stringify(at))).size, windows!.length);
  }
});

test("without a limit every round is at rates, as a plan of bench run --rate has it", () => {
  const { run, lines, summary } = makeRatedRun({ limit: null, rates: [1_000, 5_000] });
  assert.equal(run.plan.rounds, 6);
  for (const { windows } of lines) assert.deepEqual(windows!.map(({ at }) => at["rate"]).toSorted(), [1_000, 5_000]);
  const [cell] = summary.latency!;
  assert.equal(cell!.knee, null);
  assert.match(cell!.sentence, /^at 1k\/s 99 % wait at most 1 ms \(of all in 6 windows, 1 ms\)$/);
});

test("a window at a rate is an observation of the cell at that rate, with a card of its own", () => {
  const { cards, summary } = makeRatedRun();
  assert.deepEqual(cards.map(({ name }) => name), [
    "bun/map/10k/closed",
    "bun/map/10k/50%",
    "bun/map/10k/90%",
    "bun/map/10k/7k",
  ]);
  const [closed, half, most, given] = cards;
  assert.deepEqual(cards.map(({ observations, observations_ok }) => [observations, observations_ok]), [
    [7, 7],
    [6, 6],
    [6, 6],
    [6, 6],
  ]);
  assert.equal(closed!.open_loop, undefined);
  assert.deepEqual([half, most, given].map((card) => Math.round(card!.open_loop!.offered_per_second / 1_000)), [
    5,
    9,
    7,
  ]);
  assert.deepEqual([half, most, given].map((card) => card!.p99_us), [1_000, 50_000, 1_000]);
  assert.deepEqual([half, most, given].map((card) => card!.open_loop!.by_clock.sent.p99!.us), [500, 25_000, 500]);
  assert.ok(summary.cells.slice(1).every(({ marks, steadiness }) => marks.length === 0 && steadiness === "unknown"));
  assert.deepEqual([summary.families, summary.questions], [[], []]);
});

test("a rate that is not kept voids its own observations alone, a wrong answer those of all rates", () => {
  const short = makeRatedRun({ answered: (perSecond) => perSecond > 8_500 ? 0.9 : 1 });
  const counts = ({ cards }: ReturnType<typeof makeRatedRun>) => cards.map(({ observations_ok }) => observations_ok);
  assert.deepEqual(counts(short), [7, 6, 0, 6]);
  assert.match(short.cards[2]!.marks[0]!.text, /^only 90\.0 % of the .* req\/s that were due were answered/);
  const wrong = makeRatedRun({
    change: (line) => line.round === 0 ? { ...line, marks: [mark("wrong-answer", "it is wrong")] } : line,
  });
  assert.deepEqual(counts(wrong), [6, 5, 5, 5]);
  const busy = makeRatedRun({
    change: (line) =>
      line.round > 0
        ? line
        : { ...line, counters: { ...line.counters!, server_foreign_share: 0.3, foreign_share: 0.3 } },
  });
  assert.deepEqual(counts(busy), [6, 6, 6, 6]);
});

test("from the lines alone follow the knee and what the server holds", () => {
  const { summary } = makeRatedRun();
  const [cell, ...others] = summary.latency!;
  assert.deepEqual(others, []);
  assert.deepEqual([cell!.name, cell!.closed, cell!.at_rates.length], ["bun/map/10k", "bun/map/10k/closed", 3]);
  const { per_second, share_of_capacity } = cell!.knee!;
  assert.ok(per_second! <= KNEE && per_second! > 0.96 * KNEE, String(per_second));
  assert.equal(share_of_capacity!.toFixed(6), (per_second! / cell!.capacity_per_second!).toFixed(6));
  assert.ok(Math.abs(cell!.capacity_per_second! / CAPACITY - 1) < 0.03);
  assert.match(
    cell!.sentence,
    /^at 7k\/s 99 % wait at most 1 ms \(of all in 6 windows, 1 ms\); beyond [\d.]+k\/s the limit of 10 ms is not held$/,
  );
  assert.equal(summary.answer.sentence, `bun/map/10k ${cell!.sentence}.`);
  assert.equal(summary.answer.none, null);
});

test("without a sound closed loop no knee is looked for, and a stopped search says so", () => {
  const { run, lines } = makeRateRun();
  const bad = lines.map((line) => ({ ...line, status: "invalid" as const, marks: [mark("timeouts", "it was late")] }));
  assert.equal(summaryOf(run, bad).latency![0]!.knee, null);
  const axis = run.plan.further as RateAxis;
  const known = { closedRate: 1, capacity: null, windows: [] };
  assert.equal(nextRateWindow(run.plan, axis, { round: 6, draw_seed: 1 }, known), null);
  assert.equal(summaryOf(run, lines.slice(0, 6)).latency![0]!.knee!.open!.text, "the search was stopped");
});

test("a closed loop whose later windows contradict it is marked, says nothing of what it holds, and is not compared", () => {
  const { summary } = makeRatedRun({ runtimes: ["bun", "node"], p99Us: () => 1_000 });
  const [cell] = summary.latency!;
  const marks = summary.cells.find(({ name }) => name === cell!.closed)!.marks;
  assert.ok(marks.some(({ code, effect }) => code === "rates-contradict" && effect === "withholds"));
  assert.match(
    cell!.sentence,
    /^contradicts itself, so no rate is known that holds: in the search it answered 1[12]\.\d+k req/,
  );
  assert.match(
    summary.open_loop!.sentences[0]!,
    /^bun and node: void: rates of bun contradict each other at all 3 rates$/,
  );
});

test("a run without the axis says nothing of rates", () => {
  const { run, lines } = makeRateRun();
  const { further: _, ...plan } = run.plan;
  const { summary } = publish({ ...run, plan }, lines);
  assert.deepEqual([summary.latency, summary.open_loop], [undefined, undefined]);
});
