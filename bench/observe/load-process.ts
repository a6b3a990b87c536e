import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Generator, LoadPlan, LoadResult, SentSoFar } from "../generators/generator.ts";
import { type Child, startChild, within } from "../host/child.ts";
import { childEnvironment } from "../host/runtimes.ts";

/** Where a load generator runs. */
export interface GeneratorSite {
  readonly generator: Generator;
  /** Path of the generator's program. */
  readonly program: string;
  /** What comes before its own arguments: the module a runtime is to run. */
  readonly lead: readonly string[];
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
  { generator, program, lead, loadCpus, raised }: GeneratorSite,
  plan: LoadPlan,
  onSent?: (sent: SentSoFar) => void,
): LoadProcess {
  const folder = folderFor(generator, plan);
  // From before its start: a driver that must wait for its turn returns from starting it when it has long been at work.
  const started = performance.now();
  const child = startChild({
    file: program,
    args: [...lead, ...generator.args(plan, folder ?? "")],
    cpus: loadCpus,
    raised,
    ownSession: true,
    env: { ...childEnvironment(), ...generator.env(plan) },
  });
  if (onSent !== undefined) {
    child.onLine((line) => {
      const sent = generator.watch(line);
      if (sent !== undefined) onSent(sent);
    });
  }
  const result = finish(generator, plan, child, folder, started).finally(() => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  });
  return { child, result, end: () => child.kill(generator.endSignal) };
}

/** A folder with the files a load needs; null where it has none. */
function folderFor(generator: Generator, plan: LoadPlan): string | null {
  if (generator.input === undefined && generator.output === undefined) return null;
  const folder = mkdtempSync(join(tmpdir(), "levelfield-load-"));
  writeInput(generator, plan, folder);
  return folder;
}

/** Writes the files a load needs into a folder. */
export function writeInput(generator: Generator, plan: LoadPlan, folder: string): void {
  for (const [name, content] of Object.entries(generator.input?.(plan) ?? {})) {
    writeFileSync(join(folder, name), content);
  }
}

/** What a generator wrote into the folder of its load; a file that is not there is left out. */
export function outputIn({ output = [] }: Generator, folder: string | null): Record<string, string> {
  const files: Record<string, string> = {};
  if (folder === null) return files;
  for (const name of output) {
    try {
      files[name] = readFileSync(join(folder, name), "utf8");
    } catch {
      // Its reader says what that means.
    }
  }
  return files;
}

/** Of a number of requests nobody knows how long they take: this and no longer. */
const MOST_MS = 120_000;

async function finish(
  generator: Generator,
  plan: LoadPlan,
  child: Child,
  folder: string | null,
  started: number,
): Promise<LoadResult | { failed: string }> {
  const mostMs = (plan.requests === undefined ? plan.durationMs : MOST_MS) + plan.timeoutMs + GRACE_MS;
  const ending = await within(mostMs, child.ended);
  if (ending === "timeout") {
    child.killAll();
    await child.ended;
    return { failed: `${generator.name} did not end in time` };
  }
  if ("failed" in ending) return { failed: ending.failed };
  // Whatever it has started and left must not run beside what is measured next.
  child.killAll();
  if (ending.leftBehind) {
    return { failed: `${generator.name} has ended and left a process behind that held its output` };
  }
  // One that was told to end may end by the signal itself, its report written.
  if (ending.code !== 0 && ending.signal !== generator.endSignal) {
    const said = child.stderrTail().split("\n");
    // Programs that explain their options afterwards say first what was wrong.
    const why = said.find((line) => /^error\b/i.test(line)) || said.at(-1) || child.stdout().trim().split("\n").at(-1);
    const how = ending.signal ?? `exit ${ending.code}`;
    return { failed: `${generator.name} ended with ${how}${why ? `: ${why.slice(0, 200)}` : ""}` };
  }
  try {
    const result = generator.parse(child.stdout(), plan, outputIn(generator, folder));
    const wallMs = performance.now() - started;
    // A tenth of a second: some count from before their own start.
    return result.durationUs > 1_000 * (wallMs + 100)
      ? { failed: `${generator.name} says it ran ${result.durationUs / 1e6} s, and ended after ${wallMs / 1e3} s` }
      : result;
  } catch (error) {
    return { failed: `${generator.name}: ${(error as Error).message.split("\n")[0]}` };
  }
}
