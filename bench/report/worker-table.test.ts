import assert from "node:assert/strict";
import { test } from "node:test";
import type { Subject } from "../record/card.ts";
import { AA } from "../record/cell.ts";
import type { WorkersUse } from "../record/server-schema.ts";
import { workersOfCell } from "../result/card-parts.ts";
import { styleFor } from "./style.ts";
import { tablesMarkdown } from "./markdown.ts";
import { tablesText } from "./table.ts";
import { workerTables } from "./worker-table.ts";

const MIB = 1_048_576;

/** Workers of a record, each with its requests, milliseconds of CPU, CPU and MiB. */
const useOf = (
  by: string,
  besideMs: number | null,
  ...workers: [requests: number | null, cpuMs: number, cpu: number, mib: number | null][]
): WorkersUse => ({
  by,
  requests: workers.reduce((sum, [requests]) => sum + (requests ?? 0), 0),
  cpu_ns: 1e6 * workers.reduce((sum, [, cpuMs]) => sum + cpuMs, besideMs ?? 0),
  beside_ns: besideMs === null ? null : 1e6 * besideMs,
  each: workers.map(([requests, cpuMs, cpu, mib]) => ({
    requests,
    cpu_ns: 1e6 * cpuMs,
    cpus: [cpu],
    bytes: mib === null ? null : mib * MIB,
  })),
});

/** A cell at a point, with what its observations recorded. */
const cardOf = (at: Subject["cell"]["point"]["at"], rate: number | null, uses: WorkersUse[], label = "main") => ({
  name: Object.values(at).join("/"),
  cell: { label, point: { suite: "own", at } },
  requests_per_second: rate,
  cpu_ns_per_request: rate === null ? null : 1e9 / 20_000,
  ...workersOfCell(uses.map((workers) => ({ workers }))),
});

const node = (workers: number, workersBy: string) => ({ runtime: "node", workers, workersBy });

const ONE = cardOf(node(1, "reuse-port"), 20_000, []);
const TWO = cardOf(node(2, "reuse-port"), 36_000, [
  useOf("reuse-port", 24, [7_000, 600, 1, 60], [3_000, 376, 0, 58]),
  useOf("reuse-port", 26, [4_000, 376, 1, 58], [6_000, 598, 0, 62]),
  useOf("reuse-port", 20, [3_500, 400, 1, 58], [6_500, 580, 0, 61]),
]);
const CLUSTER = cardOf(node(2, "cluster"), 30_000, [useOf("cluster", 100, [5_000, 450, 2, 70], [5_000, 450, 3, 70])]);
const THREADS = cardOf({ runtime: "deno", workers: 2, workersBy: "parallel" }, 24_000, [
  useOf("parallel", 50, [5_000, 475, 2, null], [5_000, 475, 2, null]),
]);
const COMMAND = cardOf({ runtime: "none", workers: 2, workersBy: "reuse-port" }, null, [
  useOf("reuse-port", null, [null, 500, 0, 10], [null, 400, 1, 10]),
]);

test("workers are told from a record: shares of each, what is beside them, memory, CPU a request, and of one worker", () => {
  const [table] = workerTables([ONE, TWO, CLUSTER, THREADS, COMMAND]);
  assert.deepEqual([table!.heads, ...table!.rows].map((row) => row.join("|")), [
    "cell|of one worker × n|CPU/req|memory each|requests|CPU|beside|on CPUs",
    "node/2/reuse-port|90 %|50.0µs|61.0 MiB + 58.0 MiB|65 % + 35 %|60 % + 38 %|2.4 %|0-1",
    "node/2/cluster|75 %|50.0µs|70.0 MiB + 70.0 MiB|50 % + 50 %|45 % + 45 %|10.0 %|2-3",
    "deno/2/parallel|–|50.0µs|–|50 % + 50 %|48 % + 48 %|5.0 %|2",
    "none/2/reuse-port|–|–|10.0 MiB + 10.0 MiB|–|56 % + 44 %|–|0-1",
  ]);
});

test("workers are held against one started the same way, else against one by itself, and never against another label's", () => {
  const one = cardOf(node(1, "cluster"), 18_750, [useOf("cluster", 10, [9_000, 990, 1, 60])]);
  const of = (...all: (typeof ONE)[]) => workerTables([CLUSTER], all)[0]!.rows[0]![1];
  assert.equal(of(ONE, one, CLUSTER), "80 %");
  assert.equal(of(ONE, CLUSTER), "75 %");
  assert.equal(of({ ...ONE, cell: { ...ONE.cell, label: "other" } }, CLUSTER), "–");
  assert.equal(workerTables([one], [one])[0]!.rows[0]![1], "–", "one worker is its own measure");
});

test("on a terminal the table keeps to its columns; without workers there is none", () => {
  const text = tablesText(workerTables([ONE, TWO, THREADS]), { style: styleFor(false, {}), columns: 80 });
  assert.ok(text.split("\n").every((line) => line.length <= 80), text);
  assert.equal(tablesText(workerTables([ONE]), { style: styleFor(false, {}), columns: Infinity }), "");
  assert.deepEqual(tablesMarkdown(workerTables([ONE])), []);
  assert.deepEqual(workerTables([{ ...TWO, cell: { ...TWO.cell, label: AA } }]), []);
});
