import { join, relative } from "node:path";
import type { RuntimeName } from "../../servers/runtime.ts";
import { jsonOf } from "../basics/bounded-json.ts";
import { errorLine } from "../basics/error-line.ts";
import { startChild } from "../machine/child.ts";
import { filesEvent } from "./event-schema.ts";
import type { BuildListeners, BuildRequest } from "./host.ts";
import { childEnvironment, locateRuntime, SCRIPT_ARGS } from "../runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";

/** The order of runtimes for a build: the bytes are the same from each, and Bun is quickest. */
const BUILDERS: readonly RuntimeName[] = ["bun", "node", "deno"];

/** Runs one builder here; resolves with the reason of its failure, or null. */
export async function buildFiles(request: BuildRequest, { onEvent, onStart }: BuildListeners): Promise<string | null> {
  const { specs, root } = request;
  const { builder, runtime } = specs[0]!;
  const { name, file } = firstThere(runtime === undefined ? BUILDERS : [runtime]);
  const inside = relative(PROJECT_ROOT, builder);
  const module = root === undefined || inside.startsWith("..") ? builder : join(root, inside);
  const child = startChild({
    file,
    args: [
      ...SCRIPT_ARGS[name],
      module,
      "--data",
      request.dataDirectory,
      "--verify",
      request.verify,
      JSON.stringify(specs.map((spec) => spec.request)),
    ],
    cpus: request.cpus,
    env: childEnvironment(),
    cwd: root ?? PROJECT_ROOT,
  });
  onStart?.(() => child.kill("SIGKILL"));
  let failed: string | null = null;
  child.onLine((line) => {
    const read = filesEvent.safeParse(jsonOf(line));
    if (!read.success) return void (failed ??= `the builder says "${line.slice(0, 80)}", which is no event`);
    onEvent(read.data);
    if (read.data.event === "failed") failed = read.data.message;
  });
  const ending = await child.ended;
  if (failed !== null || ("code" in ending && ending.code === 0)) return failed;
  const how = "failed" in ending ? ending.failed : `ended with ${ending.signal ?? `exit ${ending.code}`}`;
  const why = errorLine(child.stderrTail());
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
