import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { ensembleTables, gaugeOf, tableOf } from "./block-tables.ts";
import type { Observation } from "../record/observation-record.ts";
import { mark } from "../record/mark.ts";

const { run: { plan }, lines } = makeFixture({ stores: ["map", "sqlite"], sizes: [10_000], together: "plan" });
const shared = (line: Observation) => line.kind === "ensemble";
const tablesOf = (change: (line: Observation) => void = () => {}) =>
  ensembleTables(
    plan,
    structuredClone(lines).map((line) => (shared(line) && change(line), line)),
  );

test("an ensemble is a table of its cells, with what each cost in each round, in the plan's order", () => {
  const [table, ...none] = tablesOf();
  assert.deepEqual(none, []);
  assert.equal(
    table!.members.join(", "),
    "node/map/10k, deno/map/10k, bun/map/10k, node/sqlite/10k, deno/sqlite/10k, bun/sqlite/10k, deno/sqlite/10k@aa",
  );
  assert.deepEqual(table!.rounds.map(({ round }) => round), [0, 1, 2, 3, 4, 5]);
  const expected = lines.filter(shared).map(({ members }) => members.map((member) => member.cpu_ns_per_request));
  assert.deepEqual(table!.rounds.map(({ costs }) => costs), expected);
});

test("a bad round is left out, and a server that something speaks against is left out of its round only", () => {
  const [table] = tablesOf((line) => {
    if (line.round === 1) line.status = "invalid";
    if (line.round === 2) line.members[3]!.marks = [mark("too-few-requests", "few")];
  });
  assert.deepEqual(table!.rounds.map(({ round }) => round), [0, 2, 3, 4, 5]);
  assert.deepEqual(table!.rounds[1]!.costs.flatMap((cost, n) => cost === null ? [n] : []), [3]);
  assert.ok(table!.rounds[2]!.costs.every((cost) => cost !== null));
});

test("the server that was still moving is the one with that place in the record, whoever was left out before it", () => {
  const places: number[] = [];
  const [table] = tablesOf((line) => {
    const place = 1 + line.round % (line.members.length - 1);
    places.push(place);
    const leftOut = { requests: null, cpu_ns: null, cpu_ns_per_request: null, parts: null };
    Object.assign(line.members[0]!, { ...leftOut, marks: [mark("contended", "others")] });
    line.warmup!.slices![0] = [];
    line.warmup!.steadiness = line.members.map((_, n) => n === place ? "moving" : "flat");
  });
  assert.deepEqual(table!.rounds.map(({ moving }) => moving.indexOf(true)), places);
  assert.ok(table!.rounds.every(({ moving }) => moving.filter(Boolean).length === 1));
});

test("a round that stands twice in a journal counts once", () => {
  const twice = [...lines, ...lines.filter(shared)];
  assert.deepEqual(ensembleTables(plan, twice), ensembleTables(plan, lines));
});

test("the table of two cells is the one that has both", () => {
  const two = makeFixture({ stores: ["map"], sizes: [10_000], runtimes: ["node", "deno"] });
  const tables = ensembleTables(two.run.plan, two.lines);
  assert.deepEqual(tables.map(({ places }) => places), [[0, 2], [0, 1]]);
  assert.equal(tableOf(tables, 1, 0), tables[1]);
  assert.equal(tableOf(tables, 1, 2), undefined);
});

test("members that share no value with the two where they differ show the core's speed", () => {
  const [table] = tablesOf();
  assert.deepEqual(gaugeOf(table!, "node/map/10k", "deno/map/10k"), ["bun/map/10k", "bun/sqlite/10k"]);
  assert.deepEqual(gaugeOf(table!, "node/map/10k", "node/sqlite/10k"), []);
  assert.deepEqual(gaugeOf(table!, "deno/sqlite/10k", "deno/sqlite/10k@aa"), []);
});
