import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { BenchError } from "../basics/errors.ts";
import { SUITES } from "../../suites/registry.ts";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { referenceName } from "../../tests/fixtures/reference-name.ts";
import { findReference } from "./find-reference.ts";
import { findRun, listRuns } from "./read-run.ts";
import { thisCpuKind } from "../machine/this-machine.ts";

const [FIRST, SECOND] = SUITES.map(({ name }) => name) as [string, string];

/** A run.json as far as it says which reference it is. */
const facts = (suite: string, cpu_kind: string, preset: string | null = null) => ({
  plan: { suite: { name: suite }, preset },
  machine: { cpu_kind },
});

/** Makes a folder of runs, looks at it and removes it. */
const withRuns = (runs: Readonly<Record<string, unknown>>, look: (results: string) => void) =>
  inTemporaryFolder((results) => {
    for (const [name, run] of Object.entries(runs)) {
      mkdirSync(join(results, name));
      writeFileSync(join(results, name, "run.json"), typeof run === "string" ? run : JSON.stringify(run));
    }
    look(results);
  });

/** The runs of a folder under the names they must have. */
const named = (...runs: ReturnType<typeof facts>[]) =>
  Object.fromEntries(runs.map((run) => [referenceName(run, FIRST), run]));

test("reference is the first suite's run of this kind of CPU", async () => {
  const runs = named(facts(FIRST, "amd-25-1"), facts(FIRST, "intel-6-207"), facts(SECOND, "intel-6-207"));
  await withRuns(runs, (results) => {
    const found = findReference(results, listRuns(results), "intel-6-207");
    assert.deepEqual(found, { name: "reference-intel-6-207", note: null });
  });
});

test("without one of this kind it is the first suite's first in the alphabet, and that is said", async () => {
  const runs = {
    ...named(
      facts(SECOND, "aaa"),
      facts(FIRST, "aaa", "tutorial"),
      facts(FIRST, "intel-6-85"),
      facts(FIRST, "intel-6-207"),
    ),
    "reference-aab": "{ damaged",
    "reference-aac": facts(FIRST, "another-kind-than-its-name"),
  };
  await withRuns(runs, (results) => {
    const found = findReference(results, listRuns(results), "apple-m2")!;
    assert.equal(found.name, "reference-intel-6-207");
    assert.match(
      found.note!,
      /^there is no "reference-apple-m2": taking "reference-intel-6-207", of another kind of CPU/,
    );
  });
});

test("a folder named reference wins, and without any reference that is said with the run there is", async () => {
  const told: string[] = [];
  const find = (results: string) => findRun(results, "reference", (line) => told.push(line));
  await withRuns({ "reference": facts(FIRST, thisCpuKind()), ...named(facts(FIRST, thisCpuKind())) }, (results) => {
    assert.equal(find(results), join(results, "reference"));
  });
  await withRuns(named(facts(FIRST, thisCpuKind()), facts(FIRST, "a-0-0")), (results) => {
    assert.equal(find(results), join(results, `reference-${thisCpuKind()}`));
  });
  assert.deepEqual(told, []);
  await withRuns(named(facts(FIRST, "a-0-0")), (results) => {
    assert.equal(find(results), join(results, "reference-a-0-0"));
  });
  assert.match(told.join("\n"), /^there is no "reference-.*taking "reference-a-0-0"[^\n]*$/);
  await withRuns({ "2026-11-21-101500": facts(FIRST, "a-0-0"), ...named(facts(SECOND, thisCpuKind())) }, (results) => {
    assert.throws(() => find(results), {
      message: `there is no reference run in "${results}"`,
      hint: '"2026-11-21-101500" is the newest; bench show --list has all',
    });
    const hintOf = (name: string) => {
      try {
        return findRun(results, name);
      } catch (error) {
        return (error as BenchError).hint;
      }
    };
    assert.equal(hintOf("2026-11-21-101505"), 'did you mean "2026-11-21-101500"?');
    assert.match(hintOf("reference-")!, /^did you mean "reference-[^"]*"\?$/, "part of a name");
    assert.equal(hintOf("nosuchrun"), '"2026-11-21-101500" is the newest; bench show --list has all');
  });
});

test("the newest run is none that is kept under a name", async () => {
  const run = facts(FIRST, "a-0-0");
  await withRuns({ "2026-11-21-101500": run, "audit-express": run, "reference-a-0-0": run }, (results) => {
    assert.equal(findRun(results, undefined), join(results, "2026-11-21-101500"));
  });
});
