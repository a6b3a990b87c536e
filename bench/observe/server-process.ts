import { createServer } from "node:net";
import { join, relative } from "node:path";
import { type ReadyLine, readyLine } from "../../servers/ready-line.ts";
import type { AppServer, CommandServer, ServerSpec } from "../../suites/suite.ts";
import type { Reason } from "../core/result/observation-record.ts";
import { THRESHOLDS } from "../core/thresholds.ts";
import { type Child, startChild, within } from "../host/child.ts";
import { httpClient } from "../host/http-client.ts";
import { childEnvironment, PROJECT_ROOT, type RuntimeBinary, SCRIPT_ARGS } from "../host/runtimes.ts";

/** A server to start. */
export interface ServerRequest {
  readonly spec: ServerSpec;
  /** What the spec's runtime names; null for a command. */
  readonly runtime: RuntimeBinary | null;
  readonly cpus: readonly number[] | null;
  /** Run at raised priority. */
  readonly raised?: boolean;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Serve a copy of its files even where requests change nothing. */
  readonly copy?: boolean;
  /** The checkout whose code runs; this one by default. */
  readonly root?: string;
  /** Extra work, in units a request; see servers/ballast.ts. */
  readonly ballast?: number;
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
}

/** Why there is no server to measure: its own fault or the machine's, or that there cannot be one. */
export type NoServer =
  | { readonly failed: Reason; readonly stderr: string }
  | { readonly unsupported: string };

/** How often a command is asked whether it is ready, in milliseconds. */
const ASK_EVERY_MS = 25;

/** Starts a server and waits until it is ready, or says why it is not. No process is left behind in that case. */
export async function startServer(request: ServerRequest): Promise<ServerProcess | NoServer> {
  const { spec } = request;
  if (spec.kind === "app") return await startApp(spec, request);
  if (spec.kind === "command") return await startCommand(spec, request);
  const { url, pid = null } = spec;
  return { child: null, pid, url: url.replace(/\/$/, ""), startupMs: null, ready: null, stop: "stdin" };
}

/** A path of this checkout, seen from another one. */
function inRoot(path: string, root: string | undefined): string {
  if (root === undefined) return path;
  const inside = relative(PROJECT_ROOT, path);
  return inside.startsWith("..") ? path : join(root, inside);
}

async function startApp(spec: AppServer, request: ServerRequest): Promise<ServerProcess | NoServer> {
  const { runtime, root, ballast = 0 } = request;
  if (runtime === null) throw new RangeError(`an app needs a runtime, and "${spec.runtime}" names none`);
  const started = performance.now();
  const [first, ...rest] = SCRIPT_ARGS[runtime.name];
  const child = startChild({
    file: runtime.file,
    args: [
      ...(first === undefined ? [] : [first]),
      ...spec.runtimeArgs ?? [],
      ...rest,
      join(root ?? PROJECT_ROOT, "servers", "main.ts"),
      "--module",
      inRoot(spec.module, root),
      ...(spec.options === undefined ? [] : ["--options", JSON.stringify(spec.options)]),
      ...(spec.directory === undefined ? [] : ["--directory", spec.directory]),
      ...(request.port === undefined ? [] : ["--port", String(request.port)]),
      ...((request.copy ?? spec.state === "copy") && spec.directory !== undefined ? ["--copy"] : []),
      ...(ballast > 0 ? ["--ballast", String(ballast)] : []),
    ],
    cpus: request.cpus,
    raised: request.raised ?? false,
    ownSession: true,
    env: childEnvironment(),
    cwd: root ?? PROJECT_ROOT,
  });
  request.onStart?.(child.killAll);
  const line = await within(THRESHOLDS.readyTimeoutMs, child.firstLine());
  if (line === "timeout") return await failed(child, `not ready after ${THRESHOLDS.readyTimeoutMs / 1000} s`);
  if (line === undefined) return await failed(child, await howEnded(child));
  const startupMs = performance.now() - started;
  const parsed = readyLine.safeParse(tryJson(line));
  if (!parsed.success) return await failed(child, `"${line.slice(0, 80)}" is no ready line`);
  if ("unsupported" in parsed.data) {
    await stopChild(child, "stdin");
    return { unsupported: parsed.data.unsupported };
  }
  const ready = parsed.data;
  if (ready.runtime !== runtime.name || ready.version.replace(/^v/, "") !== runtime.version) {
    const wrong = `the server runs on ${ready.runtime} ${ready.version}, wanted ${runtime.name} ${runtime.version}`;
    return await failed(child, wrong, "wrong-runtime");
  }
  return { child, pid: ready.pid, url: ready.url, startupMs, ready, stop: "stdin" };
}

async function startCommand(spec: CommandServer, request: ServerRequest): Promise<ServerProcess | NoServer> {
  const port = request.port || await freePort();
  const [file, ...args] = spec.command.map((word) => word.replaceAll("{port}", String(port)));
  const started = performance.now();
  const child = startChild({
    file: file!,
    args,
    cpus: request.cpus,
    raised: request.raised ?? false,
    ownSession: true,
    env: { ...childEnvironment(), ...spec.env, PORT: String(port) },
    cwd: spec.cwd ?? PROJECT_ROOT,
  });
  request.onStart?.(child.killAll);
  const url = `http://127.0.0.1:${port}`;
  const client = httpClient(url, 1_000);
  let over = false;
  child.ended.then(() => over = true);
  try {
    while (performance.now() - started < THRESHOLDS.readyTimeoutMs) {
      if (over) return await failed(child, await howEnded(child));
      const reply = await client.send("GET", spec.ready).catch(() => undefined);
      if (reply !== undefined && reply.status < 500) {
        return { child, pid: child.pid, url, startupMs: performance.now() - started, ready: null, stop: spec.stop };
      }
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    }
  } finally {
    client.close();
  }
  return await failed(child, `"${spec.ready}" was not answered within ${THRESHOLDS.readyTimeoutMs / 1000} s`);
}

async function failed(child: Child, message: string, code: Reason["code"] = "server-failed-to-start") {
  child.killAll();
  await child.ended;
  return { failed: { code, message }, stderr: child.stderrTail() };
}

/** How a child ended, with the last thing it said. */
async function howEnded(child: Child): Promise<string> {
  const ending = await child.ended;
  const how = "failed" in ending ? ending.failed : `ended with ${ending.signal ?? `exit ${ending.code}`}`;
  const why = child.stderrTail().split("\n").at(-1);
  return why ? `${how}: ${why}` : how;
}

/** A port of loopback nobody listens on; somebody may take it before it is used, which the start then says. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Asks a server to stop the way it understands, and kills it when it does not, with whatever it has started and left. */
export async function stopServer({ child, stop }: Pick<ServerProcess, "child" | "stop">): Promise<void> {
  if (child !== null) await stopChild(child, stop);
}

async function stopChild(child: Child, stop: ServerProcess["stop"]): Promise<void> {
  // One that waits for its turn among others stands still and would not hear that it is to end.
  child.kill("SIGCONT");
  if (stop === "SIGTERM") child.kill("SIGTERM");
  child.closeStdin();
  await within(THRESHOLDS.stopTimeoutMs, child.ended);
  child.killAll();
  await child.ended;
}

function tryJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
