import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { EXPORTS } from "../exports/registry.ts";
import { chartsOf } from "../page/charts.ts";
import { cellDetail } from "../page/cell-detail.ts";
import { cellsTable } from "../page/cells-table.ts";
import { type Html, markupText } from "../page/html.ts";
import { outcomeText } from "./progress.ts";
import { resultsText } from "./results-text.ts";
import { styleFor } from "./style.ts";
import { inWords } from "../record/in-words.ts";

const calls = { generator: "in-process" };

test("labels of a run of functions speak of calls, with other words left alone", () => {
  const labels = [
    "req/s",
    "CPU/req",
    "CPU time per request",
    "Requests a second",
    "a request's",
    "requests_per_second",
  ];
  assert.deepEqual(labels.map((label) => inWords(calls, label)), [
    ...["calls/s", "CPU/call", "CPU time per call", "Calls a second", "a call's", "calls_per_second"],
  ]);
  assert.deepEqual(labels.slice(0, 4).map((label) => inWords({ ...calls, unit: "start" }, label)), [
    ...["starts/s", "CPU/start", "CPU time per start", "Starts a second"],
  ]);
  assert.deepEqual(labels.map((label) => inWords({ generator: "wrk" }, label)), labels);
  assert.equal(inWords(calls, "required, requested, unrequest"), "required, requested, unrequest");
});

/** The words of markup, without its tags. */
const textOf = (html: Html) => markupText(html).replaceAll(/<[^>]*>/g, " ");

test("nowhere is a call told as a request: in the terminal, in exports, on the page", () => {
  const made = makeFixture({ stores: ["map", "sqlite"], sizes: [10_000] });
  const files = filesOf(made);
  const untimed = files.cells.map((card) => ({ ...card, p50_us: null, p90_us: null, p99_us: null, max_us: null }));
  const reported = (generator: string) => {
    const run = { ...files.run, plan: { ...files.run.plan, generator } };
    // Where nothing is sent there is no ceiling.
    const shown = { ...files, run, cells: untimed, summary: { ...files.summary, ceilings: [] } };
    const { summary, cells } = shown;
    const names = cells.map(({ name }, n) => [name, `cell-${n}`] as const);
    const options = { style: styleFor(false, {}), columns: 200, all: true };
    const charts = chartsOf({ ...shown, solos: new Map(), link: null });
    return [
      resultsText(run, summary, cells, made.lines, options),
      outcomeText(run.plan, made.lines.find(({ kind, status }) => kind === "solo" && status === "ok")!, options.style),
      ...["markdown", "csv", "json", "github-action-benchmark"].map((name) => EXPORTS[name]!.render(shown)),
      textOf(cellsTable(shown, [], { field: "columns1", evidence: new Map(names), chosenBy: () => [] })),
      textOf(cellDetail({ ...shown, solos: new Map(), link: null }, cells[0]!)),
      ...charts.filter(({ id }) => id !== "latency").map(({ title, table }) => `${title} ${table().heads.join(" ")}`),
    ];
  };
  const isOfRequests = (text: string) => /\breq\b|(?<![a-z])requests?(?![a-z])/i.test(text);
  assert.deepEqual(reported("in-process").filter(isOfRequests), []);
  assert.ok(reported("wrk").filter(isOfRequests).length > 7, "what is told of requests says so");
});
