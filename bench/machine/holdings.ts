import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { orElse } from "../basics/errors.ts";
import { listeningPorts, listeningSockets } from "./listening-ports.ts";
import { type OutputOf, outputOf as askSystem } from "./programs.ts";
import { processesOf } from "./server-processes.ts";

/** Parts of the system that the processes of a server hold and that another server may want, by their names. */
export interface Holdings {
  /** TCP ports they listen on. */
  readonly ports: readonly number[];
  /** Paths of the sockets they listen on. */
  readonly sockets: readonly string[];
  /** Files they have open for writing. */
  readonly files: readonly HeldFile[];
}

/** A file that a process has open for writing. */
interface HeldFile {
  readonly path: string;
  /** True if the process has locked it, so that no other one can. */
  readonly locked: boolean;
  /** True if each write goes to its end, as those of logs do. */
  readonly appends: boolean;
  /** Time and size of its last change; null if the file is gone. */
  readonly change: string | null;
}

/** Flags of open(2): the access mode, of which 0 is reading, and O_APPEND. */
const ACCESS = 0o3, APPENDS = 0o2000;
/** Files that do not count as a server's: devices, system files, and caches that Deno opens for every program. */
const NOT_OF_SERVER = /^\/(dev|proc|sys)\/| \(deleted\)$|_cache_v\d+(-\w+)?$/;

/**
 * Returns what a server holds with all its processes; null if the system does not show it.
 *
 * @param mark the value of an environment variable of its processes; see {@link processesOf}
 */
export function holdingsOf(pid: number, mark: string | undefined): Holdings | null {
  if (process.platform === "darwin") return heldOnDarwin(pid);
  const pids = processesOf(pid, mark);
  if (!existsSync("/proc/net/tcp") || orElse(() => readdirSync(`/proc/${pid}/fd`), null) === null) return null;
  const files = pids.flatMap((each) => writtenBy(join("/proc", String(each))));
  return { ports: listeningPorts(pids), sockets: [...new Set(listeningSockets(pids))], files };
}

/** Files that a process has open for writing, by its folder of /proc. */
function writtenBy(folder: string): HeldFile[] {
  const names = orElse(() => readdirSync(join(folder, "fd")), []);
  return names.flatMap((fd) => {
    const path = orElse(() => readlinkSync(join(folder, "fd", fd)), "");
    const info = orElse(() => readFileSync(join(folder, "fdinfo", fd), "utf8"), "");
    const flags = parseInt(/^flags:\s*(\d+)$/m.exec(info)?.[1] ?? "0", 8);
    if (!path.startsWith("/") || NOT_OF_SERVER.test(path) || (flags & ACCESS) === 0) return [];
    const locked = /^lock:.* WRITE /m.test(info);
    return heldFile(path, { locked, appends: (flags & APPENDS) !== 0 });
  });
}

function heldFile(path: string, how: Pick<HeldFile, "locked" | "appends">): HeldFile[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isFile()) return [];
  return [{ path, ...how, change: stat === undefined ? null : `${stat.mtimeMs} ${stat.size}` }];
}

/**
 * Returns the holdings of a server by macOS's lsof. It shows no processes that have left the server.
 *
 * @param ask runs a program and returns its output
 */
export function heldOnDarwin(pid: number, ask: OutputOf = askSystem): Holdings | null {
  const text = orElse(() => {
    const children = ask("pgrep", ["-P", String(pid)]).split(/\s+/).filter(Boolean);
    return ask("lsof", ["-nP", "-p", [pid, ...children].join(","), "-FfaltnT"]);
  }, null);
  if (text === null || text === "") return null;
  // Each open file begins with its descriptor, and each field with the letter of its kind.
  const open = text.split(/^f/m).slice(1).map((part) => {
    const fields = new Map(part.split("\n").slice(1).map((line) => [line[0], line.slice(1)]));
    const field = (letter: string) => fields.get(letter) ?? "";
    return {
      access: field("a"),
      lock: field("l"),
      type: field("t"),
      name: field("n"),
      listens: /^TST=LISTEN$/m.test(part),
    };
  });
  const ports = open.flatMap(({ name, listens }) => listens ? Number(name.slice(name.lastIndexOf(":") + 1)) : []);
  return {
    ports: [...new Set(ports)].sort((a, b) => a - b),
    sockets: [...new Set(open.flatMap(({ type, name }) => type === "unix" && name.startsWith("/") ? name : []))],
    files: open.flatMap(({ access, lock, type, name }) =>
      type !== "REG" || !/[wu]/.test(access) || NOT_OF_SERVER.test(name)
        ? []
        : heldFile(name, { locked: /[wWxXu]/.test(lock), appends: false })
    ),
  };
}
