import { failure } from "../basics/errors.ts";
import type { Reply } from "../../suites/suite.ts";
import { LOOPBACK } from "../machine/listening-ports.ts";
import type { ServerRequest } from "../process/server-request.ts";
import { THRESHOLDS } from "../judge/thresholds.ts";
import { LIMITS, within } from "../machine/clock.ts";
import type { Host, HostProcess, HostServer } from "./host.ts";
import { type OperationName, operationsBy } from "./operations.ts";
import { openLine, type PipeLine } from "./line.ts";
import type { Hello } from "./protocol.ts";

/** Time limits of slow operations; null is as long as it takes. */
const WAITS: Readonly<{ [Name in OperationName]?: { readonly mostMs: number | null } }> = {
  // It may have to install packages.
  checkOut: { mostMs: null },
  roundTripUs: { mostMs: 2 * LIMITS.graceMs },
};

/**
 * Opens a host behind a pipe: every operation is a request to an agent there. Throws a failure if there is none, or one of
 * another source.
 *
 * @param command its words, the agent's included
 * @param name the command as the user gave it
 */
export async function remoteHost(command: readonly string[], name: string, ours: Hello): Promise<Host> {
  const line = await openLine(command, name, ours);
  const servers = new WeakMap<HostServer, number>();
  return {
    ...operationsBy((name, args) => line.ask(name, args as never, WAITS[name])),
    command: name,
    lost: line.lost,
    dataFolder: () => line.there.data,
    async start(command, { onLine, onStart } = {}) {
      const starting = startBehind(line, { onLine, onStart });
      return starting.processOf(await line.ask("start", [command, onLine !== undefined], { id: starting.id }));
    },
    async serve({ onStart, ...request }) {
      const { id, processOf, forget } = startBehind(line, { onStart });
      const mostMs = (request.readyMs ?? THRESHOLDS.readyTimeoutMs) + LIMITS.graceMs;
      const served = await line.ask("serve", [request], { id, mostMs });
      if (!("url" in served) || served.process === null) forget();
      if (!("url" in served)) return served;
      if (!isWhereAsked(served.url, request)) {
        throw line.unfit("serve", { field: '"url"', fault: "is not where the server was to listen" });
      }
      const server: HostServer = { ...served, process: served.process && processOf(served.process.pid) };
      servers.set(server, id);
      return server;
    },
    async stop(server) {
      const of = servers.get(server);
      // Processes of a lost host have ended with its agent.
      if (of === undefined || line.lost() !== null) return;
      await line.ask("stop", [of], { mostMs: THRESHOLDS.stopTimeoutMs + LIMITS.graceMs }).catch(() => {});
      if (server.process !== null) await within(LIMITS.graceMs, server.process.ended);
    },
    async build(request, { onEvent, onStart }) {
      const id = line.newId();
      onStart?.(() => line.post("killAll", [id]));
      const forget = line.listen(id, (event) => "built" in event && onEvent(event.built));
      return await line.ask("build", [request], { id, mostMs: null }).finally(forget);
    },
    client(url, timeoutMs, spoken) {
      const id = line.newId();
      const opened = line.ask("client", [url, timeoutMs, ...spoken === undefined ? [] as const : [spoken] as const], {
        id,
      });
      opened.catch(() => {});
      return {
        url,
        async send(method, path, body, headers, opening): Promise<Reply> {
          await opened;
          const sent = { method, path, body, headers, opening };
          const reply = await line.ask("send", [id, sent], { mostMs: timeoutMs + LIMITS.graceMs });
          if ("rejected" in reply) throw failure(reply.failure ?? reply.rejected);
          return reply;
        },
        close: () => line.post("hangUp", [id]),
      };
    },
    async close() {
      line.close();
      if (await within(LIMITS.agentEndMs, line.ended) === "timeout") line.kill();
    },
  };
}

/** True if a server listens at the requested address: its report decides where requests are sent. */
function isWhereAsked(url: string, { spec, hostname = LOOPBACK }: Omit<ServerRequest, "onStart">): boolean {
  return spec.kind === "running" ? url === spec.url.replace(/\/$/, "") : new URL(url).hostname === hostname;
}

/** Prepares for a process that a request is about to start. */
function startBehind(
  line: PipeLine,
  { onLine, onStart }: {
    readonly onLine?: ((line: string) => void) | undefined;
    readonly onStart?: ((kill: () => void) => void) | undefined;
  },
) {
  const id = line.newId();
  const killAll = () => line.post("killAll", [id]);
  let stdout = "", stderr = "";
  const { promise: ended, resolve } = Promise.withResolvers<Awaited<HostProcess["ended"]>>();
  onStart?.(killAll);
  const forget = line.listen(id, (event) => {
    if ("line" in event) onLine?.(event.line);
    if (!("ended" in event)) return;
    ({ stdout, stderr } = event);
    resolve(event.ended);
  });
  const processOf = (pid: number): HostProcess => ({
    pid,
    ended,
    stdout: () => stdout,
    stderrTail: () => stderr,
    kill: (signal) => line.ask("kill", [id, signal]),
    killAll,
  });
  return { id, processOf, forget };
}
