/** A catalogue of forged runs, made from the reference runs by someone who knows the tool: `bench verify` finds each. */
import assert from "node:assert/strict";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { EXIT } from "../bench/basics/errors.ts";
import { observationRecord } from "../bench/record/observation-record.ts";
import { publish } from "../bench/result/published.ts";
import { REFERENCE } from "../bench/result/reference-name.ts";
import { runRecord } from "../bench/record/run-record.ts";
import { publishedFaults, rawFaults } from "../bench/result/verify.ts";
import { readRun } from "../bench/host/read-run.ts";
import { PROJECT_ROOT } from "../bench/host/runtimes.ts";
import { ofOneServer, ofReasons, ofServersTogether } from "../lab/forgeries/costs.ts";
import type { Evidence, Forger, Forgery } from "../lab/forgeries/forgery.ts";
import { ofAlone, ofCeilings, ofOne, ofSeveral } from "../lab/forgeries/loads.ts";
import { foreignLines, moved, unplanned, untimely } from "../lab/forgeries/order.ts";
import { publishedForgeries } from "../lab/forgeries/published.ts";
import { ofRecord } from "../lab/forgeries/record.ts";
import { ofServers, ofWarmups } from "../lab/forgeries/servers.ts";
import { writeSealedRun } from "../lab/write-run.ts";
import { bench, onSite } from "./run-bench.ts";

const RESULTS = join(PROJECT_ROOT, "results");
const references = readdirSync(RESULTS).filter((name) => name.startsWith(REFERENCE))
  .map((name) => ({ name, ...readRun(join(RESULTS, name)) }));

const FORGERS: readonly Forger[] = [
  moved,
  unplanned,
  untimely,
  ofOne,
  ofCeilings,
  ofAlone,
  ofSeveral,
  ofOneServer,
  ofServersTogether,
  ofReasons,
  ofServers,
  ofWarmups,
  ofRecord,
];

/** How many different forgeries there are at least. */
const LEAST = 200;

const forgeriesOf = (own: Evidence, other: Evidence): Forgery[] => [
  ...FORGERS.flatMap((forger) => [...forger(own)]),
  ...foreignLines(own, other),
];

test("what the reference runs say holds together", () => {
  for (const { name, run, lines } of references) assert.deepEqual(rawFaults(run, lines), [], name);
});

// What a forged run publishes is made anew from it and sealed, so that only what it says itself can give it away.
test(`each of at least ${LEAST} forged runs is found, by the fault that names it`, () => {
  const names = new Set<string>();
  const missed: string[] = [];
  for (const [n, own] of references.entries()) {
    const other = references[(n + 1) % references.length]!;
    for (const { name, run, lines, found } of forgeriesOf(own, other)) {
      const where = `${own.name}: ${name}`;
      assert.ok(!names.has(where), `two forgeries have one name: ${where}`);
      names.add(where);
      const changed = lines.filter((line) => !own.lines.includes(line));
      const readable = changed.every((line) => observationRecord.safeParse(line).success) &&
        runRecord.safeParse({ ...run, plan: own.run.plan }).success;
      // One that cannot be read is none.
      assert.ok(readable, `${where} cannot be read`);
      const faults = rawFaults(run, lines);
      if (!faults.some((fault) => found.test(fault))) missed.push(`${where}: ${faults.slice(0, 2).join("; ")}`);
    }
  }
  assert.deepEqual(missed, []);
  assert.ok(names.size >= LEAST, `${names.size} forgeries`);
});

test("what a run publishes cannot be changed while its lines stay", () => {
  for (const { name, run, lines } of references.slice(0, 3)) {
    const files = [...publish(run, lines).files].map(([file, value]) =>
      [file, JSON.parse(JSON.stringify(value))] as const
    );
    assert.deepEqual(publishedFaults({ run, lines, published: new Map(files) }), [], name);
    for (const { name: what, published } of publishedForgeries(new Map(files))) {
      assert.notDeepEqual(publishedFaults({ run, lines, published }), [], `${name}: ${what}`);
    }
  }
});

test("bench verify finds forged runs on the disk that were published and sealed anew", async () => {
  const own = references.find(({ lines }) => lines.some(({ members }) => members.length > 1))!;
  await onSite(async (site) => {
    const path = join(site.results, "forged");
    const forged = [...moved(own), ...ofServersTogether(own)];
    for (const { name, run, lines, found } of [forged[1]!, forged.at(-1)!]) {
      rmSync(path, { recursive: true, force: true });
      writeSealedRun(path, { run, lines });
      const ended = await bench(site, ["verify", path]);
      assert.equal(ended.code, EXIT.invalid, `${name}: ${ended.stdout}${ended.stderr}`);
      assert.match(ended.stdout, found, name);
    }
  });
});
