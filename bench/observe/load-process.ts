import type { Generator, LoadPlan, LoadResult, SentSoFar } from "../generators/generator.ts";
import { whyExposed } from "../generators/refuse.ts";
import { usageError } from "../basics/errors.ts";
import { within } from "../machine/clock.ts";
import { FOLDER, type HostProcess } from "../pipe/host.ts";
import type { Priority } from "../machine/priority.ts";
import type { Hosts } from "./sample-load.ts";
import type { Tool } from "./site.ts";

/** The place of a load generator. */
export interface GeneratorSite {
  readonly hosts: Pick<Hosts, "load">;
  readonly tool: Pick<Tool, "generator" | "program" | "lead">;
  readonly placement: { readonly loadCpus: readonly number[] | null };
  readonly priority: Pick<Priority, "nice">;
  /** Receives the way to end each generator process, for an interrupt. */
  readonly onStart: (kill: () => void) => void;
}

/** A load generator at work. */
export interface LoadProcess {
  readonly process: HostProcess;
  /** Resolves with its counts, or the reason why there are none. */
  readonly result: Promise<LoadResult | { readonly failed: string }>;
  /** Ends the load now; it still reports its counts. */
  end(): Promise<void>;
}

/** Time limit of a generator beyond its window, in ms: replies in flight, its start and its report. */
const GRACE_MS = 15_000;

/**
 * Starts a load generator. Throws a usage error where its arguments would show a secret, wherever the plan came from.
 *
 * @param onSent receives how many requests were sent so far, where the plan says that it is watched
 */
export async function startLoad(
  { hosts, tool: { generator, program, lead }, placement, priority, onStart }: GeneratorSite,
  plan: LoadPlan,
  onSent?: (sent: SentSoFar) => void,
): Promise<LoadProcess> {
  // The time is taken before the start: under load the driver may return from it late.
  const started = performance.now();
  const watch = generator.watch(), greeted = Promise.withResolvers<void>();
  for (const { requests } of plan.targets) {
    const shown = whyExposed(generator, requests);
    if (shown !== null) throw usageError(shown);
  }
  const process = await hosts.load.start({
    file: program,
    args: [...lead, ...generator.args(plan, FOLDER)],
    cpus: placement.loadCpus,
    raised: priority.nice !== null,
    ownSession: true,
    env: generator.env(plan),
    ...(generator.input === undefined ? {} : { files: generator.input(plan) }),
    ...(generator.output === undefined ? {} : { output: generator.output }),
  }, {
    onStart,
    ...(onSent === undefined && !generator.abilities.greets ? {} : {
      onLine(line) {
        greeted.resolve();
        const sent = watch(line);
        if (sent !== undefined) onSent?.(sent);
      },
    }),
  });
  const result = finish(generator, plan, process, started);
  return {
    process,
    result,
    async end() {
      if (generator.abilities.greets) await Promise.race([greeted.promise, process.ended]);
      await process.kill(generator.endSignal);
    },
  };
}

async function finish(
  generator: Generator,
  plan: LoadPlan,
  process: HostProcess,
  started: number,
): Promise<LoadResult | { failed: string }> {
  const mostMs = plan.durationMs + plan.timeoutMs + GRACE_MS;
  const ending = await within(mostMs, process.ended);
  if (ending === "timeout") {
    process.killAll();
    await process.ended;
    return { failed: `${generator.name} did not end in time` };
  }
  if ("failed" in ending) return { failed: ending.failed };
  // Its processes must not run during the next measurement.
  process.killAll();
  if (ending.leftBehind) {
    return { failed: `${generator.name} has ended and left a process behind that held its output` };
  }
  // A generator that gets a signal may end by the signal itself, its report written.
  if (ending.code !== 0 && ending.signal !== generator.endSignal) {
    const printed = process.stderrTail().split("\n");
    // Some programs print an error first, and then their options.
    const why = printed.find((line) => /^error\b/i.test(line)) || printed.at(-1) ||
      process.stdout().trim().split("\n").at(-1);
    const how = ending.signal ?? `exit ${ending.code}`;
    return { failed: `${generator.name} ended with ${how}${why ? `: ${why.slice(0, 200)}` : ""}` };
  }
  try {
    const result = generator.parse(process.stdout(), plan, ending.files ?? {});
    const wallMs = performance.now() - started;
    // A tenth of a second: some count from before their start.
    return result.durationUs > 1_000 * (wallMs + 100)
      ? { failed: `${generator.name} says it ran ${result.durationUs / 1e6} s, and ended after ${wallMs / 1e3} s` }
      : result;
  } catch (error) {
    return { failed: `${generator.name}: ${(error as Error).message.split("\n")[0]}` };
  }
}
