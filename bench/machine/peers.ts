import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { orElse } from "../basics/errors.ts";
import { valueOf } from "../record/samples.ts";
import { connectedSockets, listeningPorts, type Socket, socketAddress, socketsOf } from "./listening-ports.ts";
import type { Machine } from "./machine.ts";
import { processesOf } from "./server-processes.ts";

/** Connections of a server to one address that carry nothing. */
export interface SilentPeer {
  /** `127.0.0.1:5432`. */
  readonly to: string;
  readonly connections: number;
  /** States that processes at the other end give in their titles, each once; none if they have no such titles. */
  readonly states: readonly string[];
}

/** The state of a server that owes replies. */
export interface Waits {
  /** Share of a core that it uses with all its processes, 0 to 1 and more. */
  readonly busy: number;
  readonly peers: readonly SilentPeer[];
}

/** Milliseconds between two looks at a server: its CPU time is counted in ticks of 10 ms. */
const LOOK_MS = 250;

/**
 * Looks twice at a server that owes replies: at its CPU time, and at the connections that it has opened itself and that have
 * no bytes under way at either moment. Null if the system does not show them. It does not see sockets of the file system.
 *
 * @param mark the value of an environment variable of its processes; see {@link processesOf}
 */
export async function waitsOf(machine: Machine, pid: number, mark: string | undefined): Promise<Waits | null> {
  const pids = processesOf(pid, mark);
  const cpuNs = () => {
    const use = valueOf(machine.serverUse(pid));
    return use === null ? NaN : use.userNs + use.systemNs;
  };
  const [beganNs, began, first] = [cpuNs(), performance.now(), silentOf(pids)];
  await sleep(LOOK_MS);
  const busy = (cpuNs() - beganNs) / 1e6 / (performance.now() - began);
  if (!Number.isFinite(busy)) return null;
  const inodes = new Set(first.map(({ inode }) => inode));
  return { busy, peers: peersAmong(silentOf(pids).filter(({ inode }) => inodes.has(inode)), titles()) };
}

/** Sockets that processes have connected to others, and that have nothing to send or to be read. */
function silentOf(pids: readonly number[]): Socket[] {
  const own = new Set(pids.flatMap(socketsOf)), listening = listeningPorts(pids);
  return connectedSockets().filter(({ inode, port, queued }) => own.has(inode) && !queued && !listening.includes(port));
}

/** Titles of processes that name the client's port, as those of PostgreSQL do: `postgres: user db 10.0.0.1(4711) idle`. */
const TITLE = /^postgres: .*\((\d+)\) (.+)$/;

/** The words of each process. */
const titles = (): string[] =>
  orElse(() => readdirSync("/proc"), []).filter((name) => /^\d+$/.test(name)).map((name) =>
    orElse(() => readFileSync(join("/proc", name, "cmdline"), "utf8"), "").replaceAll("\0", " ").trim()
  );

/**
 * Returns the addresses that sockets lead to, those with most first.
 *
 * @param titles of all processes of this machine
 */
export function peersAmong(
  sockets: readonly Pick<Socket, "remote" | "port">[],
  titles: readonly string[],
): SilentPeer[] {
  const states = new Map(titles.flatMap((title) => {
    const [, port, state] = TITLE.exec(title) ?? [];
    return port === undefined ? [] : [[Number(port), state!] as const];
  }));
  return [...Map.groupBy(sockets, ({ remote }) => remote)].map(([remote, same]) => {
    const [address, port] = remote.split(":") as [string, string];
    return {
      to: `${socketAddress(address)}:${parseInt(port, 16)}`,
      connections: same.length,
      states: [...new Set(same.flatMap((each) => states.get(each.port) ?? []))].sort(),
    };
  }).toSorted((a, b) => b.connections - a.connections);
}
