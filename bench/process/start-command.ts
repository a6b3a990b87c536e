import { randomUUID } from "node:crypto";
import { urlOf } from "../../servers/protocol.ts";
import type { CommandServer } from "../../suites/suite.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { errorLine } from "../basics/error-line.ts";
import { failureText } from "../basics/failures.ts";
import { counted } from "../basics/units.ts";
import { startChild } from "../machine/child.ts";
import { MARK, markedProcesses, processesOf } from "../machine/left-behind.ts";
import { askUntilReady } from "./ask-until-ready.ts";
import { greeted, toSpeak } from "./greet-server.ts";
import { endAll, endFailed, howEnded, type WhyNotReady } from "./end-server.ts";
import { listensElsewhere } from "./listens-elsewhere.ts";
import { LOOPBACK, openOf } from "./listens-where.ts";
import { programWords } from "./program-words.ts";
import { freePort, isFree, listeningExecutables, listeningPorts, strangerOn } from "../machine/listening-ports.ts";
import { programPortFinder } from "./program-port.ts";
import { childEnvironment, PROJECT_ROOT } from "../runtimes/runtimes.ts";
import { servedBy } from "./served-by.ts";
import type { NoServer, ServerProcess, ServerRequest } from "./server-process.ts";
import { allListen, cannotSpeak, workerWords } from "./worker-words.ts";
import { mark as markOf } from "../record/mark.ts";

/** How often a command is asked whether it is ready, in milliseconds. */
const ASK_EVERY_MS = 25;

/** Starts a program that listens by itself, and waits until it is ready. */
export async function startCommand(spec: CommandServer, request: ServerRequest): Promise<ServerProcess | NoServer> {
  const { readyMs = THRESHOLDS.readyTimeoutMs, hostname = LOOPBACK, now = () => performance.now() } = request;
  const port = spec.port ?? (request.port || await freePort(hostname));
  if (!await isFree(port, hostname)) {
    const message = `port ${port} is taken by another program`;
    return { failed: markOf("server-failed-to-start", message), stderr: "" };
  }
  const onRuntime = spec.runtime !== undefined;
  const { protocol = "http" } = request;
  const [file, ...words] = programWords(spec, request.runtime);
  const { args, workers } = await workerWords({
    spec: onRuntime ? spec.workers : undefined,
    at: { hostname, port },
    runtimeArgs: words.slice(0, onRuntime ? -spec.command.length : 0),
    app: { module: spec.command[0]!, directory: null, options: "{}" },
    ready: false,
    script: onRuntime ? spec.command : words,
  });
  const speechless = cannotSpeak(onRuntime ? spec.workers : undefined, protocol);
  if (speechless !== null) return { unsupported: speechless };
  const speaking = await toSpeak(request), { files } = speaking;
  const count = String(spec.workers?.count ?? 1);
  const filled = (word: string) =>
    word.replaceAll("{port}", String(port)).replaceAll("{host}", hostname).replaceAll("{workers}", count)
      .replaceAll("{key}", files?.key ?? "{key}").replaceAll("{cert}", files?.cert ?? "{cert}");
  const mark = randomUUID();
  const started = performance.now(), began = now();
  const child = startChild({
    file: filled(file!),
    args: args.map(filled),
    cpus: request.cpus,
    raised: request.raised ?? false,
    withAll: true,
    env: {
      ...{ ...childEnvironment(), ...spec.env, PORT: String(port), HOST: hostname, [MARK]: mark },
      ...(protocol === "http" ? {} : { PROTOCOL: protocol }),
      ...(files === null ? {} : { TLS_KEY: files.key, TLS_CERT: files.cert }),
      ...(spec.workers === undefined ? {} : { WORKERS: count }),
    },
    cwd: spec.cwd ?? PROJECT_ROOT,
  });
  request.onStart?.(() => endAll({ child, mark }));
  const asked = askUntilReady(spec.ready, speaking.spoken);
  const fails = (...[why, how]: WhyNotReady) => {
    asked.close();
    return endFailed({ child, mark }, why, how);
  };
  const portFrom = programPortFinder(port);
  const ours = () => processesOf(child.pid, mark);
  let stranger: string | undefined;
  let over = false;
  child.ended.then(() => over = true);
  while (now() - began < readyMs) {
    if (over) {
      const left = markedProcesses(mark).length;
      return await fails(
        left === 0
          ? await howEnded(child)
          : `it went to the background and left ${counted(left, "process", "processes")}: keep it in front`,
      );
    }
    const ports = () => listeningPorts(ours()).filter((each) => each !== workers?.control);
    const found = onRuntime && spec.port === undefined ? portFrom(ports(), now()) : { port };
    if ("why" in found) return await fails(found.why);
    // Another program that listens there would answer in its place, and be measured; it may have come just now.
    stranger = found.port === null ? undefined : strangerOn(found.port, ours);
    const url = urlOf({ hostname, protocol }, found.port ?? port);
    if (found.port !== null && stranger === undefined && await asked.ready(url, ASK_EVERY_MS)) {
      const startupMs = performance.now() - started;
      stranger = strangerOn(found.port, ours);
      if (stranger === undefined && (workers === undefined || await allListen(workers))) {
        const other = onRuntime ? listeningExecutables(ours(), found.port).find((each) => each !== file) : undefined;
        if (other !== undefined) {
          return await fails(`what listens is "${other}", not "${file}"`, { code: "wrong-runtime" });
        }
        const untold = onRuntime ? ports().filter((each) => each !== port) : [];
        asked.close();
        const greeting = await greeted(url, speaking);
        if (greeting instanceof Error) return await fails(greeting.message);
        const served = await servedBy(ours(), found.port);
        return {
          ...greeting,
          ...{ child, pid: child.pid, url, startupMs, ready: null, stop: spec.stop, mark },
          ...(served.length === 0 ? {} : { served }),
          ...openOf(ours(), request),
          ...(spec.workers === undefined ? {} : { workers: workers ?? { ...spec.workers, control: null } }),
          ...(untold.length === 0 ? {} : { untold }),
        };
      }
    }
    const hopeless = asked.hopeless();
    if (hopeless !== null) return await fails(hopeless);
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  const taken = stranger === undefined ? null : `port ${port} is held by ${stranger}, which it did not start`;
  const few = workers === undefined || await allListen(workers)
    ? null
    : `fewer than ${counted(workers.count, "worker")} listen`;
  const why = taken ?? few ?? listensElsewhere(ours(), hostname, port) ?? asked.why();
  const said = typeof why === "string" || why === null ? why : failureText(why);
  const erred = typeof why === "object" && why?.code === "status-unready" && why.facts.status >= 500;
  const wrote = erred ? errorLine(child.stderrTail()) : null;
  const text = [
    `"${spec.ready}" was not answered within ${readyMs / 1000} s`,
    ...(said === null ? [] : [said]),
    ...(wrote === null ? [] : [`it says "${wrote}"`]),
  ].join("; ");
  return await fails(why ?? text, { text });
}
