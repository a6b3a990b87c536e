/**
 * The gate: format, lint, types, shell scripts and all tests that have to hold for a commit; the long rest with `--all`.
 *
 * Steps that measure nothing run side by side. Tests of real benchmarks come last and have the machine to themselves: two
 * benchmarks at once would disturb each other. Every step runs whatever became of the one before. The last lines are what
 * failed, with the command that runs it alone, what cost most, and the sum: `N passed, N failed[, N skipped]`.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findProgram } from "../../bench/machine/programs.ts";
import { parseEndedChildrenTimes, parseStatTimes } from "../../bench/machine/linux/proc-text.ts";
import { RUNTIME_NAMES, type RuntimeName } from "../../servers/runtime.ts";
import { readArguments, type Wanted } from "./arguments.ts";
import { changedSince, projectTexts, touchedBy } from "./changed.ts";
import { dealt, type Durations, measured } from "./deal.ts";
import { ROOT, type TestFiles, testFiles } from "./folders.ts";
import { runHere } from "./run-here.ts";
import { endSteps, type Result, runStep, type Step } from "./run-step.ts";
import { closingLines } from "./closing-lines.ts";
import { testCommand, tool } from "./test-command.ts";

/** What tests took: measured here, or as committed. */
const MEASURED = join(ROOT, ".data", "test-durations.json");
const COMMITTED = join(ROOT, "tests", "runner", "durations.json");

/** Steps that run test files on a runtime, as many as last about as long. */
function tests(name: string, runner: RuntimeName, files: readonly string[], durations: Durations): Step[] {
  const hands = dealt(files, durations[runner]);
  return hands.map((hand, n) => ({
    name: `${name}, ${runner}${hands.length > 1 ? `, ${n + 1} of ${hands.length}` : ""}`,
    runner,
    command: testCommand(runner, hand.files),
    expectedMs: hand.expectedMs,
  }));
}

const check = (name: string, program: string, ...args: readonly string[]): Step => ({
  ...{ name, runner: null, expectedMs: 10_000 },
  command: { program, args, env: {} },
});

/** False for what other tests show on Node, and more of it: that a reference run follows from its lines, and exports. */
const isShownHere = (file: string) => !file.startsWith("tests/every-runtime/");

/** Steps that disturb nobody, the longest first. */
function sideBySide({ onThree, driver, others, browser }: TestFiles, all: boolean, durations: Durations): Step[] {
  const elsewhere = all ? [...onThree, ...driver] : onThree;
  const scripts = shellScripts();
  return [
    ...tests("pages in a browser", "node", browser, durations),
    ...tests("servers, stores, suites", "bun", elsewhere, durations),
    ...tests("servers, stores, suites", "deno", elsewhere, durations),
    ...tests("all code", "node", [...onThree.filter(isShownHere), ...driver, ...others], durations),
    // What it found last time is kept: unchanged files are not checked again.
    check("types", tool("tsc"), "--incremental", "--tsBuildInfoFile", join(ROOT, ".data", "types.tsbuildinfo")),
    check("lint", tool("deno"), "lint"),
    check("format", tool("deno"), "fmt", "--check"),
    findProgram("shellcheck") === undefined
      ? check("shell scripts (syntax only)", "bash", "-n", ...scripts)
      : check("shell scripts", "shellcheck", "-x", ...scripts),
  ].toSorted((a, b) => b.expectedMs - a.expectedMs);
}

/** The step of tests that need the machine to themselves. */
const alone = (name: string, files: readonly string[]): Step[] =>
  files.length === 0
    ? []
    : [{ name: `${name}, node`, runner: "node", command: testCommand("node", files), expectedMs: 0 }];

function shellScripts(): string[] {
  return ["bin", ".ci", "container", "action", "examples"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  )
    .filter((file) => /^#!.*\bbash$|^# shellcheck shell=bash/m.test(readFileSync(file, "utf8"))).sort();
}

/** Prints a step's line, and its log where it failed. */
function print({ name, seconds, passed, failed, skipped, remark, log }: Result): void {
  const parts = [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`, remark];
  const line = `${failed > 0 ? "✗" : "✓"} ${name.padEnd(36)} ${String(seconds).padStart(4)}s  `;
  process.stdout.write(`${line}${parts.filter(Boolean).join(", ")}\n`);
  if (failed > 0) process.stdout.write(`${log.replaceAll(/^/gm, "  ").trimEnd()}\n`);
}

/** Runs steps, so many at once, each begun as soon as there is room. */
async function runAll(steps: readonly Step[], atOnce: number, scratch: string): Promise<Result[]> {
  const results: Result[] = [];
  const left = [...steps];
  const work = async () => {
    for (let step = left.shift(); step !== undefined; step = left.shift()) {
      const result = await runStep(step, mkdtempSync(join(scratch, "step-")));
      print(result);
      results.push(result);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

/** A folder for all that tests leave behind, which goes with this process, as do its steps. */
function scratchFolder(): string {
  const scratch = mkdtempSync(join(tmpdir(), "levelfield-gate-"));
  process.once("exit", () => {
    endSteps();
    rmSync(scratch, { recursive: true, force: true });
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));
  return scratch;
}

function durationsIn(file: string): Durations {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Durations;
  } catch {
    // A fresh clone has no measured ones, and without any the files are dealt by their number.
    return {};
  }
}

/** CPU time of this process and all that it waited for, in ms; null without /proc. */
function cpuMs(): number | null {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    return ((parseStatTimes(stat) ?? 0) + (parseEndedChildrenTimes(stat) ?? 0)) / 1e6;
  } catch {
    return null;
  }
}

/** The files of tests that a change can touch, by how they are run. */
function onlyTouched(files: TestFiles, base: string): TestFiles {
  const touched = new Set(touchedBy(changedSince(base), Object.values(files).flat(), projectTexts()));
  return Object.fromEntries(
    Object.entries(files).map((
      [kind, all]: [string, readonly string[]],
    ) => [kind, all.filter((file) => touched.has(file))]),
  ) as unknown as TestFiles;
}

async function main(wanted: Wanted): Promise<number> {
  const scratch = scratchFolder();
  if (wanted.kind === "files") return runHere(wanted, scratch);
  const known = { ...durationsIn(COMMITTED), ...durationsIn(MEASURED) };
  const all = wanted.kind === "all";
  const files = wanted.kind === "changed" ? onlyTouched(testFiles(), wanted.base) : testFiles();
  // One more than there are CPUs: some wait for files and servers now and then.
  const results = await runAll(sideBySide(files, all, known), availableParallelism() + 1, scratch);
  results.push(...await runAll(alone("real benchmarks", files.alone), 1, scratch));
  if (all) results.push(...await runAll(alone("the long rest", files.long), 1, scratch));
  mkdirSync(dirname(MEASURED), { recursive: true });
  const there = new Set(Object.values(testFiles()).flat());
  const durations = measured(known, results, (file) => there.has(file));
  writeFileSync(MEASURED, `${JSON.stringify(durations, null, 2)}\n`);
  process.stdout.write(closingLines(results, { wallMs: performance.now(), cpuMs: cpuMs() }));
  return results.every(({ failed }) => failed === 0) ? 0 : 1;
}

const wanted = readArguments(process.argv.slice(2), RUNTIME_NAMES);
if (typeof wanted === "string") {
  process.stderr.write(wanted);
  process.exitCode = 2;
} else process.exitCode = await main(wanted);
