/** Deals test files to steps by how long each took before, so that steps end at about the same time. */
import type { RuntimeName } from "../../servers/runtime.ts";
import type { ReportedTest } from "./read-log.ts";

/** Milliseconds each file took on each runtime, loading left out. */
export type Durations = Readonly<Partial<Record<RuntimeName, Readonly<Record<string, number>>>>>;

/** What a file takes that nobody has measured yet. */
const UNKNOWN_MS = 500;

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

/** Milliseconds each file took, from the tests that steps reported; files that did not run keep what they had. */
export function measured(
  before: Durations,
  results: readonly { readonly runner: RuntimeName | null; readonly tests: readonly ReportedTest[] }[],
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
    const files = { ...before[runtime], ...after[runtime] };
    return [runtime, Object.fromEntries(Object.entries(files).sort(([a], [b]) => a < b ? -1 : 1))];
  }));
}
