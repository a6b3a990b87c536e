import { isJudged, shownInterval } from "../record/verdicts.ts";
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { cellName } from "../record/cell.ts";
import { forExports, makeOddFixture, ODD } from "../../tests/fixtures/made-up-run.ts";
import { makeRateRun } from "../../tests/fixtures/rate-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { EXPORTS } from "./registry.ts";

const odd = filesOf(makeOddFixture());
const made = forExports();
const files = filesOf(made);
const render = (name: string) => EXPORTS[name]!.render(files);
const renderOdd = (name: string) => EXPORTS[name]!.render(odd);

for (const [name, { extension }] of Object.entries(EXPORTS)) {
  test(`the ${name} export reads as its golden file (LEVELFIELD_UPDATE_GOLDEN=1 writes it anew)`, () => {
    const golden = fileURLToPath(new URL(`golden/${name}.${extension}`, import.meta.url));
    const text = render(name);
    if (process.env["LEVELFIELD_UPDATE_GOLDEN"] === "1") writeFileSync(golden, text);
    assert.equal(text, readFileSync(golden, "utf8"));
  });
}

const alone = made.lines.filter(({ kind }) => kind === "solo");

const together = made.lines.filter(({ kind }) => kind === "ensemble");

test("CSV has a row for each verdict and each window, as wide as the head, and figures that read back exactly", () => {
  const [head, ...rows] = fieldsOf(render("csv"));
  assert.ok(rows.every((row) => row.length === head!.length));
  const columnOf = (row: string, name: string) =>
    rows.filter(([first]) => first === row).map((fields) => fields[head!.indexOf(name)]!);
  const rates = alone.map(({ load }) => load!.requests_per_second);
  assert.deepEqual(columnOf("alone", "requests_per_second").map(Number), rates);
  const costs = together.flatMap(({ members }) => members.map((member) => member.cpu_ns_per_request));
  assert.ok(costs.length > 0);
  assert.deepEqual(columnOf("together", "cpu_ns_per_request").map(Number), costs);
  const { families, memory = [] } = files.summary;
  const comparisons = [...families, ...memory.flatMap((moment) => moment.families)].flatMap((one) => one.comparisons);
  assert.deepEqual(columnOf("verdict", "verdict"), comparisons.map(({ verdict }) => verdict));
  assert.deepEqual(columnOf("verdict", "ratio").map(Number), comparisons.map(({ ratio }) => ratio ?? 0));
  assert.deepEqual(
    columnOf("verdict", "ratio_low").map(Number),
    comparisons.map((one) => isJudged(one) ? shownInterval(one).low : 0),
  );
  assert.ok(columnOf("verdict", "ratio_of").every((text) => / over| \/ /.test(text)));
});

test("JSON has the answer and the rows of the CSV, and no field without a value", () => {
  const { answer, rows } = JSON.parse(render("json"));
  assert.equal(answer, files.summary.answer.sentence);
  const [, ...fields] = fieldsOf(render("csv"));
  assert.deepEqual(
    rows.map(({ row, name }: { row: string; name: string }) => [row, name]),
    fields.map(([row, , name]) => [row, name]),
  );
  assert.ok(rows.flatMap(Object.values).every((value: unknown) => value !== null && value !== ""));
});

test("cells that may not be ranked are nowhere offered as plain rates", () => {
  const named = (name: string): string[] => JSON.parse(render(name)).map((entry: { name: string }) => entry.name);
  assert.ok(!named("github-action-benchmark").includes("bun/map/10k"), "generator-bound");
  assert.ok(!named("github-action-benchmark").includes("node/drizzle/1m"), "invalid");
  assert.match(render("markdown"), /≥ .* \(generator-bound\)/);
  assert.match(render("markdown"), /\(invalid\)/);
});

/** The fields of a CSV text, quotes taken off. */
function fieldsOf(csv: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!);
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

test("odd names of axes and values come through every export, each told from the others", () => {
  const [head, ...rows] = fieldsOf(renderOdd("csv"));
  assert.ok(rows.length > 60 && rows.every((row) => row.length === head!.length));
  const { axes, cells } = odd.run.plan;
  for (const { name } of axes) assert.ok(head!.includes(name), name);
  const column = (name: string) => [...new Set(rows.map((row) => String(row[head!.indexOf(name)])))];
  assert.deepEqual(column(ODD.engine).toSorted(), axes[0]!.values.map(({ value }) => value).toSorted());
  assert.deepEqual(column("name").toSorted(), cells.map((cell) => cellName(axes, cell)).toSorted());

  const measured = odd.cells.filter(({ status }) => status === "ok").length;
  assert.equal(JSON.parse(renderOdd("github-action-benchmark")).length, measured - 1, "all but the A/A twin");
  const markdown = renderOdd("markdown");
  assert.doesNotMatch(markdown, /<script|<b>/);
  const tables = markdown.split("\n\n").filter((part) => part.startsWith("|"));
  for (const table of tables) {
    const widths = new Set(table.split("\n").map((line) => line.replaceAll("\\|", "").split("|").length));
    assert.equal(widths.size, 1, table);
  }
});

test("Markdown of a run along rates has the table of each server by both clocks, in place of rates that were given", () => {
  const text = EXPORTS["markdown"]!.render(filesOf(makeRateRun({ runtimes: ["bun", "node"] })));
  assert.match(
    text,
    /^\*\*Answer:\*\* bun and node: equal within 2 % at all 3 rates; bun\/map\/10k at 7k\/s 99 % wait at most 1 ms /m,
  );
  assert.equal(text.match(/^- At [\d.]+k\/s: p99 bun /gm)?.length, 3);
  assert.equal(
    text.match(/^\| at \| req\/s \| answered \| p50 \| p99 \| 95 % of it \| p99\.9 \| p99 when sent \| CPU\/req \|$/gm)
      ?.length,
    2,
  );
  assert.equal(text.match(/^\| (closed|50 %|90 %|given) \| /gm)?.length, 8);
  assert.doesNotMatch(text, /Transfer per second/);
});
