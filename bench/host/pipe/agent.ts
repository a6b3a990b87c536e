import type { Readable, Writable } from "node:stream";
import { join } from "node:path";
import { type BenchError, EXIT, type ExitCode, failure } from "../../basics/errors.ts";
import { within } from "../child.ts";
import type { Host, HostProcess, HostServer } from "../host.ts";
import type { Interrupts } from "../interrupts.ts";
import { takeMachine } from "../run-lock.ts";
import { resolveRuntimes, type RuntimeBinary, type RuntimeWish } from "../runtimes.ts";
import { differenceOf, SAME_SOURCE } from "./identity.ts";
import { readLines } from "./lines.ts";
import { type AgentRequest, type Hello, hello, lineOf, PROTOCOL, request, type Told } from "./protocol.ts";

/** How long servers have to clear up before they are killed: all is over two seconds after the driver has gone. */
const CLEAR_UP_MS = 1_000;

/** What an agent is given. */
export interface AgentSite {
  readonly input: Readable;
  readonly output: Writable;
  /** What it does everything with. */
  readonly host: Host;
  readonly own: Hello;
  readonly interrupts: Pick<Interrupts, "stop">;
}

/**
 * Works for one driver at the other end of a pipe until that closes: then everything it started is ended. It listens on no
 * port, and asks nobody anything.
 */
export async function runAgent({ input, output, host, own, interrupts }: AgentSite): Promise<ExitCode> {
  const { promise: over, resolve: end } = Promise.withResolvers<ExitCode>();
  const started = startedBy(host, own.data, (message) => void output.write(lineOf(message)));
  const refuse = (why: string, hint?: string) => {
    const said = lineOf({ schema: PROTOCOL, refused: why, ...(hint === undefined ? {} : { hint }) });
    output.write(said, () => end(EXIT.failed));
  };
  let driver: Hello | undefined;
  let giveBack = () => {};
  output.on("error", () => end(EXIT.done));
  interrupts.stop.then(() => end(EXIT.interrupted));
  readLines(input, (line) => {
    const json = tryJson(line);
    if (driver !== undefined) {
      const asked = request.safeParse(json);
      if (asked.success) void started.answer(asked.data);
      else refuse(`"${line.slice(0, 80)}" is no request of a driver: ${whereOf(asked.error)}`);
      return;
    }
    const schema = (json as { schema?: unknown } | undefined)?.schema;
    if (schema !== PROTOCOL) {
      const spoken = typeof schema === "string" ? `"${schema}"` : "something else";
      return refuse(`the driver speaks ${spoken}, and its agent "${PROTOCOL}"`, SAME_SOURCE);
    }
    const said = hello.safeParse(json);
    if (!said.success) return refuse(`"${line.slice(0, 80)}" is no greeting: ${whereOf(said.error)}`, SAME_SOURCE);
    const difference = differenceOf(said.data, own);
    if (difference !== null) return refuse(difference, SAME_SOURCE);
    try {
      // The driver holds its own machine for the whole run.
      if (said.data.machine !== own.machine) giveBack = takeMachine();
    } catch (error) {
      const { message, hint } = error as BenchError;
      return refuse(message, hint);
    }
    driver = said.data;
    output.write(lineOf(own));
  }, () => end(EXIT.done));
  const exit = await over;
  await started.endAll();
  giveBack();
  return exit;
}

const whereOf = ({ issues: [first] }: { issues: readonly { path: PropertyKey[]; message: string }[] }) =>
  `${first?.path.join(".") || "all of it"}: ${first?.message}`;

