/** What test runners say at their end, and which lines of theirs are worth reading. */
import type { RuntimeName } from "../../servers/runtime.ts";

/** How many tests a runner counted. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What each runner prints with its numbers; the last line that matches counts. */
const SAID: Readonly<Record<RuntimeName, Readonly<Record<keyof Counts, readonly RegExp[]>>>> = {
  node: {
    passed: [/^[ℹ#] pass (\d+)/gm],
    failed: [/^[ℹ#] fail (\d+)/gm, /^[ℹ#] cancelled (\d+)/gm],
    skipped: [/^[ℹ#] skipped (\d+)/gm],
  },
  deno: { passed: [/(\d+) passed/g], failed: [/(\d+) failed/g], skipped: [/(\d+) ignored/g] },
  bun: {
    passed: [/^ *(\d+) pass$/gm],
    failed: [/^ *(\d+) fail$/gm, /^ *(\d+) errors?$/gm],
    skipped: [/^ *(\d+) skip$/gm],
  },
};

/** Reads a runner's numbers from what it printed; 0 where it does not say one. */
export function countTests(runner: RuntimeName, log: string): Counts {
  const sum = (patterns: readonly RegExp[]) =>
    patterns.reduce((all, pattern) => all + Number([...log.matchAll(pattern)].at(-1)?.[1] ?? 0), 0);
  const { passed, failed, skipped } = SAID[runner];
  return { passed: sum(passed), failed: sum(failed), skipped: sum(skipped) };
}

/** Names of the tests that failed, as their runner prints them. */
export function failedTests(log: string): string[] {
  const lines = log.split("\n").filter((line) => /\.\.\. FAILED|^✖ .*[0-9]ms\)|^\(fail\)/.test(line));
  return [...new Set(lines.map((line) => line.replace(/^✖ /, "")))];
}

/** The lines of a log that are not of a test that passed or was skipped. */
export function withoutPassed(log: string): string {
  return log.split("\n")
    .filter((line) => !/^ *(✔|﹣|\(pass\)|\(skip\))|\.\.\. (ok|ignored) \(\d/.test(line))
    .join("\n");
}
