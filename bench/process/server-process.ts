import { randomUUID } from "node:crypto";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Protocol } from "../../servers/protocol.ts";
import { type ReadyLine, readyLine } from "../../servers/ready-line.ts";
import type { ReadyService } from "../../servers/service-line.ts";
import type { AppServer, ServerSpec, ServiceSpec } from "../../suites/suite.ts";
import { jsonOf } from "../basics/bounded-json.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { type Child, startChild, within } from "../machine/child.ts";
import { MARK, processesOf } from "../machine/left-behind.ts";
import { greeted, toSpeak } from "./greet-server.ts";
import { endAll, endFailed, howEnded, type NotReady, stopChild, type WhyNotReady } from "./end-server.ts";
import { LOOPBACK, openOf, untrueIn } from "./listens-where.ts";
import { freePort } from "../machine/listening-ports.ts";
import { childEnvironment, PROJECT_ROOT, type RuntimeBinary, scriptArgs } from "../runtimes/runtimes.ts";
import type { Spoken } from "./spoken.ts";
import { startCommand } from "./start-command.ts";
import { startService } from "./start-service.ts";
import { cannotSpeak, type WorkersStarted, workerWords } from "./worker-words.ts";
import type { Served } from "../record/served.ts";

/** A server to start. */
export interface ServerRequest {
  readonly spec: ServerSpec | ServiceSpec;
  /** What the spec's runtime names; null for a command that runs on none. */
  readonly runtime: RuntimeBinary | null;
  readonly cpus: readonly number[] | null;
  /** Run at raised priority. */
  readonly raised?: boolean;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Address it listens on, and on no other: loopback by default. */
  readonly hostname?: string;
  /** Serve a copy of its files even where requests change nothing. */
  readonly copy?: boolean;
  /** What it is to speak; HTTP/1.1 by default. */
  readonly protocol?: Protocol;
  /** The checkout whose code runs; this one by default. */
  readonly root?: string;
  /** Extra work, in units a request; see servers/ballast.ts. */
  readonly ballast?: number;
  /** Milliseconds in which it must be ready, in place of what an observation allows. */
  readonly readyMs?: number;
  /** The clock by which a program has that long, in milliseconds; the steady one by default. */
  readonly now?: () => number;
  /** Of a service that runs on it: the path of wrk. */
  readonly wrk?: string;
  /** Of a service: addresses that come to it from elsewhere. */
  readonly clients?: readonly string[];
  /** Told how to end the process, so that an interrupt leaves none behind. */
  readonly onStart?: (kill: () => void) => void;
}

/** A server that is ready. */
export interface ServerProcess {
  /** Null for one that somebody else started. */
  readonly child: Child | null;
  /** Null where it is not known. */
  readonly pid: number | null;
  readonly url: string;
  /** Milliseconds from the start of the process until it was ready; null for one that somebody else started. */
  readonly startupMs: number | null;
  /** What it says of itself; null where it is no app of ours. */
  readonly ready: ReadyLine | null;
  readonly stop: "stdin" | "SIGTERM";
  /** What all its processes carry, where it may start others. */
  readonly mark?: string;
  /** Of a program: what its connections are taken by; left out where the system does not tell. */
  readonly served?: readonly Served[];
  /** Of a program on a runtime: ports it listens on and was not told, where there are any. */
  readonly untold?: readonly number[];
  /** Of somebody's own: addresses it listens on besides the one it was given, and that others may reach. */
  readonly open?: readonly string[];
  /** Of a service: what it says of itself. */
  readonly service?: ReadyService;
  /** How it is spoken to, where that is not plain HTTP/1.1, and what a first handshake came to. */
  readonly spoken?: Spoken;
  readonly negotiated?: Readonly<Record<string, string>>;
  /** Of a server of several workers: how these are found. */
  readonly workers?: WorkersStarted;
}

/** Why there is no server to measure: its own fault or the machine's, or that there cannot be one. */
export type NoServer =
  | NotReady
  | { readonly unsupported: string };

/** What loads an app and serves it. */
const SERVER = fileURLToPath(new URL("../../servers/main.ts", import.meta.url));

/** Starts a server and waits until it is ready, or says why it is not. No process is left behind in that case. */
export async function startServer(request: ServerRequest): Promise<ServerProcess | NoServer> {
  const { spec } = request;
  if (spec.kind === "app") return await startApp(spec, request);
  if (spec.kind === "command") return await startCommand(spec, request);
  if (spec.kind === "service") return await startService(spec, request);
  const { url, pid = null } = spec;
  const { protocol = "http" } = request;
  if (protocol !== "http") {
    return { unsupported: `it was started by somebody else, and speaks plain HTTP/1.1, not ${protocol}` };
  }
  return { child: null, pid, url: url.replace(/\/$/, ""), startupMs: null, ready: null, stop: "stdin" };
}

/** A path of this checkout, seen from another one. */
function inRoot(path: string, root: string | undefined): string {
  if (root === undefined) return path;
  const inside = relative(PROJECT_ROOT, path);
  return inside.startsWith("..") ? path : join(root, inside);
}

