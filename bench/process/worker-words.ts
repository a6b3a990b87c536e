import { fileURLToPath } from "node:url";
import { join, relative } from "node:path";
import type { Protocol } from "../../servers/protocol.ts";
import type { WorkersRequest } from "../../servers/workers/ways.ts";
import type { WorkersSpec } from "../../suites/suite.ts";
import { LOOPBACK } from "./listens-where.ts";
import { freePort } from "../machine/listening-ports.ts";
import { PROJECT_ROOT } from "../runtimes/runtimes.ts";
import { workersAt } from "./workers-at.ts";

/** Workers that were started, and the port where they tell what they counted; null where nobody can be asked. */
export interface WorkersStarted extends WorkersSpec {
  readonly control: number | null;
}

/** What starts several workers of one server. */
const WORKERS = fileURLToPath(new URL("../../servers/workers/main.ts", import.meta.url));

/**
 * What follows the runtime's own file where a server is started: its script, or what starts several workers of that.
 *
 * @param root the checkout whose code runs; this one by default
 */
export async function workerWords(
  { spec, at, root = PROJECT_ROOT, ...worker }:
    & Pick<WorkersRequest, "runtimeArgs" | "script" | "app" | "ready">
    & {
      readonly spec: WorkersSpec | undefined;
      readonly at: Pick<WorkersRequest, "hostname" | "port">;
      readonly root?: string | undefined;
    },
): Promise<{ readonly args: readonly string[]; readonly workers?: WorkersStarted }> {
  if (spec === undefined) return { args: [...worker.runtimeArgs, ...worker.script] };
  const workers = { ...spec, control: await freePort(LOOPBACK) };
  const request: WorkersRequest = { ...workers, ...at, ...worker };
  const main = join(root, relative(PROJECT_ROOT, WORKERS));
  return { args: [...worker.runtimeArgs, main, JSON.stringify(request)], workers };
}

/** Why workers cannot speak a protocol; null where they can. */
export const cannotSpeak = (spec: WorkersSpec | undefined, protocol: Protocol = "http"): string | null =>
  spec?.by !== "parallel" || protocol === "http"
    ? null
    : `deno serve --parallel is given no keys here, for ${protocol}`;

/** Whether as many workers listen as were started. */
export async function allListen({ count, control }: WorkersStarted): Promise<boolean> {
  return control === null || (await workersAt({ control, pid: 0 })).length === count;
}
