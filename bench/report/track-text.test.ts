import assert from "node:assert/strict";
import { test } from "node:test";
import { type MadeUpRun, makeFixture, makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { comparedRun } from "../result/published.ts";
import type { Judged } from "../record/verdicts.ts";
import { trackRuns } from "../result/track.ts";
import { widthOf } from "./align.ts";
import { styleFor } from "./style.ts";
import { sparkOf, trackLines, trackRecord } from "./track-text.ts";

const look = { style: styleFor(false, {}), columns: 80, all: true };
const small = { runtimes: ["node", "deno"], stores: ["sqlite"], sizes: [10_000] };
const nights = (speeds: readonly number[], make = (speed: number): MadeUpRun => makeFixture({ ...small, speed })) =>
  trackRuns(speeds.map((speed, n) => {
    const { run, lines } = make(speed);
    const started_at = new Date(Date.UTC(2026, 10, 1 + n)).toISOString();
    const kernel = n < 3 ? run.machine.kernel : "7.0";
    return comparedRun(
      { ...run, run: `night-${n + 1}`, started_at, machine: { ...run.machine, kernel } },
      lines,
      undefined,
    );
  }));

test("bars go from lowest to highest, small differences stay small, changes and gaps are drawn", () => {
  assert.equal(sparkOf([10, 20, null, 15], [false, false, true, false]), "▁█│·▅");
  assert.equal(sparkOf([100, 101, 100.5], []), "▁▂▁");
  assert.equal(sparkOf([0, 0, null], []), "▁▁·");
});

test("a step is told with its runs, its size and what changed at it", () => {
  const [track] = nights([1, 1.01, 0.99, 0.8, 0.81, 0.79]);
  const text = trackLines(track!, look);
  assert.match(text, /^users: 6 runs\n2 cells have steps that are proven: .*\n {2}1 {2}2026-11-01 00:00 {2}night-1\n/s);
  assert.match(text, /night-4\n {5}machine: kernel: "6\.18\.44" -> "7\.0"\n {2}5 /);
  assert.match(text, /rate {5}\S{3}│▁\S▁ \S+ \(\S+\)\n/);
  const joined = text.replaceAll(/\s+/g, " ");
  assert.match(joined, /from run 4 on slower by 1\.2\d× \[1\.\d\d, 1\.\d\d\]: runs 4 to 6 against 1 to 3/);
  assert.match(joined, /2 cells have steps that are proven: node\/sqlite\/10k(,| and) deno\/sqlite\/10k\. 1 2026/);
  const short = trackLines(track!, { ...look, all: false });
  assert.match(
    short,
    /\.\n {2}4 {2}2026-11-04 00:00 {2}night-4\n {5}machine: kernel: .*\nnode\/sqlite\/10k\n {2}from run 4 on/,
  );
  assert.match(short, /\nEvery run and every cell: --all\n$/);
  assert.doesNotMatch(short, /night-3|rate {5}/);
  const { cells: [cell] } = trackRecord(track!);
  assert.deepEqual(cell!.figures["requests_per_second"]!.length, 6);
});

test("without a proof it says that no step is proven, and what one takes", () => {
  const said = (speeds: readonly number[]) => trackLines(nights(speeds)[0]!, look);
  assert.match(said([1, 0.8]), /\nNo step is proven: it takes three runs a side, on one kind of CPU\.\n/);
  assert.match(said([1, 1.01, 0.99, 1, 1.005, 0.995]), /\nNo step is proven\.\n {2}1 /);
});

test("cells of single runs are counted, and of many differences within runs the newest are told", () => {
  const [track] = nights([1, 1.01, 0.99]);
  const [node, deno] = track!.cells;
  const cards = deno!.cards.map((card, n) => n === 1 ? card : null);
  const interval = { low: 1.1, high: 1.3, level: 0.95 };
  const step = { verdict: "faster", over: "new", under: "old", ratio: 1.2, interval } as Judged;
  const runs = track!.runs.map((run) => ({ ...run, within: Array.from({ length: 5 }, () => step) }));
  const text = trackLines({ ...track!, runs, cells: [node!, { ...deno!, cards }] }, look);
  assert.match(text, /\n1 cell of single runs \(see --json\)\n/);
  assert.ok(text.includes("\nnode/sqlite/10k\n") && !text.includes("\ndeno/sqlite/10k\n"));
  const reported = [
    ...text.matchAll(/Within run (\d), measured together: new faster by 1\.20× \[1\.10, 1\.30\] than old\./g),
  ];
  assert.deepEqual(reported.map(([, run]) => run).join(""), "112222233333");
  assert.match(text, /\nAnd 3 within earlier runs \(see --json\)\.\n {2}1 /);
});

test("many runs with any names fit 80 columns, the newest bars shown", () => {
  const [track] = nights(
    Array.from({ length: 60 }, (_, n) => 1 + n / 1000),
    (speed) => makeOddFixture({ speed, rounds: 3 }),
  );
  const lines = trackLines(track!, look).split("\n");
  const named = new Set(track!.cells.map(({ cell }) => cell));
  assert.deepEqual(lines.filter((line) => widthOf(line) > 80 && !named.has(line)), []);
  assert.ok(lines.some((line) => /^ {2}rate {5}…▁.*▅ /.test(line)), lines.join("\n"));
});
