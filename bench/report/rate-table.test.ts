import assert from "node:assert/strict";
import { test } from "node:test";
import { KNEE, makeRatedRun, type RateRunOptions } from "../../tests/fixtures/rate-run.ts";
import { mark } from "../record/mark.ts";
import { widthOf } from "./align.ts";
import { resultsText } from "./results-text.ts";
import { styleFor } from "./style.ts";

const options = { style: styleFor(false, {}), columns: 80 };

function textOf(change: Partial<RateRunOptions> = {}, more: { readonly all?: boolean } = {}): string {
  const { run, lines, cards, summary } = makeRatedRun(change);
  return resultsText(run, summary, cards, lines, { ...options, ...more });
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ");

/** No closed loop and no window counts. */
const disturbed: RateRunOptions["change"] = (line) => ({
  ...line,
  marks: [mark("generator-failed", `others used ${10 + line.round}.5 % of the servers' cores`)],
  windows: line.windows!.map((window) => ({
    ...window,
    marks: [mark("generator-failed", "h2load could not be started")],
  })),
});

test("the answer comes first, then the closed loop and both clocks of each rate, and the search in one line", () => {
  const text = textOf();
  const lines = text.split("\n");
  assert.match(
    oneLine(lines.slice(0, 3).join(" ")),
    /^bun\/map\/10k at 7k\/s .* beyond [\d.]+k\/s the limit of 10 ms is not held/,
  );
  assert.match(text, /^at +req\/s +answered +p50 +p99 +95 % of it +p99\.9 +p99 when sent$/m);
  assert.match(text, /^closed +[\d.]+k +– +– +– +– +– +[\d.]+ms$/m);
  assert.match(text, /^50 % +[45]\.\d+k +100\.0 % +500µs +1\.00ms +\[1\.00ms, 1\.00ms\] +2\.00ms +500µs$/m);
  assert.match(text, /^given +7\.00k +100\.0 % /m);
  assert.match(oneLine(text), /one search of \d+ steps, \d+ held it, \d+ did not/);
  assert.match(oneLine(text), /97\.0 % of requests left within 1 ms of their time/);
  assert.ok(!text.includes("k holds") && !text.includes("CPU/req"));
});

test("a run of messages is told in messages", () => {
  const { run, lines, cards, summary } = makeRatedRun();
  const ofMessages = { ...run, plan: { ...run.plan, unit: "message" } };
  assert.match(resultsText(ofMessages, summary, cards, lines, options), /^at +messages\/s +answered /m);
});

test("what was due and never sent has a column where there is any, and the windows lost are told with why", () => {
  const text = textOf({ answered: (perSecond) => perSecond > 8_500 ? 0.9 : 1 });
  assert.match(text, /^at +req\/s +answered +never sent /m);
  assert.match(text, /^90 % +[\d.]+k +90\.0 % +7 +– +– /m);
  assert.match(
    oneLine(text),
    /6 of 18 windows do not count: only 90\.0 % of the .* req\/s that were due were answered/,
  );
});

test("a rate that holds its limit is told as people, with what is assumed; one that contradicts itself is not", () => {
  const text = oneLine(textOf());
  assert.match(
    text,
    /k\/s serve 2\.[45]M people a day, if each makes 2 visits of 20 requests, a fifth .* 30 % of the rate/,
  );
  const contradicted = textOf({ p99Us: () => 1_000 });
  assert.match(
    oneLine(contradicted),
    /contradicts itself, so no rate is known that holds: in the search it answered 1[12]\.\d+k/,
  );
  assert.doesNotMatch(contradicted, /people/);
  assert.doesNotMatch(textOf({ p99Us: () => 1e6 }), /people/);
});

test("bench run --rate has the same table, without a search", () => {
  const text = textOf({ limit: null, rates: [1_000, 5_000] });
  assert.match(text, /^given +1\.00k /m);
  assert.doesNotMatch(text, /search|limit|people/);
});

test("with all of it each step and the cost of a request are told", () => {
  const text = textOf({}, { all: true });
  assert.match(oneLine(text), /[45]\.\d+k holds, 6\.2\dk holds, 7\.\d+k holds, 9\.\d+k does not/);
  assert.match(text, /CPU\/req/);
});

test("nothing is wider than the terminal, and no sign stands for what is not known", () => {
  for (const change of [{}, { change: disturbed }, { runtimes: ["bun", "node"], rounds: 2 }]) {
    const text = textOf(change, { all: true });
    for (const line of text.split("\n")) assert.ok(widthOf(line) <= 80, `${widthOf(line)}: ${line}`);
    assert.doesNotMatch(text, /\?|there are no values|NaN|undefined/);
  }
});

test("a server without a window that counts says why, once for each kind of reason", () => {
  const text = oneLine(textOf({ change: disturbed }));
  assert.match(text, /^bun\/map\/10k no answer: nothing was measured soundly/);
  assert.match(text, /7 of 7 closed loops do not count: others used .* of the servers' cores/);
  assert.match(text, /18 of 18 windows do not count: h2load could not be started/);
});

test("fewer than six windows have no interval, and it says how many are needed", () => {
  const text = oneLine(textOf({ rounds: 3 }));
  assert.match(text, /a 95 % interval needs 6 windows that count: --rounds 6/);
  assert.doesNotMatch(text, /\[1\.00ms/);
});

test("what is said between servers is said once, and nothing of one server", () => {
  const p99Us: RateRunOptions["p99Us"] = (perSecond, runtime) =>
    perSecond > KNEE ? 50_000 : runtime === "bun" ? 700 : 7_000;
  const text = textOf({ runtimes: ["bun", "node"], p99Us });
  assert.equal(oneLine(text).split("waits less than").length, 2);
  assert.match(text, /^At [\d.]+k\/s: p99 bun 0\.7 ms, node 7 ms, node 10\.0 × bun \[/m);
  assert.doesNotMatch(textOf(), /waits less|compared|difference/);
});

test("where half of the windows met a halt, a line says how many and the longest wait", () => {
  const halting = (usual: number) =>
    textOf({ limit: null, rates: [1_000], p99Us: (_, __, round) => round % 2 === 0 ? usual : 300_000 });
  assert.match(oneLine(halting(10_000)), / at 1k\/s 3 of 6 windows were slow, the longest wait 600 ms/);
  // The longest wait of a short one is the generator's own.
  assert.match(oneLine(halting(1_000)), / at 1k\/s 3 of 6 windows were slow(?!,)/);
  assert.doesNotMatch(textOf(), /slow/);
});
