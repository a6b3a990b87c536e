import assert from "node:assert/strict";
import { test } from "node:test";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { makeRatedRun, makeRateRun, type RateRunOptions } from "../../tests/fixtures/rate-run.ts";
import { mark } from "../record/mark.ts";
import { htmlOf } from "./drawn.ts";
import { markupText } from "./html.ts";
import { makePage } from "./make-page.ts";
import { rateCharts } from "./rate-charts.ts";
import { pageData } from "./shown-run.ts";

const FAILED = mark("generator-failed", "h2load could not be started");

const withoutScripts = (page: string) =>
  page.replace(/<script[\s\S]*?<\/script>/g, "").replace(/<style>[\s\S]*?<\/style>/g, "");
const pageOf = (change: Partial<RateRunOptions> = {}) =>
  withoutScripts(makePage(pageData([filesOf(makeRateRun(change))])));
const ratedOf = (change: Partial<RateRunOptions> = {}) => {
  const { run, summary, cards } = makeRatedRun(change);
  return { run, summary, cells: cards };
};

test("every point of the curve stands in the run's page with its evidence, also without scripts", () => {
  const shown = pageOf();
  assert.match(shown, /beyond [\d.]+k\/s the limit of 10 ms is not held/);
  for (const name of ["50%", "90%", "7000", "step 1 (up)", "step 5 (bisect)"]) {
    assert.ok(shown.includes(`<th scope="row">${name}</th>`), name);
  }
  assert.ok(
    shown.includes("<td>1.00ms to 1.00ms</td>") && shown.includes("<td>500µs</td>"),
    "interval and both clocks",
  );
  assert.ok(shown.includes("<td>does not</td>") && shown.includes("<td>holds</td>"));
  assert.match(shown, /97\.0 % of requests left within 1 ms of their time/);
  assert.match(pageOf({ rounds: 3 }), /a 95 % interval needs 6 windows that count: --rounds 6</);
  assert.ok(shown.includes('id="chart-waits-0"'));
});

test("a run of bench run --rate has the same chart", () => {
  const shown = pageOf({ limit: null, rates: [1_000, 5_000] });
  assert.ok(shown.includes('id="chart-waits-0"'));
  assert.doesNotMatch(shown, /the limit, p99|knee/);
});

test("a server whose rates contradict each other says so before any figure, and holds nothing", () => {
  const shown = pageOf({ p99Us: () => 1_000 });
  assert.ok(shown.indexOf("in the search it answered") < shown.indexOf("<figure"));
  assert.match(shown, /contradicts itself, so no rate is known that holds/);
  assert.doesNotMatch(shown, /is not held/);
});

test("a chart asks one question and has a row for each step", () => {
  const [waits, ...others] = rateCharts(ratedOf());
  assert.deepEqual([waits!.id, others.length], ["waits-0", 0]);
  assert.match(waits!.title, /how long does a user wait as the rate grows\?/);
  assert.ok(waits!.table().rows.filter(([name]) => name!.startsWith("step")).length >= 6);
});

/** The chart of a run's only server, drawn. */
const drawingOf = (change: Partial<RateRunOptions> = {}) =>
  markupText(htmlOf(rateCharts(ratedOf(change))[0]!.draw(860)!));

test("the chart has a point for each rate that was judged, with its evidence, the limit and the knee", () => {
  const svg = drawingOf();
  const titles = [...svg.matchAll(/<title>([^<]*)</g)].map(([, text]) => text!);
  assert.ok(titles.length >= 9, titles.join());
  assert.ok(
    titles.some((text) => /^step 4 \(up\): 9\.7\dk req\/s, 50\.0ms, 100\.0 % answered/.test(text)),
    titles.join("\n"),
  );
  assert.ok(titles.some((text) => /^90%: [\d.]+k req\/s, p99 50\.0ms, 100\.0 % answered, 6 of 6 windows/.test(text)));
  for (const word of ["p99&lt;10ms", "knee", "closed loop"]) assert.ok(svg.includes(`>${word}<`), word);
});

test("a server of which nothing is known has a chart that says so, and no line", () => {
  const svg = drawingOf({
    limit: null,
    change: (line) => ({
      ...line,
      windows: line.windows!.map((window) => ({ ...window, load: null, latency: null, marks: [FAILED] })),
    }),
  });
  assert.match(svg, /No point has a figure that counts/);
  assert.ok(!svg.includes("<title") && !svg.includes("NaN") && !svg.includes("Infinity"));
});
