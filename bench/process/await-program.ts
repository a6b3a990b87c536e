import { setTimeout as sleep } from "node:timers/promises";
import { urlOf } from "../../servers/protocol.ts";
import type { CommandServer } from "../../suites/suite.ts";
import { errorLine } from "../basics/error-line.ts";
import { failureText } from "../basics/failures.ts";
import { counted } from "../basics/units.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import type { Child } from "../machine/child.ts";
import { markedProcesses, processesOf } from "../machine/server-processes.ts";
import { executableOf, listenersAt, listeningPorts, LOOPBACK, strangerOn } from "../machine/listening-ports.ts";
import { askUntilReady, type ReadyRequests } from "./ask-until-ready.ts";
import { howEnded, type UnreadyServer } from "./end-server.ts";
import { listensElsewhere, programPortFinder } from "./listens-where.ts";
import type { ServerRequest } from "./server-request.ts";
import type { ServerProtocol } from "./server-protocol.ts";
import { quietText, quietWatch } from "./start-patience.ts";
import { allWorkersListen, type WorkersStarted } from "./workers.ts";

/** A program that was started and is not known to be ready. */
export interface StartedProgram {
  readonly child: Child;
  /** The value of an environment variable of all its processes. */
  readonly mark: string;
  readonly file: string;
  readonly port: number;
  readonly workers: WorkersStarted | undefined;
  /** Its start by the monotonic clock. */
  readonly startedMs: number;
}

interface ReadyProgram {
  readonly url: string;
  readonly port: number;
  readonly startupMs: number;
  /** Other ports that a program on a runtime listens on. */
  readonly untold: readonly number[];
}

interface NotReady {
  readonly why: string | UnreadyServer;
}

/** The interval between two looks at a program, in ms. */
const LOOK_EVERY_MS = 25;

/** Waits until a program answers on a port of its processes alone. Returns why if it ends, listens elsewhere or takes too long. */
export async function untilReady(
  program: StartedProgram,
  spec: CommandServer,
  request: ServerRequest,
  spoken: ServerProtocol | undefined,
): Promise<ReadyProgram | NotReady> {
  const { child, mark, file, port, workers, startedMs } = program;
  const { readyMs = THRESHOLDS.readyTimeoutMs, hostname = LOOPBACK, now = () => performance.now() } = request;
  const began = now();
  const onRuntime = spec.runtime !== undefined;
  const ours = () => processesOf(child.pid, mark);
  const ports = () => listeningPorts(ours()).filter((each) => each !== workers?.control);
  const portFrom = programPortFinder(port);
  const requests = askUntilReady(spec.ready, spoken);
  const isQuiet = quietWatch(program);
  let stranger: string | undefined, over = false, quiet = false;
  void child.ended.then(() => over = true);
  try {
    for (; now() - began < readyMs && !(quiet = isQuiet()); await sleep(LOOK_EVERY_MS)) {
      if (over) return { why: await whyEnded(program) };
      const found = onRuntime && spec.port === undefined ? portFrom(ports(), now()) : { port };
      if ("failure" in found) return { why: { text: failureText(found.failure), failure: found.failure } };
      const at = found.port;
      // Another program on this port would answer instead, and be measured; it may have come just now.
      stranger = at === null ? undefined : strangerOn(at, ours);
      const url = urlOf({ hostname, protocol: request.protocol ?? "http" }, at ?? port);
      if (at !== null && stranger === undefined && await requests.ready(url, LOOK_EVERY_MS)) {
        const startupMs = performance.now() - startedMs;
        stranger = strangerOn(at, ours);
        if (stranger === undefined && (workers === undefined || await allWorkersListen(workers))) {
          const other = onRuntime
            ? listenersAt(ours(), at).flatMap(executableOf).find((each) => each !== file)
            : undefined;
          if (other !== undefined) {
            return { why: { text: `what listens is "${other}", not "${file}"`, code: "wrong-runtime" } };
          }
          return { url, port: at, startupMs, untold: onRuntime ? ports().filter((each) => each !== port) : [] };
        }
      }
      const hopeless = requests.hopeless();
      if (hopeless !== null) return { why: { text: failureText(hopeless), failure: hopeless } };
    }
    const { text, ...more } = stranger === undefined
      ? await whyLate(program, hostname, requests)
      : { text: `; port ${port} is held by ${stranger}, which it did not start` };
    const late = quiet ? `, and ${quietText()}` : ` within ${readyMs / 1000} s`;
    const elsewhere = text !== "" ? "" : ": name the path that is answered once it is ready with --ready";
    return { why: { text: `"${spec.ready}" was not answered${late}${text}${elsewhere}`, ...more } };
  } finally {
    requests.close();
  }
}

/** Returns how a program ended before it was ready. */
async function whyEnded({ child, mark }: StartedProgram): Promise<string> {
  const left = markedProcesses(mark).length;
  return left === 0
    ? await howEnded(child)
    : `it went to the background and left ${counted(left, "process", "processes")}: keep it in front`;
}

/** Returns why a program is not ready in time, as words after a semicolon; none if it is unknown. */
async function whyLate(
  { child, mark, port, workers }: StartedProgram,
  hostname: string,
  requests: ReadyRequests,
): Promise<UnreadyServer> {
  if (workers !== undefined && !await allWorkersListen(workers)) {
    return { text: `; fewer than ${counted(workers.count, "worker")} listen` };
  }
  const failure = listensElsewhere(processesOf(child.pid, mark), hostname, port) ?? requests.why();
  if (failure === null) return { text: "" };
  const erred = failure.code === "status-unready" && failure.facts.status >= 500;
  const said = erred ? errorLine(child.stderrTail()) : null;
  return { text: `; ${failureText(failure)}${said === null ? "" : `; it says "${said}"`}`, failure };
}
