import { randomUUID } from "node:crypto";
import { serviceLine } from "../../servers/service-line.ts";
import type { ServiceSpec } from "../../suites/suite.ts";
import { jsonOf } from "../basics/bounded-json.ts";
import { present } from "../basics/present.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { mark as markOf } from "../record/mark.ts";
import { startChild } from "../machine/child.ts";
import { within } from "../machine/clock.ts";
import { removeWhole } from "../machine/clear-left.ts";
import { endAll, endFailed, howEnded, stopChild } from "./end-server.ts";
import { MARK, processesOf } from "../machine/server-processes.ts";
import { LOOPBACK, strangerOn } from "../machine/listening-ports.ts";
import { childEnvironment, locateRuntime } from "../runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { serviceFolder } from "./scratch-folder.ts";
import type { NoServer, ServerProcess, ServerRequest } from "./server-request.ts";

/** Starts a service and waits until it prints that it is ready, or why it is not. */
export async function startService(spec: ServiceSpec, request: ServerRequest): Promise<ServerProcess | NoServer> {
  const { readyMs = THRESHOLDS.readyTimeoutMs, hostname = LOOPBACK, clients = [] } = request;
  const [file, ...args] = spec.command.map((word) =>
    word === "{node}"
      ? locateRuntime("node").file
      : word === "{wrk}"
      ? request.wrk ?? "wrk"
      : word.replaceAll("{host}", hostname)
  );
  let folder: string;
  try {
    folder = serviceFolder();
  } catch (error) {
    const message = `service "${spec.name}": its folder cannot be made: ${(error as Error).message}`;
    return { failed: markOf("service-failed", message), stderr: "" };
  }
  const mark = randomUUID();
  const started = performance.now();
  const child = startChild({
    file: file!,
    args,
    cpus: request.cpus,
    raised: request.raised ?? false,
    withAll: true,
    env: {
      ...childEnvironment(),
      ...spec.env,
      HOST: hostname,
      CLIENTS: clients.join(" "),
      FOLDER: folder,
      [MARK]: mark,
    },
    cwd: PROJECT_ROOT,
  });
  void child.ended.then(() => removeWhole(folder));
  const running = { child, mark };
  request.onStart?.(() => endAll(running));
  const line = await within(readyMs, child.firstLine());
  const fails = (why: string) => endFailed(running, { text: `service "${spec.name}": ${why}`, code: "service-failed" });
  if (line === "timeout") return await fails(`not ready after ${readyMs / 1000} s`);
  if (line === undefined) return await fails(await howEnded(child));
  const event = serviceLine.safeParse(jsonOf(line));
  // A line of JSON may hold a password.
  const said = line.startsWith("{") ? "its line of JSON" : `"${line.slice(0, 80)}"`;
  if (!event.success) return await fails(`${said} does not say that it is ready`);
  if (event.data.event === "unsupported") {
    await stopChild(running, "SIGTERM");
    const { message, install } = event.data;
    return { unsupported: `service "${spec.name}": ${message}`, ...present({ install }) };
  }
  const stranger = strangerOn(event.data.port, () => processesOf(child.pid, mark));
  if (stranger !== undefined) {
    return await fails(`port ${event.data.port} is held by ${stranger}, which it did not start`);
  }
  return {
    process: child,
    pid: child.pid,
    url: `tcp://${hostname}:${event.data.port}`,
    startupMs: performance.now() - started,
    ready: null,
    stop: "SIGTERM",
    mark,
    service: event.data,
  };
}
