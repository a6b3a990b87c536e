import assert from "node:assert/strict";
import { test } from "node:test";
import { changed, shared, small, wholeRun } from "../../tests/fixtures/derived-run.ts";
import { type MadeUpRun, makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { mark } from "../record/mark.ts";
import type { Observation } from "../record/observation-record.ts";
import { resultsText } from "./results-text.ts";
import { styleFor } from "./style.ts";

const made = makeFixture({ ...small, together: "plan" });

const contended = mark("contended", "others used 40 % of the servers' cores");
const voided = (line: Observation): Observation =>
  line.kind === "ceiling" ? line : { ...line, status: "invalid", marks: [contended] };

/** Changes a load of one runtime. */
const ofRuntime = (runtime: string, change: (line: Observation) => Observation) => (line: Observation) =>
  line.members.some(({ cell }) => cell.point.at["runtime"] === runtime) ? change(line) : line;

const crashed = mark("server-crashed", "it ended with exit 7");

/** Runs with doubts of each place: none, of the run, of cells, of too few rounds, of limits, of a stop. */
const RUNS: Readonly<Record<string, MadeUpRun>> = {
  sound: made,
  "one round": makeFixture({ ...small, together: "plan", rounds: 1 }),
  "all contended": changed(made, voided),
  "half contended": changed(made, (line) => line.round % 2 === 0 ? voided(line) : line),
  "a runtime that crashes": changed(
    made,
    ofRuntime("node", (line) => ({ ...line, status: "failed", marks: [crashed] })),
  ),
  "limited by the generator": changed(
    made,
    ofRuntime("bun", (line) => line.kind === "solo" ? { ...line, bound: "generator" } : line),
  ),
  "nothing together": changed(made, (line) => shared(line) ? voided(line) : line),
  stopped: { ...made, run: { ...made.run, state: "interrupted" } },
};

for (const [what, given] of Object.entries(RUNS)) {
  test(`each doubt is told once on the screen of a run, and one count of comparisons: ${what}`, () => {
    const { run, lines, summary, cards } = wholeRun(given);
    const screen = resultsText(run, summary, cards, lines, { style: styleFor(false, {}), columns: Infinity });
    const all = resultsText(run, summary, cards, lines, { style: styleFor(false, {}), columns: 80, all: true });
    const { none, marks } = summary.answer;
    for (const { code, text } of [...summary.marks, ...none ?? [], ...marks]) {
      const words = (whole: string) => whole.replaceAll(/\s+/g, " ");
      assert.equal(words(screen).split(words(text)).length, 2, `${code}: ${text}\n${screen}`);
    }
    const counts = all.match(/(?:\d+|none|all) of \d+ comparisons? (?:are |is )?decided/g) ?? [];
    assert.ok(counts.length >= 1 && new Set(counts.map((one) => parseInt(one) || 0)).size === 1, `${counts}\n${all}`);
  });
}
