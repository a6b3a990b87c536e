import assert from "node:assert/strict";
import { test } from "node:test";
import type { CellCard } from "../core/result/cell-card.ts";
import { cellTables } from "./cell-table.ts";
import { styleFor } from "./style.ts";

const plain = styleFor(false, {});

function card(runtime: string, store: string, rate: number | null, change: Partial<CellCard> = {}): CellCard {
  return {
    schema: "levelfield.cell/1",
    run: "run",
    cell: { suite: "users", workload: "read", runtime, store, size: 10_000 },
    label: "main",
    requests_per_second_interval: null,
    status: "ok",
    reasons: [],
    trials: 6,
    trials_ok: 6,
    bound: "server",
    requests_per_second: rate,
    cpu_ns_per_request: rate === null ? null : 1e9 / rate,
    p50_us: 400,
    p90_us: 600,
    p99_us: 812,
    max_us: 5_000,
    peak_rss_bytes: null,
    startup_ms: null,
    load_ms: null,
    disk_bytes: null,
    reply_bytes_per_request: null,
    server_share: null,
    generator_share: null,
    ...change,
  };
}

test("cells are ranked fastest first; a generator-bound one is a lower bound without a place; a bad one says why", () => {
  const reasons = [{ code: "server-crashed" as const, message: "the server ended with SIGKILL" }];
  const table = cellTables([
    card("node", "linear", 5.31, { p99_us: 9_870_000 }),
    card("bun", "map", 98_200, { bound: "generator" }),
    card("node", "map", 50_000),
    card("deno", "map", 40_000, { cpu_ns_per_request: null, p99_us: null, bound: "unknown" }),
    card("deno", "sqlite", null, { status: "failed", trials_ok: 0, bound: "unknown", reasons }),
    card("bun", "sqlite", 30_000, { status: "invalid", trials_ok: 4, reasons }),
  ], plain);
  assert.equal(
    table,
    `10k users
  runtime  store     req/s  of best  CPU µs/req    p99      bound
  bun      map     ≥ 98.2k        –        10.2  812µs  generator
  node     map       50.0k     best        20.0  812µs     server
  deno     map       40.0k     80 %           –      –    unknown
✗ bun      sqlite    30.0k        –        33.3  812µs     server  invalid in 2 of 6 trials: the server ended with SIGKILL
  node     linear     5.31  0.011 %      188324  9.87s     server
✗ deno     sqlite        –        –           –      –          –  failed in 6 of 6 trials: the server ended with SIGKILL
`,
  );
});

test("each size has a table of its own, smallest first", () => {
  const small = card("node", "map", 1, {});
  const large = { ...small, cell: { ...small.cell, size: 1_000_000 } };
  const heads = cellTables([large, small], plain).split("\n").filter((line) => line.endsWith("users"));
  assert.deepEqual(heads, ["10k users", "1m users"]);
});

test("colour marks what is wrong and changes no character", () => {
  const cards = [card("node", "map", 1), card("bun", "map", null, { status: "failed", trials_ok: 0 })];
  const coloured = cellTables(cards, styleFor(true, {}));
  assert.ok(coloured.includes("\u001b[31m✗"));
  // deno-lint-ignore no-control-regex
  assert.equal(coloured.replaceAll(/\u001b\[\d+m/g, ""), cellTables(cards, plain));
});
