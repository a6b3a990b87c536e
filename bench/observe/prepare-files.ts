import { join, relative } from "node:path";
import type { RuntimeName } from "../../servers/runtime.ts";
import type { FilesEvent, FilesSpec } from "../../suites/suite.ts";
import { startChild } from "../host/child.ts";
import { childEnvironment, locateRuntime, PROJECT_ROOT, SCRIPT_ARGS } from "../host/runtimes.ts";

/** Files wanted. */
export interface FilesRequest {
  readonly dataDirectory: string;
  readonly specs: readonly FilesSpec[];
  /** The checkout whose builders build; this one by default. */
  readonly root?: string;
  readonly verify?: "quick" | "full";
  /** CPUs the builder may use; all by default. */
  readonly cpus?: readonly number[] | null;
  readonly onEvent?: (event: FilesEvent) => void;
  readonly onStart?: (kill: () => void) => void;
}

/** Files that are ready, and for what. */
export type ReadyFiles = Extract<FilesEvent, { event: "ready" }> & { readonly spec: FilesSpec };

/** What there is now, and why the rest is not if something failed. */
export interface PreparedFiles {
  readonly ready: readonly ReadyFiles[];
  readonly failed: string | null;
  /** The folder of what was asked for; undefined where it was not built. */
  directoryOf(spec: FilesSpec): string | undefined;
}

/** Which runtime builds: the bytes are the same from each, Bun is quickest at it. */
const BUILDERS: readonly RuntimeName[] = ["bun", "node", "deno"];

const keyOf = ({ builder, request, runtime }: FilesSpec) =>
  JSON.stringify([builder, runtime, Object.entries(request).sort(([a], [b]) => a < b ? -1 : 1)]);

/**
 * Builds what is missing or damaged, each thing once, in processes of their own: the driver sleeps, and a stop leaves
 * nothing half-made.
 */
export async function prepareFiles(request: FilesRequest): Promise<PreparedFiles> {
  const wanted = new Map(request.specs.map((spec) => [keyOf(spec), spec]));
  const ready: ReadyFiles[] = [];
  let failed: string | null = null;
  for (const specs of Map.groupBy(wanted.values(), (spec) => JSON.stringify([spec.builder, spec.runtime])).values()) {
    failed = await runBuilder(specs, request, ready);
    if (failed !== null) break;
  }
  const byKey = new Map(ready.map((files) => [keyOf(files.spec), files.directory]));
  return { ready, failed, directoryOf: (spec) => byKey.get(keyOf(spec)) };
}

async function runBuilder(
  specs: readonly FilesSpec[],
  request: FilesRequest,
  ready: ReadyFiles[],
): Promise<string | null> {
  const { builder, runtime } = specs[0]!;
  const { name, file } = firstThere(runtime === undefined ? BUILDERS : [runtime]);
  const inside = relative(PROJECT_ROOT, builder);
  const module = request.root === undefined || inside.startsWith("..") ? builder : join(request.root, inside);
  const child = startChild({
    file,
    args: [
      ...SCRIPT_ARGS[name],
      module,
      "--data",
      request.dataDirectory,
      "--verify",
      request.verify ?? "quick",
      JSON.stringify(specs.map((spec) => spec.request)),
    ],
    cpus: request.cpus ?? null,
    env: childEnvironment(),
    cwd: request.root ?? PROJECT_ROOT,
  });
  request.onStart?.(() => child.kill("SIGKILL"));
  let failed: string | null = null;
  child.onLine((line) => {
    const event: FilesEvent = JSON.parse(line);
    request.onEvent?.(event);
    if (event.event === "ready") ready.push({ ...event, spec: specs[event.request]! });
    if (event.event === "failed") failed = event.message;
  });
  const ending = await child.ended;
  if (failed !== null || ("code" in ending && ending.code === 0)) return failed;
  const how = "failed" in ending ? ending.failed : `ended with ${ending.signal ?? `exit ${ending.code}`}`;
  const why = child.stderrTail().split("\n").at(-1);
  return `building files ${how}${why ? `: ${why}` : ""}`;
}

function firstThere(names: readonly RuntimeName[]): { name: RuntimeName; file: string } {
  let problem: unknown;
  for (const name of names) {
    try {
      return { name, file: locateRuntime(name).file };
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}
