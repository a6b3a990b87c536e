import type { RuntimeName } from "../runtime.ts";

/** How several workers come to listen on one port, in the order tables show them. */
export const WORKER_WAYS = ["reuse-port", "cluster", "parallel"] as const;

/** See {@link WORKER_WAYS}. */
export type WorkerWay = (typeof WORKER_WAYS)[number];

/** Titles of the ways. */
export const WAY_TITLES: Readonly<Record<WorkerWay, string>> = {
  "reuse-port": "processes that each listen with reusePort: the kernel spreads connections",
  cluster: "node:cluster: one process accepts and hands connections over in turn",
  parallel: "deno serve --parallel: threads of one process, each with a reusePort listener",
};

const NOT_HERE: Readonly<Record<WorkerWay, Partial<Record<RuntimeName, string>>>> = {
  "reuse-port": {},
  cluster: {
    deno: "its node:cluster shares no port with Deno's own server: ask for reuse-port or parallel",
    bun: "its node:cluster is reusePort by another name: ask for reuse-port",
  },
  parallel: {
    node: "deno serve --parallel is Deno's: ask for cluster or reuse-port",
    bun: "deno serve --parallel is Deno's: ask for reuse-port",
  },
};

/** True, or why workers of a runtime cannot share a port this way. */
export const wayOn = (runtime: RuntimeName, way: WorkerWay): true | string => NOT_HERE[way][runtime] ?? true;

/** How a server is started as several workers: handed to servers/workers/main.ts as JSON. */
export interface WorkersRequest {
  readonly count: number;
  readonly by: WorkerWay;
  /** Where it answers what its workers counted. */
  readonly control: number;
  readonly hostname: string;
  readonly port: number;
  /** Words between the runtime and what each worker runs. */
  readonly runtimeArgs: readonly string[];
  /** The command of each worker: a script and its arguments. */
  readonly script: readonly string[];
  /** The app module, of `parallel`, where the script is not it. */
  readonly app?: { readonly module: string; readonly directory: string | null; readonly options: string };
  /** True if each worker prints a ready line. */
  readonly ready: boolean;
}

/** Names of the variables a worker finds its control port by, a word known to workers alone, and how it is to listen. */
export const CONTROL = "LEVELFIELD_WORKERS_CONTROL";
/** See {@link CONTROL}: who connects without it is no worker. */
export const WORD = "LEVELFIELD_WORKERS_WORD";
/** See {@link CONTROL}. */
export const REUSE_PORT = "LEVELFIELD_WORKERS_REUSE_PORT";
/** See {@link CONTROL}: the whole request, of `parallel`. */
export const REQUEST = "LEVELFIELD_WORKERS_REQUEST";
