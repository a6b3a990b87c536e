/** Runs one step of the gate for as long as it gets on, and tells what came of it. */
import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RuntimeName } from "../../servers/runtime.ts";
import { type Counts, countTests, type ReportedTest, reportedTests, withoutPassed } from "./read-log.ts";
import { ROOT } from "./folders.ts";
import { cpuMsOf, endTree } from "./process-tree.ts";
import { rerunOf } from "./rerun.ts";
import type { Command } from "./test-command.ts";
import { BEGUN, LOOK_MS, progressed, stuck } from "./progress.ts";

/** A part of the gate. */
export interface Step {
  readonly name: string;
  readonly command: Command;
  /** Whose tests it runs; null for a check that holds or does not. */
  readonly runner: RuntimeName | null;
  /** How long it took before; 0 where nobody knows. */
  readonly expectedMs: number;
}

/** What came of a step. */
export interface Result extends Counts {
  readonly name: string;
  readonly seconds: number;
  /** What is to be said of it beside its numbers. */
  readonly remark: string;
  /** What failed, each with the command that runs it alone. */
  readonly failures: readonly string[];
  /** Each test with its file and time; none for a check. */
  readonly tests: readonly ReportedTest[];
  readonly runner: RuntimeName | null;
  /** What it printed, without tests that passed. */
  readonly log: string;
}

/** How often a step is looked at, and its time to say which test was running once it is given up. */
interface Pace {
  readonly lookMs: number;
  readonly lastWordsMs: number;
}

const PACE: Pace = { lookMs: LOOK_MS, lastWordsMs: 5_000 };

/** Steps at work, to be ended with the gate. */
const running = new Set<number>();

/** Ends all steps at work. */
export function endSteps(): void {
  for (const pid of running) endTree(pid);
}

/** Runs a step in a process group of its own, with a folder of its own for what it leaves behind. */
export async function runStep(step: Step, folder: string, pace: Pace = PACE): Promise<Result> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "step.log");
  const began = performance.now();
  const ended = await runToEnd(step, folder, file, pace);
  const seconds = Math.round((performance.now() - began) / 1_000);
  const log = readFileSync(file, "utf8");
  return { name: step.name, runner: step.runner, seconds, ...resultOf(step, ended, log) };
}

/** How a step's process ended; `stopped` says why it did not end by itself. */
interface StepEnd {
  readonly code: number | null;
  readonly stopped: string | null;
}

/** Judges a step by how it ended and what it printed. A runner that crashed or ran nothing has failed, too. */
export function resultOf({ name, runner }: Pick<Step, "name" | "runner">, { code, stopped }: StepEnd, log: string) {
  const counts = runner === null
    ? { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 }
    : countTests(runner, log);
  const wrong = stopped ??
    (counts.passed + counts.failed + counts.skipped === 0
      ? "no test ran"
      : code !== 0 && counts.failed === 0
      ? `the runner ended with exit ${code}`
      : "");
  const failed = wrong === "" ? counts.failed : Math.max(1, counts.failed);
  const tests = runner === null ? [] : reportedTests(runner, log);
  const named = tests.filter(({ outcome }) => outcome === "failed").map((test) => rerunOf(test, runner!));
  const failures = failed === 0 ? [] : named.length === 0 ? [name] : [...new Set(named)];
  return { ...counts, failed, remark: wrong, failures, tests, log: withoutPassed(log) };
}

/** How long a test awaits one thing at most before it fails with what it awaited; a busy machine needs seconds. */
const PATIENCE_MS = 600_000;

/**
 * What tests find in their environment: a folder for all they leave behind, and their patience. Processes of Node keep compiled
 * code beside it, with which those of all steps start in half the CPU time; servers under test do not see it.
 */
export const testEnvironment = (folder: string): Readonly<Record<string, string>> => ({
  TMPDIR: folder,
  NODE_COMPILE_CACHE: join(dirname(folder), "compile-cache"),
  LEVELFIELD_GATE: folder,
  LEVELFIELD_PATIENCE_MS: String(PATIENCE_MS),
});

function runToEnd(
  { command: { program, args, env } }: Step,
  folder: string,
  file: string,
  pace: Pace,
): Promise<StepEnd> {
  const output = openSync(file, "w");
  const child = spawn(program, args, {
    cwd: ROOT,
    detached: true,
    stdio: ["ignore", output, output],
    env: { ...process.env, ...env, ...testEnvironment(folder) },
  });
  closeSync(output);
  return new Promise((resolve) => {
    const pid = child.pid;
    // It could not be started.
    child.once("error", (error) => resolve({ code: null, stopped: error.message }));
    if (pid === undefined) return;
    running.add(pid);
    let stopped: string | null = null;
    let progress = BEGUN;
    const looks = setInterval(() => {
      progress = progressed(progress, { printedBytes: statSync(file).size, cpuMs: cpuMsOf(pid) });
      stopped = stuck(progress);
      if (stopped === null) return;
      clearInterval(looks);
      process.kill(-pid, "SIGINT");
      setTimeout(() => running.has(pid) && endTree(pid), pace.lastWordsMs).unref();
    }, pace.lookMs);
    child.once("close", (code) => {
      clearInterval(looks);
      running.delete(pid);
      resolve({ code, stopped });
    });
  });
}
