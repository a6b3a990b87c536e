import { randomUUID } from "node:crypto";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { jsonOf } from "../basics/bounded-json.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { type Child, startChild } from "../machine/child.ts";
import { MARK, processesOf } from "../machine/server-processes.ts";
import { freePort, LOOPBACK } from "../machine/listening-ports.ts";
import { endAll, endFailed, howEnded, stopChild, type UnreadyServer } from "./end-server.ts";
import { exposedAddresses, falseReport } from "./listens-where.ts";
import type { NoServer, ServerProcess, ServerRequest } from "./server-request.ts";
import { protocolForServer, protocolSpokenBy } from "./server-protocol.ts";
import { startCommand } from "./start-command.ts";
import { quietText, whileItWorks } from "./start-patience.ts";
import { startService } from "./start-service.ts";
import { whyNoProtocol, workerWords } from "./workers.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { childEnvironment, scriptArgs } from "../runtimes/runtimes.ts";
import { readyLine } from "../../servers/ready-line.ts";
import type { AppServer } from "../../suites/suite.ts";
import { present } from "../basics/present.ts";

const SERVER = fileURLToPath(new URL("../../servers/main.ts", import.meta.url));

/** Starts a server and waits until it is ready. If it fails, no process is left behind. */
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
  return { process: null, pid, url: url.replace(/\/$/, ""), startupMs: null, ready: null, stop: "stdin" };
}

/** Returns the path in another checkout that corresponds to a path of this one. */
function inRoot(path: string, root: string | undefined): string {
  if (root === undefined) return path;
  const inside = relative(PROJECT_ROOT, path);
  return inside.startsWith("..") ? path : join(root, inside);
}

function scriptOf(
  spec: AppServer,
  { root, hostname, protocol, copy, ballast = 0 }: ServerRequest,
  port: number,
  files: Awaited<ReturnType<typeof protocolForServer>>["files"],
): string[] {
  return [
    ...[inRoot(SERVER, root), "--module", inRoot(spec.module, root)],
    ...(spec.options === undefined ? [] : ["--options", JSON.stringify(spec.options)]),
    ...(spec.directory === undefined ? [] : ["--directory", spec.directory]),
    ...(port === 0 ? [] : ["--port", String(port)]),
    ...(hostname === undefined ? [] : ["--hostname", hostname]),
    ...(protocol === undefined ? [] : ["--protocol", protocol]),
    ...(files === null ? [] : ["--key", files.key, "--cert", files.cert]),
    ...((copy ?? spec.state === "copy") && spec.directory !== undefined ? ["--copy"] : []),
    ...(ballast > 0 ? ["--ballast", String(ballast)] : []),
  ];
}

async function startApp(spec: AppServer, request: ServerRequest): Promise<ServerProcess | NoServer> {
  const { runtime, root, readyMs = THRESHOLDS.readyTimeoutMs } = request;
  // A user's app may start other processes.
  const mark = spec.cwd === undefined && spec.workers === undefined ? undefined : randomUUID();
  if (runtime === null) throw new RangeError(`an app needs a runtime, and "${spec.runtime}" names none`);
  const speechless = whyNoProtocol(spec.workers, request.protocol);
  if (speechless !== null) return { unsupported: speechless };
  const speaking = await protocolForServer(request);
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
    script: scriptOf(spec, request, port, speaking.files),
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
  // A user's app may print other lines first, while it is loaded.
  const said = mark === undefined ? child.firstLine() : readyLineOf(child);
  const line = await whileItWorks({ child, mark }, readyMs, said);
  const fails = (why: string | UnreadyServer) => endFailed({ child, mark }, why);
  if (line === "timeout") return await fails(`not ready after ${readyMs / 1000} s`);
  if (line === "quiet") return await fails(`not ready, and ${quietText()}`);
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
    return await fails({ text: await howEnded(child), failure: { code, facts: { fault } } });
  }
  const ready = parsed.data;
  if (ready.runtime !== runtime.name || ready.version.replace(/^v/, "") !== runtime.version) {
    const wrong = `the server runs on ${ready.runtime} ${ready.version}, wanted ${runtime.name} ${runtime.version}`;
    return await fails({ text: wrong, code: "wrong-runtime" });
  }
  const untrue = falseReport(ready, request, processesOf(child.pid, mark), workers === undefined);
  if (untrue !== undefined) return await fails(untrue);
  const greeting = await protocolSpokenBy(ready.url, speaking);
  if (greeting instanceof Error) return await fails(greeting.message);
  return {
    ...greeting,
    process: child,
    pid: ready.pid,
    url: ready.url,
    startupMs,
    ready,
    stop: "stdin",
    ...present({ workers }),
    ...(mark === undefined ? {} : { mark, ...exposedAddresses(processesOf(child.pid, mark), request) }),
  };
}

/** Returns the first line that parses as a ready line; undefined if the child ends without one. */
async function readyLineOf(child: Child): Promise<string | undefined> {
  const found = new Promise<string>((resolve) => {
    child.onLine((line) => {
      if (readyLine.safeParse(jsonOf(line)).success) resolve(line);
    });
  });
  return await Promise.race([found, child.ended.then(() => undefined)]);
}

/** Stops a server in the way of its kind, and kills it if it does not end; processes it has started end with it. */
export async function stopServer({ process, stop, mark }: ServerProcess): Promise<void> {
  if (process !== null) await stopChild({ child: process, mark }, stop);
}
