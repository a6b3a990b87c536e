/** Reads what the test runners of the three runtimes print: each test with its file, its time and what came of it. */
import type { RuntimeName } from "../../servers/runtime.ts";

/** One test as its runner reported it. */
export interface ReportedTest {
  /** The file it stands in, from the project's folder; null for tests of the runner's own files. */
  readonly file: string | null;
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** 0 where the runner says none. */
  readonly ms: number;
}

/** How many tests a runner counted. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

const MARKER = "tests of ";

/** The name of the test that stands before those of a file. */
export const markerOf = (file: string): string => `${MARKER}${file}`;

/** A test's line of each runner: sign of its outcome, name, time. */
const LINES: Readonly<Record<RuntimeName, RegExp>> = {
  node: /^(?<sign>[✔✖﹣]) (?<name>.*) \((?<time>[\d.]+ms)\)(?: # .*)?$/,
  deno: /^(?<name>.*) \.\.\. (?<sign>ok|FAILED|ignored) \((?<time>[\dhmsµ. ]+)\)$/,
  bun: /^\((?<sign>pass|fail|skip)\) (?<name>.*?)(?: \[(?<time>[\d.]+m?s)\])?$/,
};

const OUTCOMES: Readonly<Record<string, ReportedTest["outcome"]>> = {
  ...{ "✔": "passed", ok: "passed", pass: "passed" },
  ...{ "✖": "failed", FAILED: "failed", fail: "failed" },
  ...{ "﹣": "skipped", ignored: "skipped", skip: "skipped" },
};

/** Where a runner begins to print failures a second time, after all tests. */
const REPEATS: Readonly<Partial<Record<RuntimeName, RegExp>>> = {
  node: /^✖ failing tests:$/m,
  bun: /^\d+ tests (?:skipped|failed|todo):$/m,
};

/** What each runner prints with its numbers; the last line that matches counts. */
const SUMS: Readonly<Record<RuntimeName, Readonly<Record<keyof Counts, readonly RegExp[]>>>> = {
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

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1, "µs": 0.001 };

/** Milliseconds of a time such as `12ms`, `1.5s` or `2m3s`. */
function msOf(time: string | undefined): number {
  return [...(time ?? "").matchAll(/([\d.]+)(ms|µs|h|m|s)/g)].reduce(
    (sum, [, n, unit]) => sum + Number(n) * UNIT_MS[unit!]!,
    0,
  );
}

/** All tests of a log in the order in which they ended, without those that name a file. */
export function reportedTests(runner: RuntimeName, log: string): ReportedTest[] {
  const repeats = REPEATS[runner];
  const end = repeats === undefined ? -1 : log.search(repeats);
  const found: ReportedTest[] = [];
  let file: string | null = null;
  for (const line of (end < 0 ? log : log.slice(0, end)).split("\n")) {
    const groups = LINES[runner].exec(line)?.groups;
    if (groups === undefined) continue;
    const { sign, name, time } = groups as { sign: string; name: string; time?: string };
    if (name.startsWith(MARKER)) file = name.slice(MARKER.length);
    else found.push({ file, name, outcome: OUTCOMES[sign]!, ms: msOf(time) });
  }
  return found;
}

/** A runner's own numbers, 0 where it does not say one; tests that name a file are left out. */
export function countTests(runner: RuntimeName, log: string): Counts {
  const sum = (patterns: readonly RegExp[]) =>
    patterns.reduce((all, pattern) => all + Number([...log.matchAll(pattern)].at(-1)?.[1] ?? 0), 0);
  const { passed, failed, skipped } = SUMS[runner];
  const markers =
    log.split("\n").filter((line) => LINES[runner].exec(line)?.groups?.["name"]?.startsWith(MARKER)).length;
  return { passed: Math.max(0, sum(passed) - markers), failed: sum(failed), skipped: sum(skipped) };
}

/** The lines of a log that are not of a test that passed or was skipped. */
export function withoutPassed(log: string): string {
  return log.split("\n")
    .filter((line) => !/^ *(✔|﹣|\(pass\)|\(skip\))|\.\.\. (ok|ignored) \(\d/.test(line))
    .join("\n");
}