async function startApp(spec: AppServer, request: ServerRequest): Promise<ServerProcess | NoServer> {
  const { runtime, root, ballast = 0, readyMs = THRESHOLDS.readyTimeoutMs } = request;
  // An app of somebody else's may start others.
  const mark = spec.cwd === undefined && spec.workers === undefined ? undefined : randomUUID();
  if (runtime === null) throw new RangeError(`an app needs a runtime, and "${spec.runtime}" names none`);
  const speechless = cannotSpeak(spec.workers, request.protocol);
  if (speechless !== null) return { unsupported: speechless };
  const speaking = await toSpeak(request);
  const started = performance.now();
  const [first, ...rest] = scriptArgs(runtime);
  const { hostname = LOOPBACK } = request;
  const port = request.port ?? (spec.workers === undefined ? 0 : await freePort(hostname));
  const options = JSON.stringify(spec.options ?? {});
  const { args, workers } = await workerWords({
    spec: spec.workers,
    at: { hostname, port },
    root,
    runtimeArgs: [...(first === undefined ? [] : [first]), ...spec.runtimeArgs ?? [], ...rest],
    app: { module: inRoot(spec.module, root), directory: spec.directory ?? null, options },
    ready: true,
    script: [
      inRoot(SERVER, root),
      "--module",
      inRoot(spec.module, root),
      ...(spec.options === undefined ? [] : ["--options", options]),
      ...(spec.directory === undefined ? [] : ["--directory", spec.directory]),
      ...(port === 0 ? [] : ["--port", String(port)]),
      ...(request.hostname === undefined ? [] : ["--hostname", request.hostname]),
      ...(request.protocol === undefined ? [] : ["--protocol", request.protocol]),
      ...(speaking.files === null ? [] : ["--key", speaking.files.key, "--cert", speaking.files.cert]),
      ...((request.copy ?? spec.state === "copy") && spec.directory !== undefined ? ["--copy"] : []),
      ...(ballast > 0 ? ["--ballast", String(ballast)] : []),
    ],
  });
  const child = startChild({
    file: runtime.file,
    args,
    cpus: request.cpus,
    raised: request.raised ?? false,
    withAll: mark !== undefined,
    env: { ...childEnvironment(), ...spec.env, ...(mark === undefined ? {} : { [MARK]: mark }) },
    cwd: spec.cwd ?? root ?? PROJECT_ROOT,
  });
  request.onStart?.(() => endAll({ child, mark }));
  // What an app of somebody else's writes while it is opened comes before the line.
  const line = await within(readyMs, mark === undefined ? child.firstLine() : readyLineOf(child));
  const fails = (...[why, how]: WhyNotReady) => endFailed({ child, mark }, why, how);
  if (line === "timeout") return await fails(`not ready after ${readyMs / 1000} s`);
  if (line === undefined) return await fails(await howEnded(child));
  const startupMs = performance.now() - started;
  const parsed = readyLine.safeParse(jsonOf(line));
  if (!parsed.success) return await fails(`"${line.slice(0, 80)}" is no ready line`);
  if ("unsupported" in parsed.data) {
    await stopChild({ child, mark }, "stdin");
    return { unsupported: parsed.data.unsupported };
  }
  if ("refused" in parsed.data) {
    const { refused: code, fault } = parsed.data;
    return await fails({ code, facts: { fault } }, { text: await howEnded(child) });
  }
  const ready = parsed.data;
  if (ready.runtime !== runtime.name || ready.version.replace(/^v/, "") !== runtime.version) {
    const wrong = `the server runs on ${ready.runtime} ${ready.version}, wanted ${runtime.name} ${runtime.version}`;
    return await fails(wrong, { code: "wrong-runtime" });
  }
  const untrue = untrueIn(ready, request, processesOf(child.pid, mark), workers === undefined);
  if (untrue !== undefined) return await fails(untrue);
  const greeting = await greeted(ready.url, speaking);
  if (greeting instanceof Error) return await fails(greeting.message);
  return {
    ...greeting,
    child,
    pid: ready.pid,
    url: ready.url,
    startupMs,
    ready,
    stop: "stdin",
    ...(workers === undefined ? {} : { workers }),
    ...(mark === undefined ? {} : { mark, ...openOf(processesOf(child.pid, mark), request) }),
  };
}

/** The first line that may be a ready line; undefined when the child ends without one. */
async function readyLineOf(child: Child): Promise<string | undefined> {
  const found = new Promise<string>((resolve) => {
    child.onLine((line) => {
      if (readyLine.safeParse(jsonOf(line)).success) resolve(line);
    });
  });
  return await Promise.race([found, child.ended.then(() => undefined)]);
}

/** Asks a server to stop the way it understands, and kills it when it does not; what it has started ends with it. */
export async function stopServer({ child, stop, mark }: Pick<ServerProcess, "child" | "stop" | "mark">): Promise<void> {
  if (child !== null) await stopChild({ child, mark }, stop);
}
