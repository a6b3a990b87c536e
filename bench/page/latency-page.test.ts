import assert from "node:assert/strict";
import { Script } from "node:vm";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { hostileLatency, madeUpLatency, madeUpLatencyCell } from "../../tests/fixtures/made-up-latency.ts";
import { noSentence } from "../result/latency/contradictions.ts";
import { chartMarkdown } from "./chart-figure.ts";
import { latencyCharts } from "./latency-charts.ts";
import { latencyPage } from "./latency-page.ts";
import { linkScript } from "./link-script.ts";

const withoutScripts = (page: string) =>
  page.replace(/<script[\s\S]*?<\/script>/g, "").replace(/<style>[\s\S]*?<\/style>/g, "");

test("every point of the curve stands in the page with its evidence, also without scripts", () => {
  const shown = withoutScripts(latencyPage(madeUpLatency(madeUpLatencyCell())));
  assert.match(shown, /beyond 9\.3k\/s the limit of 10 ms is not held/);
  for (const name of ["50 %", "70 %", "90 %", "step 1 (up)", "step 2 (up)", "step 3 (bisect)", "step 6 (confirm)"]) {
    assert.ok(shown.includes(`<th scope="row">${name}</th>`), name);
  }
  assert.ok(shown.includes("<td>720µs to 1.26ms</td>") && shown.includes("<td>630µs</td>"), "interval and both clocks");
  assert.ok(
    shown.includes("<td>does not</td>") && shown.includes("<td>not judged</td>") && shown.includes("<td>7</td>"),
  );
  assert.match(shown, /a 95 % interval of a median needs 6 windows that count: --rounds 6</);
  assert.doesNotMatch(shown, /\b(src|srcset|href)="(?!#|data:,")/);
  assert.match(shown, /default-src &#39;none&#39;/);
});

test("a record that contradicts itself says so before any figure, and holds nothing", () => {
  const against = "over 50 connections it did 18.0k req/s, 80 % above the 10.0k of a closed loop over all before";
  const cell = madeUpLatencyCell({ contradictions: [against], sentence: noSentence([against]) });
  const shown = withoutScripts(latencyPage(madeUpLatency(cell)));
  assert.ok(shown.indexOf("18.0k req/s, 80 % above") < shown.indexOf("<figure"));
  assert.match(shown, /contradicts itself, so no rate is known that holds/);
  assert.doesNotMatch(shown, /beyond 9\.3k/);
});

test("no text of a record becomes markup or ends the page's data", () => {
  const hostile = `</script><img src=x onerror="alert('1')">`;
  const cell = madeUpLatencyCell({ name: hostile, sentence: hostile });
  const page = latencyPage(hostileLatency(hostile, cell));
  assert.ok(!page.includes("<img"));
  assert.ok(withoutScripts(page).includes("&lt;/script&gt;&lt;img"));
});

test("a chart is copied as Markdown with its figures, and the script that draws is one that parses", () => {
  const [waits] = latencyCharts({ name: "latency-1", limit: null, cells: [madeUpLatencyCell()] }, 0);
  const text = chartMarkdown(waits!);
  assert.match(text, /how long does somebody wait as the rate grows\?/);
  assert.equal(text.split("\n").filter((line) => /^\| step/.test(line)).length, 5);
  new Script(linkScript(fileURLToPath(new URL("latency-app.ts", import.meta.url))));
});
