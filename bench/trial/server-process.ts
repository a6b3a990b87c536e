import { join } from "node:path";
import type { RuntimeName } from "../../servers/runtime.ts";
import { type ReadyLine, readyLine } from "../../servers/ready-line.ts";
import type { Reason } from "../core/result/trial-record.ts";
import { THRESHOLDS } from "../core/thresholds.ts";
import { type Child, startChild, within } from "../host/child.ts";
import { childEnvironment, PROJECT_ROOT, type RuntimeBinary, SCRIPT_ARGS } from "../host/runtimes.ts";

/** What a server process is to serve. */
export interface ServerRequest {
  readonly runtime: RuntimeBinary;
  readonly app: "users" | "bare" | "null";
  readonly store?: { readonly name: string; readonly directory: string; readonly engine: "native" | "node" };
  readonly cpus: readonly number[] | null;
  readonly port?: number;
  readonly copy?: boolean;
  /** The checkout whose servers and stores run; this one by default. */
  readonly root?: string;
  /** Extra work, in units a request; see servers/ballast.ts. */
  readonly ballast?: number;
  /** Told how to end the process, so that an interrupt leaves none behind. */
  readonly onStart?: (kill: () => void) => void;
}

/** A server that has said it is ready. */
export interface ServerProcess {
  readonly child: Child;
  readonly ready: ReadyLine;
  /** Milliseconds from the start of the process to its ready line. */
  readonly startupMs: number;
}

/** The command line of a server process. */
export function serverCommand(request: ServerRequest): { file: string; args: string[] } {
  const { runtime, app, store } = request;
  const args = [...SCRIPT_ARGS[runtime.name], join(request.root ?? PROJECT_ROOT, "servers", "main.ts"), "--app", app];
  if (store !== undefined) {
    args.push("--store", store.name, "--directory", store.directory, "--engine", store.engine);
  }
  if (request.port !== undefined) args.push("--port", String(request.port));
  if (request.copy === true) args.push("--copy");
  if (request.ballast !== undefined && request.ballast > 0) args.push("--ballast", String(request.ballast));
  return { file: runtime.file, args };
}

/** Starts a server and waits until it is ready, or says why it is not. No process is left behind in that case. */
export async function startServer(request: ServerRequest): Promise<ServerProcess | { failed: Reason; stderr: string }> {
  const started = performance.now();
  const child = startChild({
    ...serverCommand(request),
    cpus: request.cpus,
    env: childEnvironment(),
    cwd: request.root ?? PROJECT_ROOT,
  });
  request.onStart?.(() => child.kill("SIGKILL"));
  const fail = async (code: Reason["code"], message: string) => {
    child.kill("SIGKILL");
    await child.ended;
    return { failed: { code, message }, stderr: child.stderrTail() };
  };
  const line = await within(THRESHOLDS.readyTimeoutMs, child.firstLine());
  if (line === "timeout") {
    return await fail("server-failed-to-start", `not ready after ${THRESHOLDS.readyTimeoutMs / 1000} s`);
  }
  if (line === undefined) {
    const ending = await child.ended;
    const how = "failed" in ending ? ending.failed : `ended with ${ending.signal ?? `exit ${ending.code}`}`;
    const why = child.stderrTail().split("\n").at(-1);
    return await fail("server-failed-to-start", why ? `${how}: ${why}` : how);
  }
  const startupMs = performance.now() - started;
  const parsed = readyLine.safeParse(tryJson(line));
  if (!parsed.success) return await fail("server-failed-to-start", `"${line.slice(0, 80)}" is no ready line`);
  const ready = parsed.data;
  const wrong = identityFault(ready, request.runtime.name, request.runtime.version);
  if (wrong !== undefined) return await fail("wrong-runtime", wrong);
  return { child, ready, startupMs };
}

function identityFault(ready: ReadyLine, name: RuntimeName, version: string): string | undefined {
  if (ready.runtime === name && ready.version.replace(/^v/, "") === version) return undefined;
  return `the server runs on ${ready.runtime} ${ready.version}, wanted ${name} ${version}`;
}

/** Asks a server to stop by closing its stdin, and kills it when it does not. */
export async function stopServer(child: Child): Promise<void> {
  child.closeStdin();
  if (await within(THRESHOLDS.stopTimeoutMs, child.ended) === "timeout") {
    child.kill("SIGKILL");
    await child.ended;
  }
}

function tryJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
