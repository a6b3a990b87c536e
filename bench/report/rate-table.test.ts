import assert from "node:assert/strict";
import { test } from "node:test";
import { madeUpLatency, madeUpLatencyCell } from "../../tests/fixtures/made-up-latency.ts";
import type { Observation } from "../record/observation-record.ts";
import { waitClaimOf, waitSentence } from "../result/latency/wait-sentence.ts";
import { widthOf } from "./align.ts";
import { latencyText } from "./latency-table.ts";
import { latencyPage } from "../page/latency-page.ts";
import { styleFor } from "./style.ts";

const wish = { style: styleFor(false, {}), columns: 80 };
const cell = madeUpLatencyCell();
const unsound = madeUpLatencyCell({
  tails: cell.tails.map((row) => ({
    ...row,
    ...{ sound: 0, p50_us: null, p99_us: null, p99_least_us: null, p99_most_us: null, p999_us: null },
    ...{ sent_share: null, sender_p99_us: null, p99_interval: null },
    reasons: [`others used ${row.offered_per_second / 1_000} % of the servers' cores`],
  })),
  knee: null,
  capacity_per_second: null,
  connections: [],
});

test("the answer comes first, then both clocks of each rate, and the search in one line", () => {
  const lines = latencyText(madeUpLatency(cell), [], wish).split("\n");
  assert.match(lines.slice(0, 3).join(" "), /^steam at 9k\/s .* beyond 9\.3k\/s +the limit of 10 ms is not held/);
  const text = lines.join("\n");
  assert.match(text, /70 % +7\.00k +100\.0 % +533µs +1\.60ms +\[1\.28ms, 2\.24ms\] +4\.80ms +1\.12ms/);
  assert.match(text.replaceAll(/\s+/g, " "), /one search of 6 steps, 3 held it, 1 did not, 2 could not be judged/);
  assert.match(text, /h2load counts from when requests were due/);
  assert.ok(!text.includes("connections") && !text.includes("5.00k holds"));
});

test("a rate that holds its limit is told as people, with what is assumed; one that contradicts itself is not", () => {
  const text = latencyText(madeUpLatency(cell), [], wish).replaceAll(/\s+/g, " ");
  // 9 300 less 30 % is 6 510 a second; 2 visits × 1/5 × 20 requests are 8 a person in the busiest hour: 2 929 500 people.
  assert.match(
    text,
    /9\.3k\/s serve 2\.9M people a day, if each makes 2 visits of 20 requests, a fifth .* 30 % of the rate/,
  );
  const told = (change: Parameters<typeof madeUpLatencyCell>[0]) =>
    latencyText(madeUpLatency(madeUpLatencyCell(change)), [], wish);
  assert.doesNotMatch(told({ contradictions: ["its rate moved"] }), /people/);
  assert.doesNotMatch(told({ knee: { ...cell.knee!, per_second: null, why: "stopped" } }), /people/);
});

test("with all of it each step and the curve of the closed loop are told", () => {
  const text = latencyText(madeUpLatency(cell), [], { ...wish, all: true });
  assert.match(text, /5\.00k holds, 9\.70k does not, 9\.30k holds, 9\.50k not judged/);
  assert.match(text, /^connections +req\/s/m);
});

test("nothing is wider than the terminal, and no sign stands for what is not known", () => {
  const long = madeUpLatencyCell({
    name: "a name of a cell that is as long as the names of cells are where there are many axes",
  });
  const lost = Array.from({ length: 9 }, (_, n) => ({
    status: "invalid",
    marks: [{ code: "contended", effect: "voids", text: `others used ${7 + n}.5 % of the servers' cores` }],
  })) as unknown as Observation[];
  const text = latencyText(madeUpLatency(cell, unsound, long), lost, { ...wish, all: true });
  for (const line of text.split("\n")) assert.ok(widthOf(line) <= 80, `${widthOf(line)}: ${line}`);
  assert.doesNotMatch(text, /\?|there are no values|knee/);
  assert.match(
    text.replaceAll(/\s+/g, " "),
    /9 of 9 observations do not count: others used 7\.5 to 15\.5 % of the servers' cores/,
  );
});

test("a cell without a window that counts has no table, and says why once", () => {
  const sentence = waitSentence(waitClaimOf(unsound, null));
  assert.equal(sentence, "no answer: nothing was measured soundly");
  const text = latencyText(madeUpLatency({ ...unsound, sentence }), [], wish).replaceAll(/\s+/g, " ");
  assert.match(text, /^steam no answer: nothing was measured soundly/);
  assert.match(text, /18 of 18 windows do not count: others used 5 to 9 % of the servers' cores/);
  assert.ok(!text.includes("–"));
});

test("what is said between cells is what the record says, and nothing of one cell", () => {
  const between = { per_second: 700, none: null, pairs: [], sentences: ["at 700/s steam waits less than wind: so"] };
  const record = { ...madeUpLatency(cell, { ...cell, name: "wind" }), between };
  assert.match(latencyText(record, [], wish), /^at 700\/s steam waits less than wind: so$/m);
  assert.doesNotMatch(latencyText(madeUpLatency(cell), [], wish), /waits less|compared|difference/);
  assert.match(latencyPage(record), / At 700\/s steam waits less than wind: so\.</);
});
