import type { Generator, LoadPlan, LoadResult } from "../generators/generator.ts";
import { type Child, startChild, within } from "../host/child.ts";
import { childEnvironment } from "../host/runtimes.ts";

/** A load generator at work. */
export interface LoadProcess {
  readonly child: Child;
  /** Resolves when it has finished, with what it counted or why there is nothing to count. */
  readonly result: Promise<LoadResult | { readonly failed: string }>;
}

/** How much longer than its window a generator may live: replies in flight, its own start and its report. */
const GRACE_MS = 15_000;

/** Starts a load generator. */
export function startLoad(
  generator: Generator,
  program: string,
  plan: LoadPlan,
  cpus: readonly number[] | null,
): LoadProcess {
  const child = startChild({
    file: program,
    args: generator.args(plan),
    cpus,
    env: { ...childEnvironment(), ...generator.env(plan) },
  });
  return { child, result: finish(generator, plan, child) };
}

async function finish(generator: Generator, plan: LoadPlan, child: Child): Promise<LoadResult | { failed: string }> {
  const ending = await within(plan.durationMs + plan.timeoutMs + GRACE_MS, child.ended);
  if (ending === "timeout") {
    child.kill("SIGKILL");
    await child.ended;
    return { failed: `${generator.name} did not end in time` };
  }
  if ("failed" in ending) return { failed: ending.failed };
  if (ending.code !== 0) {
    const why = child.stderrTail().split("\n").at(-1) || child.stdout().trim().split("\n").at(-1);
    return { failed: `${generator.name} ended with ${ending.signal ?? `exit ${ending.code}`}${why ? `: ${why}` : ""}` };
  }
  try {
    return generator.parse(child.stdout(), plan);
  } catch (error) {
    return { failed: `${generator.name}: ${(error as Error).message.split("\n")[0]}` };
  }
}
