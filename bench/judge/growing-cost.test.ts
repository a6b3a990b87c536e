import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Member, Observation } from "../record/observation-record.ts";
import { cellKey } from "../record/cell.ts";
import { growingMark, lifeOf } from "./growing-cost.ts";
import { readJournal } from "../runs/journal-file.ts";

type Lived = Parameters<typeof growingMark>[0][number];

/** A server that lived for so many slices of equal CPU time, with its cost in µs by its place in them. */
function lived(costUs: (place: number) => number, more: Partial<Lived> = {}, slices = 64): Lived {
  const all = Array.from({ length: slices }, (_, n): [number, number] => [1e5 / costUs(n / slices), 1e8]);
  const last = 1e5 / costUs(1);
  return {
    warmup: { slices: [all] } as unknown as Member["warmup"],
    parts: [{ requests: last, cpu_ns: 1e8 }, { requests: last, cpu_ns: 1e8 }],
    ...more,
  };
}

const grows = (place: number) => 10 + 40 * place;
const four = (one: Lived) => [one, one, one, one];

test("the mark of a growing cost has the first and the last figure, and in how many rounds it grew", () => {
  const found = growingMark(four(lived(grows)));
  assert.equal(found?.code, "cost-grows");
  assert.equal(found?.effect, "withholds");
  const parts =
    /grows without end: (\d+\.\d)µs a request at first, (\d+\.\d)µs in the last window, in 4 of 4 rounds; no figure exists$/
      .exec(found!.text);
  assert.ok(parts !== null, found!.text);
  assert.ok(Number(parts[1]) > 10 && Number(parts[1]) < 35, found!.text);
  assert.equal(Number(parts[2]), 50);
});

test("memory that grows with the cost is named", () => {
  const MiB = 2 ** 20;
  const text = (last: number) => {
    const sizes: NonNullable<Member["sizes"]> = [[1_000, 80 * MiB, 10], [90_000, last * MiB, 10]];
    return growingMark(four(lived(grows, { sizes })))!.text;
  };
  assert.match(text(240), /in 4 of 4 rounds, while its memory grew from 80\.0 MiB to 240 MiB; no figure exists$/);
  assert.match(text(90), /in 4 of 4 rounds; no figure exists$/);
});

test("a steady cost has no mark, nor has one that is not known over a life", () => {
  assert.equal(growingMark(four(lived(() => 12))), null);
  assert.equal(growingMark(four(lived((place) => 50 - 30 * place))), null);
  assert.equal(growingMark(four({ warmup: null, parts: null })), null);
  assert.equal(growingMark(four({ ...lived(grows), warmup: null })), null);
  assert.equal(growingMark([]), null);
});

test("slices in which nothing was answered are no costs", () => {
  const one = lived(() => 20);
  const slices: [number, number][] = one.warmup!.slices![0]!.map(([requests, cpuNs], n) =>
    n < 40 ? [requests, cpuNs] : [0, 0]
  );
  const life = lifeOf({ ...one, warmup: { ...one.warmup!, slices: [slices] } });
  assert.deepEqual(life, { costs: [20_000, 20_000], window: 20_000 });
});

const results = join(import.meta.dirname, "..", "..", "results");

/** The one server of a published run whose cost grows: docs/audits/postgres-pg.md shows why. */
const GROWING = /^audit-postgres-pg .*driver\W+postgres\W/;

test("one server of the published runs has the mark, and of other lives hardly one rises by the least that counts", () => {
  const cells = new Map<string, Member[]>();
  const runs = readdirSync(results).filter((name) => existsSync(join(results, name, "run.json")));
  for (const run of runs) {
    for (const text of readJournal(join(results, run)).toString().trim().split("\n")) {
      const { kind, status, members } = JSON.parse(text) as Observation;
      if (kind === "ceiling" || status !== "ok") continue;
      for (const member of members) {
        const key = `${run} ${cellKey(member.cell)}`;
        cells.set(key, [...cells.get(key) ?? [], member]);
      }
    }
  }
  const marked = [...cells].flatMap(([key, members]) => growingMark(members) === null ? [] : [key]);
  assert.ok(marked.length === 1 && GROWING.test(marked[0]!), marked.join("\n"));
  const others = [...cells].flatMap(([key, members]) => GROWING.test(key) ? [] : members);
  const known = others.map(lifeOf).filter(({ costs }) => costs.length > 1);
  const rising = known.filter(({ costs }) => costs.at(-1)! / costs[0]! > 1.25);
  assert.ok(known.length > 100 && rising.length / known.length < 0.1, `${rising.length} of ${known.length}`);
});
