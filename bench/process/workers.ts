import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { jsonOf } from "../basics/bounded-json.ts";
import { orElse } from "../basics/errors.ts";
import { LIMITS } from "../machine/clock.ts";
import { processesOf, sizeOf } from "../machine/server-processes.ts";
import { parseLastCpu } from "../machine/linux/proc-text.ts";
import { freePort, LOOPBACK } from "../machine/listening-ports.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import type { Protocol } from "../../servers/protocol.ts";
import type { WorkersRequest } from "../../servers/workers/ways.ts";
import type { WorkersSpec } from "../../suites/suite.ts";

/** Workers that were started, and the port where they report their counters; null if there is none. */
export interface WorkersStarted extends WorkersSpec {
  readonly control: number | null;
}

const WORKERS = fileURLToPath(new URL("../../servers/workers/main.ts", import.meta.url));

/**
 * Returns the arguments of the runtime that starts a server: its script, or the program that starts several workers of it.
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

/** Returns why workers cannot speak a protocol; null if they can. */
export const whyNoProtocol = (spec: WorkersSpec | undefined, protocol: Protocol = "http"): string | null =>
  spec?.by !== "parallel" || protocol === "http"
    ? null
    : `deno serve --parallel is given no keys here, for ${protocol}`;

/** Returns true if as many workers listen as were started. */
export async function allWorkersListen({ count, control }: WorkersStarted): Promise<boolean> {
  return control === null || (await workersAt({ control, pid: 0 })).length === count;
}

/** The process of a server and the port where its workers report. */
export interface WorkersQuery {
  /** Null if there is no such port: each of its processes then counts as a worker. */
  readonly control: number | null;
  readonly pid: number;
  readonly mark?: string | undefined;
}

/** The longest answer of a port where workers or services report. */
const MOST_TOTALS_CHARS = 65_536;

const reportSchema = z.array(z.strictObject({
  pid: z.int().positive(),
  tid: z.int().positive(),
  requests: z.int().nonnegative().nullable(),
}));

/** A worker's report: the thread of a process, and its requests so far; null if it cannot count them. */
export type WorkerReport = z.infer<typeof reportSchema>[number];

/** Returns the workers of a server in the order of their thread ids; none if they do not report. */
export async function workersAt({ control, pid, mark }: WorkersQuery): Promise<WorkerReport[]> {
  if (control === null) return processesOf(pid, mark).map((each) => ({ pid: each, tid: each, requests: null }));
  const reports = reportSchema.safeParse(await totalsAt(control));
  return (reports.data ?? []).sort((a, b) => a.tid - b.tid);
}

/** Returns the CPU that each worker ran on last, and its resident bytes; null for a worker that is a thread. */
export function workersUse(workers: readonly Pick<WorkerReport, "pid" | "tid">[]) {
  const threads = new Set(workers.map(({ pid }) => pid)).size < workers.length;
  return workers.map(({ pid, tid }) => ({
    // A worker that has ended runs on no CPU.
    cpu: orElse(() => parseLastCpu(readFileSync(`/proc/${pid}/task/${tid}/stat`, "utf8")), null) ?? null,
    bytes: threads ? null : sizeOf(pid)?.bytes ?? null,
  }));
}

/** Returns the counters that a service of this host reports at a port: numbers by name. Null without an answer. */
export async function countsAt(port: number): Promise<Record<string, number> | null> {
  const totals = await totalsAt(port);
  if (typeof totals !== "object" || totals === null) return null;
  return Object.fromEntries(Object.entries(totals).filter(([, value]) => typeof value === "number"));
}

/**
 * Sends the line `totals` to a port of this host and returns the line of JSON it answers. Null without an answer.
 *
 * @param mostMs limit for the whole answer, however it comes
 */
export function totalsAt(port: number, mostMs: number = LIMITS.countsMs): Promise<unknown> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, LOOPBACK, () => void socket.write("totals\n")).setEncoding("utf8");
    const end = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(jsonOf(text) ?? null);
    };
    const timer = setTimeout(end, mostMs);
    socket.on(
      "data",
      (part: string) => (text += part).length > MOST_TOTALS_CHARS || part.endsWith("\n") ? end() : undefined,
    )
      .on("end", end).on("error", end);
  });
}
