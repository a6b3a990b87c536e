import assert from "node:assert/strict";
import { test } from "node:test";
import { wholeRun } from "../../tests/fixtures/derived-run.ts";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { comparisonMarkdown, comparisonTable } from "../report/comparison-table.ts";
import { styleFor } from "../report/style.ts";
import { type ComparedRun, compareRuns } from "./compare-runs.ts";
import { slopesOverRuns } from "./slopes-over-runs.ts";

const WISH = { stores: ["map"], sizes: [10_000], together: "plan" } as const;

/** Runs whose core is slower from round to round; costs of Node follow it with a power of their own. */
function runsWith(power: number, rounds = 6): ComparedRun[] {
  return ["one", "two", "three"].map((name) => {
    const made = makeFixture({ ...WISH, rounds, run: name });
    for (const { kind, round, members } of made.lines) {
      if (kind !== "ensemble") continue;
      for (const member of members) {
        const isNode = member.cell.point.at["runtime"] === "node";
        Object.assign(member, {
          cpu_ns_per_request: member.cpu_ns_per_request! * 1.05 ** (round * (isNode ? power : 1)),
        });
      }
    }
    return wholeRun(made);
  });
}

test("a ratio that moves with the core's speed in each run is said over all of them, and only of such pairs", () => {
  const runs = runsWith(0.5);
  const found = slopesOverRuns(runs);
  assert.ok(found.length > 0);
  for (const { over, under, slow, fast } of found) {
    assert.ok([over, under].some((name) => name.startsWith("node")), `${over} and ${under}`);
    // Node loses less on a slow core.
    const [ofSlow, ofFast] = over.startsWith("node") ? [slow.ratio, fast.ratio] : [1 / slow.ratio, 1 / fast.ratio];
    assert.ok(ofSlow > ofFast, `${over} over ${under}: ${slow.ratio} to ${fast.ratio}`);
  }
  const comparison = { ...compareRuns(runs[0]!, runs.slice(1)), slopes: found };
  const said = /Over all runs \S+ is \d\.\d+ \(slow core\) to \d\.\d+ \(fast core\) × \S+\./;
  assert.match(comparisonTable(["A", "B"], comparison, { style: styleFor(false, {}), columns: Infinity }), said);
  assert.match(comparisonMarkdown(["A", "B"], comparison), said);
});

test("nothing is said where ratios stay, where a run did not measure the two together, and of no run", () => {
  const runs = runsWith(0.5);
  assert.deepEqual(slopesOverRuns(runsWith(1)), []);
  const { run, lines } = runs[0]!;
  const judged = wholeRun({ run, lines: lines.filter(({ kind }) => kind !== "ensemble") });
  assert.deepEqual(slopesOverRuns([runs[1]!, judged]), []);
  assert.deepEqual(slopesOverRuns([]), []);
  const other = { ...runs[2]!, run: { ...runs[2]!.run, machine: { ...runs[2]!.run.machine, cpu_model: "another" } } };
  assert.deepEqual(slopesOverRuns([runs[0]!, runs[1]!, other]), []);
});
