/**
 * The gate: format, lint, types, shell scripts and all tests that have to hold for a commit; the long rest with `--all`.
 *
 * Steps that measure nothing run side by side. Tests of real benchmarks come last and have the machine to themselves: two
 * benchmarks at once would disturb each other. Every step runs whatever became of the one before. The last lines are what
 * failed, by name, and the sum: `N passed, N failed[, N skipped]`.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "../../bench/host/child.ts";
import type { RuntimeName } from "../../servers/runtime.ts";
import { ROOT, testFiles } from "./folders.ts";
import { type Command, testCommand, tool } from "./test-command.ts";
import { endSteps, type Result, runStep, type Step } from "./run-step.ts";

const tests = (name: string, runner: RuntimeName, files: readonly string[]): Step => ({
  name,
  runner,
  command: testCommand(runner, files),
});

const check = (name: string, ...command: Command): Step => ({ name, command, runner: null });

/** Steps in which the tests on Node alone run, so that no CPU is left with a long one in the end. */
const PARTS = 6;

/** Steps that disturb nobody, the longest first. */
function sideBySide(): Step[] {
  const { touching, others, browser } = testFiles();
  const onNode = [...touching, ...others];
  return [
    tests("pages in a browser, Node", "node", browser),
    tests("code that touches it, Bun", "bun", touching),
    tests("code that touches it, Deno", "deno", touching),
    ...Array.from(
      { length: PARTS },
      (_, part) =>
        tests(`all code, Node, ${part + 1} of ${PARTS}`, "node", onNode.filter((_, n) => n % PARTS === part)),
    ),
    check("types", tool("tsc")),
    check("lint", tool("deno"), "lint"),
    check("format", tool("deno"), "fmt", "--check"),
    findProgram("shellcheck") === undefined
      ? check("shell scripts (syntax only)", "bash", "-n", ...shellScripts())
      : check("shell scripts", "shellcheck", "-x", ...shellScripts()),
  ];
}

/** Steps that need the machine to themselves. */
function alone(all: boolean): Step[] {
  const files = testFiles();
  return [
    tests("real benchmarks, Node", "node", files.alone),
    ...(all ? [tests("the long rest, Node", "node", files.long)] : []),
  ];
}

function shellScripts(): string[] {
  return ["bin", ".ci", "container", "action", "examples"]
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    )
    .filter((file) => /^#!.*\bbash$|^# shellcheck shell=bash/m.test(readFileSync(file, "utf8"))).sort();
}

/** Says a step's line, and all it printed where it failed. */
function say({ name, seconds, passed, failed, skipped, remark, log }: Result): void {
  const told = [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`, remark];
  const line = `${failed > 0 ? "✗" : "✓"} ${name.padEnd(30)} ${String(seconds).padStart(4)}s  `;
  process.stdout.write(`${line}${told.filter(Boolean).join(", ")}\n`);
  if (failed > 0) process.stdout.write(`${log.replaceAll(/^/gm, "  ").trimEnd()}\n`);
}

/** Runs steps, so many at once, each begun as soon as there is room. */
async function runAll(steps: readonly Step[], atOnce: number, scratch: string): Promise<Result[]> {
  const results: Result[] = [];
  const left = [...steps];
  const work = async () => {
    for (let step = left.shift(); step !== undefined; step = left.shift()) {
      const result = await runStep(step, mkdtempSync(join(scratch, "step-")));
      say(result);
      results.push(result);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

async function main(args: readonly string[]): Promise<number> {
  const all = args[0] === "--all";
  if (args.length > (all ? 1 : 0)) {
    process.stderr.write(`error: unknown argument "${args[all ? 1 : 0]}"\n  try: bin/test, or bin/test --all\n`);
    return 2;
  }
  // The run lock, scratch folders and data sets of the tests live and die with this run.
  const scratch = mkdtempSync(join(tmpdir(), "levelfield-gate-"));
  process.once("exit", () => {
    endSteps();
    rmSync(scratch, { recursive: true, force: true });
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));
  // One of them waits for files and servers now and then.
  const results = await runAll(sideBySide(), availableParallelism() + 1, scratch);
  results.push(...await runAll(alone(all), 1, scratch));

  // Once more by name: what they said may stand hundreds of lines above.
  for (const failure of results.flatMap(({ failures }) => failures)) process.stdout.write(`✗ ${failure}\n`);
  const sum = (of: "passed" | "failed" | "skipped") => results.reduce((total, result) => total + result[of], 0);
  const skipped = sum("skipped");
  process.stdout.write(
    `${sum("passed")} passed, ${sum("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`,
  );
  return sum("failed") === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
