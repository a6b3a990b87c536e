/** The last lines of the gate: what failed and how to run it alone, what cost most, and the sum. */
import type { Result } from "./run-step.ts";

/** What a run of the gate took. */
interface Cost {
  readonly wallMs: number;
  /** Null where the machine does not say. */
  readonly cpuMs: number | null;
}

/** How many of the costliest tests are named. */
const COSTLIEST = 5;

function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Lines that end with `N passed, N failed[, N skipped]`, alone on its line as tools that read it expect. */
export function closingLines(
  results: readonly Pick<Result, "passed" | "failed" | "skipped" | "failures" | "tests" | "runner">[],
  { wallMs, cpuMs }: Cost,
): string {
  const costliest = results.flatMap(({ runner, tests }) => tests.map((test) => ({ runner, ...test })))
    .toSorted((a, b) => b.ms - a.ms).slice(0, COSTLIEST);
  const sum = (of: "passed" | "failed" | "skipped") => results.reduce((total, result) => total + result[of], 0);
  const skipped = sum("skipped");
  return [
    // Once more by name: what they said may stand hundreds of lines above.
    ...results.flatMap(({ failures }) => failures).map((failure) => `✗ ${failure}`),
    ...costliest.map(({ ms, file, name, runner }) =>
      `${(ms / 1_000).toFixed(1).padStart(6)} s  ${file ?? "the runner"} on ${runner}: ${name}`
    ),
    `It took ${duration(wallMs)}${
      cpuMs === null ? "" : ` and ${duration(cpuMs)} of CPU time`
    }; above, the tests that took most.`,
    `${sum("passed")} passed, ${sum("failed")} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`,
    "",
  ].join("\n");
}
