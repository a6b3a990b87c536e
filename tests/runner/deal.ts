/** Deals test files to steps by how long each took before, so that steps end at about the same time. */
import type { RuntimeName } from "../../servers/runtime.ts";
import type { ReportedTest } from "./read-log.ts";

/** Milliseconds each file took on each runtime, loading left out. */
export type Durations = Readonly<Partial<Record<RuntimeName, Readonly<Record<string, number>>>>>;

/** Shorter files are not noted: most of these files take a few milliseconds. */
const NOTED_MS = 500;

/** What a file takes that is not noted. */
const UNKNOWN_MS = 100;

/** A step as long as this costs little besides its tests: each loads the code anew, in about a second of CPU time. */
const STEP_MS = 40_000;

/** A step's files, and how long they took before. */
interface Hand {
  readonly files: readonly string[];
  readonly expectedMs: number;
}

/** Parts files among steps: the longest file first, each to the step that has least. */
export function dealt(files: readonly string[], durations: Readonly<Record<string, number>> = {}): Hand[] {
  const known = files.map((file) => ({ file, ms: durations[file] ?? UNKNOWN_MS })).toSorted((a, b) => b.ms - a.ms);
  const totalMs = known.reduce((sum, { ms }) => sum + ms, 0);
  const hands = Array.from({ length: Math.ceil(totalMs / STEP_MS) }, () => ({ files: [] as string[], expectedMs: 0 }));
  for (const { file, ms } of known) {
    const least = hands.reduce((a, b) => b.expectedMs < a.expectedMs ? b : a);
    least.files.push(file);
    least.expectedMs += ms;
  }
  return hands;
}

/**
 * Milliseconds each file took, from the tests that steps reported; files that did not run keep what they had. Files that are
 * no tests any more have none, nor have short ones.
 */
export function measured(
  before: Durations,
  results: readonly { readonly runner: RuntimeName | null; readonly tests: readonly ReportedTest[] }[],
  isTest: (file: string) => boolean,
): Durations {
  const after: Record<string, Record<string, number>> = {};
  for (const { runner, tests } of results) {
    for (const { file, ms } of runner === null ? [] : tests) {
      if (file === null) continue;
      const files = after[runner!] ??= {};
      files[file] = Math.round((files[file] ?? 0) + ms);
    }
  }
  const runtimes = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort() as RuntimeName[];
  return Object.fromEntries(runtimes.map((runtime) => {
    const files = Object.entries({ ...before[runtime], ...after[runtime] });
    const kept = files.filter(([file, ms]) => isTest(file) && ms > NOTED_MS);
    return [runtime, Object.fromEntries(kept.sort(([a], [b]) => a < b ? -1 : 1))];
  }));
}
