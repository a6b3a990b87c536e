import type { Reply } from "../../../suites/suite.ts";
import { THRESHOLDS } from "../../judge/thresholds.ts";
import { within } from "../child.ts";
import type { Host, HostEnding, HostProcess, HostServer, Listeners } from "../host.ts";
import { type Line, openLine } from "./line.ts";
import type { Hello } from "./protocol.ts";

/** How long closing a pipe may take until the agent is gone: it has two seconds to end what it started. */
const CLOSE_MS = 3_000;

/**
 * A host behind a pipe: whatever is asked of it is asked of an agent there. Throws a failure where there is none, or one of
 * another source.
 *
 * @param command its words, the agent's included
 * @param name how it is shown: as the command was given
 */
export async function remoteHost(command: readonly string[], name: string, own: Hello): Promise<Host> {
  const line = await openLine(command, name, own);
  const facts = line.ask("facts", {});
  // Who asks is told; until then nobody waits for it.
  facts.catch(() => {});
  return {
    command: name,
    lost: line.lost,
    facts: () => facts,
    dataFolder: () => line.there.data,
    runtimes: (wanted) => line.ask("runtimes", { wanted: [...wanted] }),
    findProgram: async (wish) => await line.ask("program", { wish: plain(wish) }) ?? undefined,
    hashes: (files) => line.ask("hashes", { files: [...files] }),
    sources: (wanted) => line.ask("sources", { wanted: [...wanted] }),
    async start(command, { onLine, onStart }: Listeners = {}) {
      const { cpus, args, output, files, ...rest } = command;
      const asked = {
        ...rest,
        args: [...args],
        cpus: cpus && [...cpus],
        ...(output === undefined ? {} : { output: [...output] }),
        ...(files === undefined ? {} : { files }),
      };
      return await remoteProcess(line, onStart, async (id) => {
        if (onLine !== undefined) line.onLine(id, onLine);
        return await line.ask("start", { command: asked, lines: onLine !== undefined }, { id });
      });
    },
    async serve({ onStart, ...server }) {
      const ready = server.readyMs ?? THRESHOLDS.readyTimeoutMs;
      const id = line.newId();
      onStart?.(() => line.post("kill", { of: id }));
      const followed = line.follow(id);
      const served = await line.ask("serve", { server: plain(server) }, { id, mostMs: ready + GRACE_MS });
      if (!("url" in served)) return served;
      const { process, ...rest } = served;
      const known = process === null ? null : processOf(line, id, process.pid, followed);
      const found: HostServer = { ...rest, process: known } as HostServer;
      servers.set(found, id);
      return found;
    },
    async stop(server) {
      const of = servers.get(server);
      // What a lost host ran has ended with its agent.
      if (of === undefined || line.lost() !== null) return;
      await line.ask("stop", { of }, { mostMs: THRESHOLDS.stopTimeoutMs + GRACE_MS }).catch(() => {});
      if (server.process !== null) await within(GRACE_MS, server.process.ended);
    },
    async build({ specs, cpus, ...rest }, { onEvent, onStart }) {
      const id = line.newId();
      onStart?.(() => line.post("kill", { of: id }));
      line.onBuilt(id, onEvent);
      const files = { ...plain(rest), specs: specs.map(plain), cpus: cpus && [...cpus] };
      return await line.ask("build", { files }, { id, mostMs: null });
    },
    checkOut: ({ ref, commit }, cacheDirectory) =>
      // It may have to install packages.
      line.ask("check-out", { revision: { ref, commit }, cacheDirectory }, { mostMs: null }),
    sample: ({ pids, ...wish }) => line.ask("sample", { wish: { ...wish, pids: [...pids] } }),
    threadCpus: (pid) => line.ask("thread-cpus", { pid }),
    peakRssBytes: (pid) => line.ask("peak-rss", { pid }),
    sizeOf: (pid) => line.ask("size", { pid }),
    freeMemoryShare: () => line.ask("free-memory", {}),
    client(url, timeoutMs) {
      const id = line.newId();
      const opened = line.ask("open", { url, timeoutMs }, { id });
      opened.catch(() => {});
      return {
        async send(method, path, body, headers): Promise<Reply> {
          await opened;
          const asked = { of: id, method, path, ...(body === undefined ? {} : { body }), ...(headers && { headers }) };
          const reply = await line.ask("send", asked, { mostMs: timeoutMs + GRACE_MS });
          if ("rejected" in reply) throw new Error(reply.rejected);
          return reply;
        },
        close: () => line.post("hang-up", { of: id }),
      };
    },
    roundTripUs: (url) => line.ask("round-trip", { url }, { mostMs: 2 * GRACE_MS }),
    async close() {
      line.close();
      if (await within(CLOSE_MS, line.ended) === "timeout") line.kill();
    },
  };
}

/** How much longer than what it is asked for an answer may take. */
const GRACE_MS = 15_000;

/** By server: the id it was asked for with. */
const servers = new WeakMap<HostServer, number>();

/** Data as a message holds them: without what is undefined. */
const plain = <T extends object>(data: T) => JSON.parse(JSON.stringify(data));

async function remoteProcess(
  line: Line,
  onStart: Listeners["onStart"],
  start: (id: number) => Promise<{ pid: number }>,
): Promise<HostProcess> {
  const id = line.newId();
  onStart?.(() => line.post("kill", { of: id }));
  const ended = line.follow(id);
  return processOf(line, id, (await start(id)).pid, ended);
}

function processOf(line: Line, id: number, pid: number, told: ReturnType<Line["follow"]>): HostProcess {
  let stdout = "", stderr = "";
  const ended = told.then((end): HostEnding | { failed: string } => {
    ({ stdout, stderr } = end);
    return end.ended as HostEnding | { failed: string };
  });
  return {
    pid,
    ended,
    stdout: () => stdout,
    stderrTail: () => stderr,
    async kill(signal) {
      await line.ask("kill", { of: id, signal });
    },
    killAll: () => line.post("kill", { of: id }),
  };
}
