import assert from "node:assert/strict";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BenchError } from "../basics/errors.ts";
import { keptBisection } from "./bisection-file.ts";
import { scratchFolder } from "../process/scratch-folder.ts";

const NAMES = ["bun@1.0.0", "bun@1.1.0", "bun@1.2.0", "bun@1.3.0"];
const QUESTION = "map/10k";

/** Runs in a folder of runs of its own, and gives the file of the bisection requested. */
function inResults(run: (results: string, file: string) => void): void {
  const scratch = scratchFolder("levelfield-bisection-");
  const results = join(scratch.path, "runs");
  try {
    run(results, keptBisection(results, QUESTION, NAMES).file);
  } finally {
    scratch.remove();
  }
}

/** What a refusal says, and the command after it. */
function refusal(results: string): string {
  try {
    keptBisection(results, QUESTION, NAMES);
  } catch (error) {
    assert.ok(error instanceof BenchError && !error.message.includes("\n"), String(error));
    return `${error.message} | ${error.hint}`;
  }
  return "none";
}

const comparison = (over: string, under: string) => ({
  ...{ over, under, basis: "together", rounds: 8, ratio: 1.2, delta: 0.01, adjusted_p: 0.01, rounds_needed: null },
  ...{ verdict: "faster", smallest_detectable: 0.01, interval: { low: 1.1, high: 1.3, level: 0.95 } },
});
const step = (middle: number | null, pairs: readonly (readonly [number, number])[]) => ({
  ...{ run: "r", rounds: 8, middle },
  comparisons: pairs.map(([a, b]) => comparison(NAMES[a]!, NAMES[b]!)),
});

test("a bisection goes on from the file of its own question, and any other question or versions have another file", () =>
  inResults((results, file) => {
    const kept = keptBisection(results, QUESTION, NAMES);
    assert.ok(!existsSync(results), "nothing is written before there is something to keep");
    kept.state.left_out.push({ version: 2, reason: "it does not start" });
    kept.save();
    assert.deepEqual(keptBisection(results, QUESTION, NAMES).state.left_out, kept.state.left_out);
    const others = [["map/1m", NAMES], [QUESTION, NAMES.slice(1)], [QUESTION, NAMES.toReversed()]] as const;
    for (const [question, names] of others) {
      const other = keptBisection(results, question, names);
      assert.notEqual(other.file, file);
      assert.deepEqual(other.state.left_out, []);
    }
  }));

test("a bisection is read from a plain file alone", () =>
  inResults((results, file) => {
    mkdirSync(results);
    symlinkSync("nowhere", file);
    assert.equal(
      refusal(results),
      `cannot read "${file}": it is a link, and only plain files are read | remove it to begin anew: rm -r ${file}`,
    );
  }));

test("a state that does not answer the question is refused in one line, with the command that begins anew", () =>
  inResults((results, file) => {
    mkdirSync(results);
    const { state } = keptBisection(results, QUESTION, NAMES);
    const first = step(1, [[0, 3], [0, 1], [1, 3]]);
    const misfits: readonly (readonly [state: unknown, why: string])[] = [
      [{ ...state, versions: NAMES.slice(1) }, "it has 3 versions from bun@1.1.0 to bun@1.3.0"],
      [{ ...state, versions: NAMES.with(1, "bun@1.1.1") }, "it has 4 versions from bun@1.0.0 to bun@1.3.0"],
      [{ ...state, question: "f".repeat(64) }, "it is of another app, another suite, or another plan"],
      [{ ...state, left_out: [{ version: 3, reason: "" }] }, "it has version 3 between ends 0 and 3"],
      [{ ...state, steps: [step(9, [])] }, "it has version 9 between ends 0 and 3"],
      [{ ...state, steps: [step(1, [[0, 3], [0, 2], [2, 3]])] }, 'run "r" does not compare versions 0 and 1'],
      [{ ...state, steps: [first, step(null, [])] }, 'run "r" does not compare versions 0 and 3'],
    ];
    for (const [misfit, why] of misfits) {
      writeFileSync(file, JSON.stringify(misfit));
      assert.equal(
        refusal(results),
        `"${file}" does not answer this question: ${why} | remove it to begin anew: rm -r ${file}`,
      );
    }
    for (const text of ["", "{", "null", "[".repeat(100_000), JSON.stringify({ ...state, more: 1 })]) {
      writeFileSync(file, text);
      assert.equal(refusal(results), `"${file}" is damaged | remove it to begin anew: rm -r ${file}`);
    }
    writeFileSync(file, JSON.stringify({ ...state, steps: [first] }));
    assert.equal(refusal(results), "none");
  }));
