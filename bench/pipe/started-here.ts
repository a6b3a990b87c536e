import { type BenchError, failure } from "../basics/errors.ts";
import type { Failure } from "../basics/failures.ts";
import { within } from "../machine/clock.ts";
import type { BuildRequest, Host, HostCommand, HostProcess, HostServer } from "./host.ts";
import type { Signal } from "../machine/child.ts";
import type { Operations } from "./operations.ts";
import type { ChildEvent } from "./event-schema.ts";
import type { NoServer, ServerRequest } from "../process/server-request.ts";
import type { ServerProtocol } from "../process/server-protocol.ts";
import type { Body, Opening } from "../../suites/suite.ts";
import { present } from "../basics/present.ts";

/** The time servers have to clear up before they are killed: all is over two seconds after the driver has gone. */
const CLEAR_UP_MS = 1_000;

/** A server as an agent names it. */
export type RemoteServer = Omit<HostServer, "process"> & { readonly process: Pick<HostProcess, "pid"> | null };

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: Body | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly opening?: Opening | undefined;
}

interface Rejected {
  readonly rejected: string;
  readonly failure?: Failure;
}

/**
 * Everything an agent starts for its driver. The first argument of each is the id of the request, by which both sides name
 * the thing started.
 */
export function startedHere(host: Host, say: (event: ChildEvent) => void) {
  const kills = new Map<number, () => void>();
  const processes = new Map<number, HostProcess>();
  const servers = new Map<number, HostServer>();
  const clients = new Map<number, ReturnType<Host["client"]>>();

  const follow = (id: number, process: HostProcess) => {
    processes.set(id, process);
    process.ended.then((ended) => {
      processes.delete(id);
      kills.delete(id);
      say({ of: id, ended, stdout: process.stdout(), stderr: process.stderrTail() });
    });
  };
  const onStart = (id: number) => (kill: () => void) => void kills.set(id, kill);

  return {
    asks: {
      /** @param lines true if its lines are passed on as they come */
      async start(id: number, command: HostCommand, lines: boolean): Promise<number> {
        const onLine = (line: string) => say({ of: id, line });
        const process = await host.start(command, { onStart: onStart(id), ...(lines ? { onLine } : {}) });
        follow(id, process);
        return process.pid;
      },
      async serve(id: number, request: Omit<ServerRequest, "onStart">): Promise<RemoteServer | NoServer> {
        const server = await host.serve({ ...request, onStart: onStart(id) });
        if (!("url" in server)) {
          kills.delete(id);
          return server;
        }
        servers.set(id, server);
        if (server.process !== null) follow(id, server.process);
        return { ...server, process: server.process && { pid: server.process.pid } };
      },
      async stop(_: number, of: number): Promise<void> {
        const server = servers.get(of);
        servers.delete(of);
        if (server !== undefined) await host.stop(server);
      },
      async kill(_: number, of: number, signal: Signal): Promise<void> {
        await processes.get(of)?.kill(signal);
      },
      async killAll(_: number, of: number): Promise<void> {
        await kills.get(of)?.();
      },
      async build(id: number, request: BuildRequest): Promise<string | null> {
        const onEvent = (built: Parameters<Parameters<Host["build"]>[1]["onEvent"]>[0]) => say({ of: id, built });
        return await host.build(request, { onStart: onStart(id), onEvent }).finally(() => kills.delete(id));
      },
      async client(id: number, url: string, timeoutMs: number, spoken?: ServerProtocol): Promise<void> {
        clients.set(id, await host.client(url, timeoutMs, spoken));
      },
      /** The client's words say why no reply came. */
      async send(_: number, of: number, { method, path, body, headers, opening }: Sent) {
        const client = clients.get(of);
        if (client === undefined) throw failure(`there is no client ${of}`);
        return await client.send(method, path, body, headers, opening).catch((error: Error): Rejected => {
          const { failure } = error as Partial<BenchError>;
          return { rejected: error.message, ...present({ failure }) };
        });
      },
      async hangUp(_: number, of: number): Promise<void> {
        await clients.get(of)?.close();
        clients.delete(of);
      },
    },
    /** Lets servers clear up for a moment, then kills all processes. */
    async endAll(): Promise<void> {
      for (const client of clients.values()) client.close();
      await within(CLEAR_UP_MS, Promise.all([...servers.values()].map((server) => host.stop(server))));
      const left = [...processes.values()].map(({ ended }) => ended);
      for (const kill of kills.values()) kill();
      await within(CLEAR_UP_MS / 2, Promise.all(left));
    },
  };
}

/** All operations of an agent, by name. */
export type AgentOperations = Operations & StartedAsks;

/** A driver's request about something an agent starts or has started, without the request's id. */
type StartedAsks = {
  readonly [Name in keyof ReturnType<typeof startedHere>["asks"]]: ReturnType<typeof startedHere>["asks"][Name] extends
    (id: number, ...args: infer A) => infer R ? (...args: A) => R
    : never;
};
