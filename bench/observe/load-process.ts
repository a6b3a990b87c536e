import type { Generator, LoadPlan, LoadResult, SentSoFar } from "../generators/generator.ts";
import { type Child, startChild, within } from "../host/child.ts";
import { childEnvironment } from "../host/runtimes.ts";

/** Where a load generator runs. */
export interface GeneratorSite {
  readonly generator: Generator;
  /** Path of the generator's program. */
  readonly program: string;
  readonly loadCpus: readonly number[] | null;
  /** Whether it runs at raised priority. */
  readonly raised: boolean;
}

/** A load generator at work. */
export interface LoadProcess {
  readonly child: Child;
  /** Resolves when it has finished, with what it counted or why there is nothing to count. */
  readonly result: Promise<LoadResult | { readonly failed: string }>;
  /** Ends the load now; it still reports what it counted. */
  end(): void;
}

/** How much longer than its window a generator may live: replies in flight, its own start and its report. */
const GRACE_MS = 15_000;

/**
 * Starts a load generator.
 *
 * @param onSent told how many requests were sent so far, where the plan says that it is watched
 */
export function startLoad(
  { generator, program, loadCpus, raised }: GeneratorSite,
  plan: LoadPlan,
  onSent?: (sent: SentSoFar) => void,
): LoadProcess {
  const child = startChild({
    file: program,
    args: generator.args(plan),
    cpus: loadCpus,
    raised,
    env: { ...childEnvironment(), ...generator.env(plan) },
  });
  if (onSent !== undefined) {
    child.onLine((line) => {
      const sent = generator.watch(line);
      if (sent !== undefined) onSent(sent);
    });
  }
  return { child, result: finish(generator, plan, child), end: () => child.kill(generator.endSignal) };
}

async function finish(generator: Generator, plan: LoadPlan, child: Child): Promise<LoadResult | { failed: string }> {
  const ending = await within(plan.durationMs + plan.timeoutMs + GRACE_MS, child.ended);
  if (ending === "timeout") {
    child.kill("SIGKILL");
    await child.ended;
    return { failed: `${generator.name} did not end in time` };
  }
  if ("failed" in ending) return { failed: ending.failed };
  // One that was told to end may end by the signal itself, its report written.
  if (ending.code !== 0 && ending.signal !== generator.endSignal) {
    const why = child.stderrTail().split("\n").at(-1) || child.stdout().trim().split("\n").at(-1);
    const how = ending.signal ?? `exit ${ending.code}`;
    return { failed: `${generator.name} ended with ${how}${why ? `: ${why.slice(0, 200)}` : ""}` };
  }
  try {
    return generator.parse(child.stdout(), plan);
  } catch (error) {
    return { failed: `${generator.name}: ${(error as Error).message.split("\n")[0]}` };
  }
}
