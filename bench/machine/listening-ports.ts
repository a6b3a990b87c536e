import { closeSync, existsSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { orElse } from "../basics/errors.ts";

/** States of a socket in /proc/net/tcp: it listens, or is the end of a connection that this side has not closed. */
const LISTENS = "0A", OPEN = ["01", "08"];

/** Bytes to send and to read of a socket that has none. */
const EMPTY = "00000000:00000000";

/** A socket as the system lists it. */
export interface Socket {
  readonly state: string;
  readonly address: string;
  readonly port: number;
  readonly remote: string;
  /** Bytes wait to be sent or read. */
  readonly queued: boolean;
  readonly uid: number;
  readonly inode: string;
}

const listeners = () => socketsHere(listeningPartOf).filter(({ state }) => state === LISTENS);

/** Bytes without a listener after which the rest of a table is skipped, some 300 sockets. */
const OTHERS_BYTES = 50_000;

/**
 * Returns the part of a table in which sockets listen. Linux lists these first, and after them each connection of the last
 * minute: of a machine under load tens of thousands, which take the kernel a tenth of a second. Systems that mix both have few.
 *
 * @param page gives the next bytes of the table, none at its end
 */
export function listeningPart(page: () => string): string {
  let text = "";
  for (;;) {
    const more = page();
    text += more;
    if (more === "" || text.length - text.lastIndexOf(` ${LISTENS} `) > OTHERS_BYTES) return text;
  }
}

/** Reads the listening part of a file, which the kernel writes as far as it is read. */
function listeningPartOf(file: string): string {
  const descriptor = openSync(file, "r");
  try {
    const bytes = new Uint8Array(65_536);
    return listeningPart(() => Buffer.from(bytes.subarray(0, readSync(descriptor, bytes))).toString("latin1"));
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Returns the number of connections that end at a port here and were not closed from here; null if the system does not show
 * them.
 */
export function connectionsAt(port: number): number | null {
  if (!existsSync("/proc/net/tcp")) return null;
  const open = socketsHere((file) => readFileSync(file, "utf8")).filter((socket) =>
    socket.port === port && OPEN.includes(socket.state)
  );
  // If sockets open and close meanwhile, the system may list one twice.
  return new Set(open.map(({ remote }) => remote)).size;
}

/** Sockets of this machine that are connected; none where the system does not show them. */
export const connectedSockets = (): Socket[] =>
  socketsHere((file) => readFileSync(file, "utf8")).filter(({ state }) => state === OPEN[0]);

/** Sockets of this machine that listen or are connected; none where the system does not show them. */
function socketsHere(read: (file: string) => string, tables = ["tcp", "tcp6"], wanted = [LISTENS, ...OPEN]): Socket[] {
  return tables.flatMap((table) => {
    // A kernel need not have both protocols.
    const text = orElse(() => read(join("/proc/net", table)), "");
    return text.split("\n").slice(1).flatMap((line) => {
      const [, local, remote, state, queues, , , uid, , inode] = line.trim().split(/\s+/);
      if (!wanted.includes(state!)) return [];
      const [address, port] = local!.split(":") as [string, string];
      const ends = { address: socketAddress(address), port: parseInt(port, 16), remote: remote! };
      const queued = queues !== EMPTY;
      return [{ ...ends, queued, state: state!, uid: Number(uid), inode: inode! }];
    });
  });
}

/** An address as the system lists it, words of 32 bits in the machine's order: `0100007F` is 127.0.0.1. */
export function socketAddress(hex: string): string {
  const bytes = hex.match(/.{8}/g)!.flatMap((word) => word.match(/../g)!.reverse());
  if (bytes.length === 4) return bytes.map((byte) => parseInt(byte, 16)).join(".");
  const groups = Array.from({ length: 8 }, (_, n) => bytes.slice(2 * n, 2 * n + 2).join(""));
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

/** The address servers listen on, unless another one is requested. */
export const LOOPBACK = "127.0.0.1";

/** Addresses that lead to this machine from itself alone, IPv4 within IPv6 among them. */
const LOOPBACK_ADDRESS = /^(?:127\.|::1$|::ffff:7f)/;

/** Inodes of the sockets a process has open; none where they are not shown. */
export const socketsOf = (pid: number): readonly string[] => shownSockets(pid) ?? [];

/**
 * Returns the inodes of a process's sockets; null for another user's process, one with capabilities, or one that ended
 * meanwhile.
 */
function shownSockets(pid: number): string[] | null {
  const folder = join("/proc", String(pid), "fd");
  const names = orElse(() => readdirSync(folder), null);
  return names?.flatMap((fd) =>
    orElse(() => /^socket:\[(\d+)\]$/.exec(readlinkSync(join(folder, fd)))?.[1] ?? [], [])
  ) ?? null;
}

/**
 * Returns true if a process listens on a port; null if the system does not show that, as for a process with capabilities.
 */
export function listensOn(pid: number, port: number): boolean | null {
  const shown = orElse(() => readdirSync(join("/proc", String(pid), "fd")), null);
  return shown && listeningPorts([pid]).includes(port);
}

/** Addresses and ports that processes listen on; none where the system does not show them. */
export function listeningAt(pids: readonly number[]): { readonly address: string; readonly port: number }[] {
  const sockets = new Set(pids.flatMap(socketsOf));
  return listeners().filter(({ inode }) => sockets.has(inode));
}

/** Ports that processes listen on, in rising order; none where the system does not show them. */
export const listeningPorts = (pids: readonly number[]): number[] =>
  [...new Set(listeningAt(pids).map(({ port }) => port))].sort((a, b) => a - b);

/** Paths of the sockets of a file system that processes listen on; none where the system does not show them. */
export function listeningSockets(pids: readonly number[]): string[] {
  const sockets = new Set(pids.flatMap(socketsOf));
  // A system need not have such sockets.
  const text = orElse(() => readFileSync("/proc/net/unix", "utf8"), "");
  return text.split("\n").flatMap((line) => {
    const [, , , flags, , , inode, path] = line.trim().split(/\s+/);
    // The flag of a listening socket.
    return flags === "00010000" && path !== undefined && sockets.has(inode!) ? [path] : [];
  });
}

/** Addresses that processes listen on and that others may reach; none where the system does not show them. */
export const openAddresses = (pids: readonly number[]): string[] =>
  [...new Set(listeningAt(pids).flatMap(({ address }) => LOOPBACK_ADDRESS.test(address) ? [] : [address]))].sort();

/** Returns the processes among some that listen on a port; none if the system does not show them. */
export function listenersAt(pids: readonly number[], port: number): number[] {
  const inodes = listeners().flatMap((each) => each.port === port ? [each.inode] : []);
  return pids.filter((pid) => socketsOf(pid).some((socket) => inodes.includes(socket)));
}

/** Returns the executable of a process; none if it is another user's, or ended meanwhile. */
export const executableOf = (pid: number): string[] =>
  orElse(() => [readlinkSync(join("/proc", String(pid), "exe"))], []);

/** A process that may listen: ids of its user, and its sockets, null where they are not shown. */
export interface Listener {
  readonly pid: number;
  readonly uids: readonly number[];
  readonly sockets: readonly string[] | null;
}

/**
 * Describes the process that listens on a port instead of ours; undefined if there is none, or if one of ours listens or
 * may listen: a process of the same user whose sockets are not shown. Other processes are looked at last.
 */
export function strangerAmong(
  listening: readonly Pick<Socket, "uid" | "inode">[],
  ours: readonly Listener[],
  others: Iterable<Listener>,
): string | undefined {
  const has = ({ sockets }: Listener) => listening.some(({ inode }) => sockets?.includes(inode));
  if (listening.length === 0 || ours.some(has)) return undefined;
  for (const other of others) if (has(other)) return `process ${other.pid}`;
  const mayBe = (uid: number) => ours.some(({ sockets, uids }) => sockets === null && uids.includes(uid));
  const stranger = listening.find(({ uid }) => !mayBe(uid));
  return stranger === undefined ? undefined : `a process of user ${stranger.uid}`;
}

/**
 * Describes the process that listens on a port if it is none of ours; undefined if there is none.
 *
 * @param ours called only if a process listens there, since finding ours reads every process
 */
export function strangerOn(port: number, ours: () => readonly number[]): string | undefined {
  const there = listeners().filter((each) => each.port === port);
  if (there.length === 0) return undefined;
  return strangerAmong(there, ours().map(listenerOf), all());
}

function* all(): Generator<Listener> {
  for (const name of readdirSync("/proc")) if (/^\d+$/.test(name)) yield listenerOf(Number(name));
}

/** A process with its real, effective and saved user ids (man 5 proc, Uid of status). */
function listenerOf(pid: number): Listener {
  const status = orElse(() => readFileSync(join("/proc", String(pid), "status"), "utf8"), "");
  const uids = /^Uid:\s+(.*)$/m.exec(status)?.[1]?.split(/\s+/).map(Number) ?? [];
  return { pid, uids, sockets: shownSockets(pid) };
}

/** Returns true if no process listens on a port of an address. */
export function isFree(port: number, hostname: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, hostname, () => server.close(() => resolve(true)));
  });
}

/** Ports that no system gives out by itself: above those of services, below 32768, where Linux begins (others: 49152). */
const PORTS = { from: 20_000, below: 32_768 } as const;

/**
 * Returns a free port of an address, outside the range that the system assigns to connections and servers. If another
 * process takes it before it is used, the start of the server fails and says so.
 */
export async function freePort(hostname: string): Promise<number> {
  const span = PORTS.below - PORTS.from;
  const first = Math.floor(Math.random() * span);
  for (let n = 0; n < span; n++) {
    const port = PORTS.from + (first + n) % span;
    if (await isFree(port, hostname)) return port;
  }
  throw new Error(`no port of ${hostname} from ${PORTS.from} to ${PORTS.below - 1} is free`);
}
