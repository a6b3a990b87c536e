import { randomUUID } from "node:crypto";
import type { CommandServer } from "../../suites/suite.ts";
import { present, unlessEmpty } from "../basics/present.ts";
import { startChild } from "../machine/child.ts";
import { MARK, processesOf } from "../machine/server-processes.ts";
import { freePort, isFree, LOOPBACK } from "../machine/listening-ports.ts";
import { mark as markOf } from "../record/mark.ts";
import { childEnvironment, type RuntimeBinary, SCRIPT_ARGS } from "../runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { type StartedProgram, untilReady } from "./await-program.ts";
import { endAll, endFailed } from "./end-server.ts";
import { exposedAddresses } from "./listens-where.ts";
import { servedBy } from "./served-by.ts";
import type { NoServer, ServerProcess, ServerRequest } from "./server-request.ts";
import { protocolForServer, protocolSpokenBy } from "./server-protocol.ts";
import { whyNoProtocol, workerWords } from "./workers.ts";

/** Starts a program that listens by itself, and waits until it is ready. */
export async function startCommand(spec: CommandServer, request: ServerRequest): Promise<ServerProcess | NoServer> {
  const { hostname = LOOPBACK } = request;
  const port = spec.port ?? (request.port || await freePort(hostname));
  if (!await isFree(port, hostname)) {
    const message = `port ${port} is taken by another program`;
    return { failed: markOf("server-failed-to-start", message), stderr: "" };
  }
  const speechless = whyNoProtocol(spec.runtime === undefined ? undefined : spec.workers, request.protocol);
  if (speechless !== null) return { unsupported: speechless };
  const speaking = await protocolForServer(request);
  const program = await launch(spec, request, port, speaking.files);
  const { child, mark, workers } = program;
  const ready = await untilReady(program, spec, request, speaking.spoken);
  if ("why" in ready) return await endFailed(program, ready.why);
  const { url, startupMs, untold } = ready;
  const greeting = await protocolSpokenBy(url, speaking);
  if (greeting instanceof Error) return await endFailed(program, greeting.message);
  const pids = processesOf(child.pid, mark);
  const served = await servedBy(pids, ready.port);
  return {
    ...greeting,
    ...{ process: child, pid: child.pid, url, startupMs, ready: null, stop: spec.stop, mark },
    ...exposedAddresses(pids, request),
    ...present({ served: unlessEmpty(served), untold: unlessEmpty(untold) }),
    ...present({ workers: spec.workers && (workers ?? { ...spec.workers, control: null }) }),
  };
}

/**
 * Starts the process of a program. Variables and placeholders in its words say where to listen.
 *
 * @param files key and certificate for TLS
 */
async function launch(
  spec: CommandServer,
  request: ServerRequest,
  port: number,
  files: { readonly key: string; readonly cert: string } | null,
): Promise<StartedProgram> {
  const { hostname = LOOPBACK, protocol = "http" } = request;
  const onRuntime = spec.runtime !== undefined;
  const [file, ...words] = programWords(spec, request.runtime);
  const { args, workers } = await workerWords({
    spec: onRuntime ? spec.workers : undefined,
    at: { hostname, port },
    runtimeArgs: words.slice(0, onRuntime ? -spec.command.length : 0),
    app: { module: spec.command[0]!, directory: null, options: "{}" },
    ready: false,
    script: onRuntime ? spec.command : words,
  });
  const count = String(spec.workers?.count ?? 1);
  const filled = (word: string) =>
    word.replaceAll("{port}", String(port)).replaceAll("{host}", hostname).replaceAll("{workers}", count)
      .replaceAll("{key}", files?.key ?? "{key}").replaceAll("{cert}", files?.cert ?? "{cert}");
  const mark = randomUUID();
  const startedMs = performance.now();
  const child = startChild({
    file: filled(file!),
    args: args.map(filled),
    cpus: request.cpus,
    raised: request.raised ?? false,
    withAll: true,
    env: {
      ...{ ...childEnvironment(), ...spec.env, PORT: String(port), HOST: hostname, [MARK]: mark },
      ...present({ PROTOCOL: protocol === "http" ? null : protocol, TLS_KEY: files?.key, TLS_CERT: files?.cert }),
      ...present({ WORKERS: spec.workers && count }),
    },
    cwd: spec.cwd ?? PROJECT_ROOT,
  });
  request.onStart?.(() => endAll({ child, mark }));
  return { child, mark, port, workers, startedMs, file: file! };
}

/**
 * Returns the words that start a program: those of a script begin with its runtime. Throws a RangeError without its
 * binary.
 */
function programWords(
  { command, runtime, runtimeArgs = [] }: CommandServer,
  binary: RuntimeBinary | null,
): readonly string[] {
  if (runtime === undefined) return command;
  if (binary === null) throw new RangeError(`a program needs a runtime, and "${runtime}" names none`);
  const [first, ...rest] = SCRIPT_ARGS[binary.name];
  return [binary.file, ...(first === undefined ? [] : [first]), ...runtimeArgs, ...rest, ...command];
}
