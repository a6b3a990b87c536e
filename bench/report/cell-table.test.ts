import assert from "node:assert/strict";
import { test } from "node:test";
import type { CellCard } from "../record/card.ts";
import { cardAt, planWith } from "../../tests/fixtures/made-up-card.ts";
import { planAxis } from "../../tests/fixtures/small-plan.ts";
import { cellTables } from "./cell-table.ts";
import { styleFor } from "./style.ts";
import type { Summary } from "../record/summary.ts";
import { mark } from "../record/mark.ts";

const plain = styleFor(false, {});
const options = { style: plain, columns: Infinity };
const plan = planWith([
  planAxis("runtime", ["node", "deno", "bun"], { title: "Runtime" }),
  planAxis("kept in", ["files", "map", "tree"], { title: "Kept in" }),
  planAxis("load", [1_000, 10_000], { role: "scale", unit: "rows" }),
]);
const card = (runtime: string, kept: string, rate: number | null, change: Partial<CellCard> = {}) =>
  cardAt(plan, { runtime, "kept in": kept, load: 10_000 }, rate, change);
const none = { cells: [] };
const tables = (...cards: readonly CellCard[]) => cellTables({ plan }, none, cards, options);

test("cells are ranked fastest first; a generator-bound one is a lower bound without a place; a bad one says why", () => {
  const marks = [mark("server-crashed", "the server ended\nwith SIGKILL")];
  const table = tables(
    card("node", "files", 5.31, { p99_us: 9_870_000 }),
    card("bun", "map", 98_200, { bound: "generator" }),
    card("node", "map", 50_000),
    card("deno", "map", 40_000, { cpu_ns_per_request: null, p99_us: null, bound: "unknown" }),
    card("deno", "tree", null, { status: "failed", observations_ok: 0, bound: "unknown", marks }),
    card("bun", "tree", 30_000, { status: "invalid", observations_ok: 4, marks }),
    card("node", "tree", null, {
      status: "unsupported",
      observations: 0,
      observations_ok: 0,
      marks: [mark("unsupported", "trees need bun")],
    }),
  );
  assert.equal(
    table,
    `10000 rows
  Runtime  Kept in    req/s  CPU/req    p99      bound
  bun      map      ≥ 98.2k   10.2µs  812µs  generator
  node     map        50.0k   20.0µs  812µs     server
  deno     map        40.0k        –      –    unknown
  node     files       5.31    188ms  9.87s     server
✗ bun      tree           –        –      –          –  invalid in 2 of 6 observations: the server ended with SIGKILL
✗ deno     tree           –        –      –          –  failed in 6 of 6 observations: the server ended with SIGKILL
  – node with tree: unsupported: trees need bun
`,
  );
});

test("a cell whose verdicts are withheld is marked, one with a note is not", () => {
  const cards = [card("node", "map", 2), card("bun", "map", 1)];
  const found = cards.map(({ name }, n) => ({
    name,
    marks: [mark(n === 0 ? "never-steady" : "noisy-warm-up", "it moved")],
  }));
  const text = cellTables({ plan }, { cells: found as Summary["cells"] }, cards, options);
  assert.match(text, /^⚠ node .*\n {2}bun /m);
});

test("rows, transfer and errors have a column where they say something", () => {
  const head = (...cards: readonly CellCard[]) => tables(...cards).split("\n")[1]!;
  assert.doesNotMatch(head(card("bun", "map", 2), card("bun", "tree", 1)), /rows|transfer|errors/);
  assert.match(head(card("bun", "map", 2, { rows_per_second: 20 })), /rows\/s/);
  const sent = (runtime: string, bytes: number) =>
    card(runtime, "map", 2, { reply_bytes_per_request: bytes, transfer_bytes_per_second: 2 * bytes });
  assert.match(head(sent("bun", 100), sent("node", 103)), /transfer\/s/);
  assert.doesNotMatch(head(sent("bun", 100), sent("node", 101)), /transfer/);
  assert.match(head(sent("bun", 10_000), sent("node", 10_000)), /transfer\/s/);
  const busy = tables(card("bun", "map", 2, { error_share: 0.031, timeouts: 2 }), card("node", "map", 1));
  assert.match(busy, /errors {3}bound/);
  assert.match(busy, /3\.1 %, 2 timeouts {2}server/);
});

test("each condition has a table of its own in the plan's order, and a label stands at the last name", () => {
  const large = card("node", "map", 1);
  const labelled = card("node", "map", 2, { cell: { ...large.cell, label: "after" } });
  const small = cardAt(plan, { runtime: "node", "kept in": "map", load: 1_000 }, 1);
  const lines = tables(large, small, labelled).split("\n");
  assert.deepEqual(lines.filter((line) => line.endsWith("rows")), ["1000 rows", "10000 rows"]);
  assert.ok(lines.some((line) => /^ {2}node {5}map@after /.test(line)), lines.join("\n"));
});

test("a suite without contrasts or conditions has a table too", () => {
  const bare = planWith([planAxis("size", [1], { role: "scale" })], {
    suite: { name: "one", title: "One", module: null },
  });
  assert.match(
    cellTables({ plan: bare }, none, [cardAt(bare, { size: 1 }, 5)], options),
    /^1\n {2}Suite .*\n {2}one {5}5\.00/,
  );
});

test("colour marks what is wrong and changes no character", () => {
  const cards = [card("node", "map", 1), card("bun", "map", null, { status: "failed", observations_ok: 0 })];
  const coloured = cellTables({ plan }, none, cards, { style: styleFor(true, {}), columns: Infinity });
  assert.ok(coloured.includes("\u001b[31m✗"));
  // deno-lint-ignore no-control-regex
  assert.equal(coloured.replaceAll(/\u001b\[\d+m/g, ""), tables(...cards));
});

test("on a narrow terminal the columns that say least are left out, and no line is wider", () => {
  const marks = [mark("server-crashed", "the server ended with SIGKILL in the middle of it")];
  const cards = [
    card("node", "map", 50_000),
    card("bun", "tree", 30_000, { status: "invalid", observations_ok: 4, marks }),
  ];
  const heads = (columns: number) => {
    const lines = cellTables({ plan }, none, cards, { style: plain, columns }).split("\n");
    assert.deepEqual(lines.filter((line) => line.length > columns), []);
    return lines[1]!.trim().split(/ {2,}/);
  };
  assert.deepEqual(heads(80), ["Runtime", "Kept in", "req/s", "CPU/req", "p99", "bound"]);
  assert.deepEqual(heads(38), ["Runtime", "Kept in", "req/s", "CPU/req"]);
  assert.deepEqual(heads(30), ["Runtime", "Kept in", "req/s"]);
});
