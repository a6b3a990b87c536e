import { join } from "node:path";
import type { PrepareEvent } from "../../stores/prepared/main.ts";
import type { RuntimeName } from "../../servers/runtime.ts";
import { startChild } from "../host/child.ts";
import { childEnvironment, locateRuntime, PROJECT_ROOT, SCRIPT_ARGS } from "../host/runtimes.ts";

/** Data sets and store files wanted. */
export interface DataRequest {
  readonly dataDirectory: string;
  /** The checkout whose stores build; this one by default. */
  readonly root?: string;
  readonly seed: number;
  readonly sizes: readonly number[];
  readonly stores: readonly string[];
  readonly verify?: "quick" | "full";
  /** CPUs the builder may use; all by default. */
  readonly cpus?: readonly number[] | null;
  readonly onEvent?: (event: PrepareEvent) => void;
  readonly onStart?: (kill: () => void) => void;
}

/** One finished part: a data set or a store's files. */
export type PreparedPart = Extract<PrepareEvent, { event: "ready" }>;

/** Which runtime builds: the bytes of a data set are the same from each, Bun is quickest at it. */
const BUILDERS: readonly RuntimeName[] = ["bun", "node", "deno"];

/**
 * Builds what is missing or damaged, in a process of its own: the driver sleeps, and a stop leaves nothing half-made.
 * @returns the parts there are now, and why the rest is not if something failed
 */
export async function prepareData(
  request: DataRequest,
): Promise<{ readonly parts: PreparedPart[]; readonly failed: string | null }> {
  const { name, file } = firstThere();
  const child = startChild({
    file,
    args: [
      ...SCRIPT_ARGS[name],
      join(request.root ?? PROJECT_ROOT, "stores", "prepared", "main.ts"),
      "--data",
      request.dataDirectory,
      "--seed",
      String(request.seed),
      "--verify",
      request.verify ?? "quick",
      ...request.sizes.flatMap((size) => ["--size", String(size)]),
      ...request.stores.flatMap((store) => ["--store", store]),
    ],
    cpus: request.cpus ?? null,
    env: childEnvironment(),
    cwd: request.root ?? PROJECT_ROOT,
  });
  request.onStart?.(() => child.kill("SIGKILL"));
  const parts: PreparedPart[] = [];
  let failed: string | null = null;
  child.onLine((line) => {
    const event: PrepareEvent = JSON.parse(line);
    request.onEvent?.(event);
    if (event.event === "ready") parts.push(event);
    if (event.event === "failed") failed = event.message;
  });
  const ending = await child.ended;
  if (failed === null && ("failed" in ending || ending.code !== 0)) {
    const how = "failed" in ending ? ending.failed : `ended with ${ending.signal ?? `exit ${ending.code}`}`;
    failed = `building data ${how}${child.stderrTail() === "" ? "" : `: ${child.stderrTail().split("\n").at(-1)}`}`;
  }
  return { parts, failed };
}

function firstThere(): { name: RuntimeName; file: string } {
  let problem: unknown;
  for (const name of BUILDERS) {
    try {
      return { name, file: locateRuntime(name).file };
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}
