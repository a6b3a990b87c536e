import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Names the folder in which servers without a profiler write what their work costs. */
export const WORK_COSTS = "LEVELFIELD_WORK_COSTS";

/** Calls whose mean is one figure, and figures that are kept: those of the last loads, long after the warm-up. */
const CALLS = 4_096, KEPT = 32;

/** Work of an app that does none. */
export const idle = (): number => 0;

/**
 * The same work, timed call by call in the server that does it, less what the clock takes: the server has its core for
 * itself, so what passes is CPU time.
 */
export function timedWork(work: () => number): () => number {
  const file = fileOfCosts();
  const costs: number[] = [];
  let calls = 0, spentMs = 0;
  return () => {
    const before = performance.now();
    const done = work();
    const after = performance.now();
    spentMs += after - before - (performance.now() - after);
    if (++calls === CALLS) {
      costs.push(1_000 * spentMs / CALLS);
      if (costs.length > KEPT) costs.shift();
      [calls, spentMs] = [0, 0];
      if (file !== null && work !== idle) writeFileSync(file, JSON.stringify(costs));
    }
    return done;
  };
}

/** Where this process writes; null where nobody asked, or a profiler's thread has a part of its core. */
function fileOfCosts(): string | null {
  const folder = process.env[WORK_COSTS];
  const isPlain = folder !== undefined && !readFileSync("/proc/self/cmdline", "utf8").includes("--cpu-prof");
  return isPlain ? join(folder, `${process.pid}.json`) : null;
}

/** What servers wrote, microseconds a call; then forgets it. */
export const takeCosts = (folder: string): number[] =>
  readdirSync(folder).map((name) => join(folder, name)).flatMap((file) => {
    const costs = JSON.parse(readFileSync(file, "utf8")) as number[];
    rmSync(file);
    return costs;
  });