/** Does what is asked with a host, and keeps what was started. */
function startedBy(host: Host, data: string, tell: (message: Told) => void) {
  const kills = new Map<number, () => void>();
  const processes = new Map<number, HostProcess>();
  const servers = new Map<number, HostServer>();
  const clients = new Map<number, ReturnType<Host["client"]>>();

  const follow = (id: number, process: HostProcess) => {
    processes.set(id, process);
    process.ended.then((ended) => {
      processes.delete(id);
      kills.delete(id);
      tell({ of: id, ended, stdout: process.stdout(), stderr: process.stderrTail() });
    });
  };
  const onStart = (id: number) => (kill: () => void) => void kills.set(id, kill);

  const done = async (asked: AgentRequest): Promise<unknown> => {
    const { id } = asked;
    switch (asked.ask) {
      case "facts":
        return await host.facts();
      case "runtimes":
        return await sameRuntimes(asked.wanted, join(data, "runtimes"));
      case "program":
        return await host.findProgram(asked.wish) ?? null;
      case "hashes":
        return await host.hashes(asked.files);
      case "sources":
        return await host.sources(asked.wanted);
      case "start": {
        const onLine = (line: string) => tell({ of: id, line });
        const process = await host.start(asked.command as Parameters<Host["start"]>[0], {
          onStart: onStart(id),
          ...(asked.lines ? { onLine } : {}),
        });
        follow(id, process);
        return { pid: process.pid };
      }
      case "serve": {
        const server = await host.serve({ ...asked.server, onStart: onStart(id) } as Parameters<Host["serve"]>[0]);
        if (!("url" in server)) {
          kills.delete(id);
          return server;
        }
        servers.set(id, server);
        const { process, ...rest } = server;
        if (process !== null) follow(id, process);
        return { ...rest, process: process && { pid: process.pid } };
      }
      case "stop": {
        const server = servers.get(asked.of);
        servers.delete(asked.of);
        if (server !== undefined) await host.stop(server);
        return null;
      }
      case "kill":
        if (asked.signal === undefined) kills.get(asked.of)?.();
        else await processes.get(asked.of)?.kill(asked.signal);
        return null;
      case "build":
        return await host.build(asked.files as Parameters<Host["build"]>[0], {
          onStart: onStart(id),
          onEvent: (event) => tell({ of: id, built: event }),
        }).finally(() => kills.delete(id));
      case "check-out":
        return await host.checkOut(asked.revision, asked.cacheDirectory);
      case "sample":
        return { ...await host.sample(asked.wish as Parameters<Host["sample"]>[0]), agentCpuNs: cpuNsSoFar() };
      case "thread-cpus":
        return await host.threadCpus(asked.pid);
      case "peak-rss":
        return await host.peakRssBytes(asked.pid);
      case "size":
        return await host.sizeOf(asked.pid);
      case "free-memory":
        return await host.freeMemoryShare();
      case "open":
        clients.set(id, host.client(asked.url, asked.timeoutMs));
        return null;
      case "send": {
        const client = clients.get(asked.of);
        if (client === undefined) throw failure(`there is no client ${asked.of}`);
        return await client.send(asked.method, asked.path, asked.body, asked.headers)
          .catch((error: Error) => ({ rejected: error.message }));
      }
      case "hang-up":
        clients.get(asked.of)?.close();
        clients.delete(asked.of);
        return null;
      case "round-trip":
        return await host.roundTripUs(asked.url);
    }
  };

  return {
    async answer(asked: AgentRequest): Promise<void> {
      try {
        tell({ re: asked.id, value: await done(asked) ?? null });
      } catch (error) {
        const { message, hint } = error as BenchError;
        tell({ re: asked.id, failed: message.split("\n")[0]!, ...(hint === undefined ? {} : { hint }) });
      }
    },
    /** Lets servers clear up for a moment, then kills everything there is. */
    async endAll(): Promise<void> {
      for (const client of clients.values()) client.close();
      await within(CLEAR_UP_MS, Promise.all([...servers.values()].map((server) => host.stop(server))));
      const left = [...processes.values()].map(({ ended }) => ended);
      for (const kill of kills.values()) kill();
      await within(CLEAR_UP_MS / 2, Promise.all(left));
    },
  };
}

/** CPU time of this process, in nanoseconds. */
function cpuNsSoFar(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
}

/** The same runtimes as they are here. Throws where one is of another version, naming both. */
async function sameRuntimes(wanted: readonly RuntimeBinary[], folder: string): Promise<RuntimeBinary[]> {
  const found: RuntimeBinary[] = [];
  for (const runtime of wanted) {
    const [here] = await resolveRuntimes([wishOf(runtime)], folder);
    if (here!.version !== runtime.version) {
      throw failure(
        `${runtime.label} is ${here!.version} on the agent's host and ${runtime.version} on the driver's`,
        `install the same one on both, or name a version: --runtime ${runtime.name}@${runtime.version}`,
      );
    }
    found.push({ ...here!, label: runtime.label, wanted: runtime.wanted });
  }
  return found;
}

function wishOf({ name, origin, version, wanted }: RuntimeBinary): RuntimeWish {
  if (origin === "fetched") return { name, source: { kind: "version", version } };
  if (origin === "file") return { name, source: { kind: "file", file: wanted.slice(wanted.indexOf("=") + 1) } };
  return { name, source: { kind: "pinned" } };
}

function tryJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
