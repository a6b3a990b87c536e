import type { Failure } from "../basics/failures.ts";
import { isTls } from "../../servers/protocol.ts";
import type { ReadyLine } from "../../servers/ready-line.ts";
import { listeningAt, listeningSockets, listensOn, LOOPBACK, openAddresses } from "../machine/listening-ports.ts";
import type { ServerProcess, ServerRequest } from "./server-request.ts";

/** Returns addresses of a user's server, other than the given one, that other machines may reach. */
export function exposedAddresses(
  pids: readonly number[],
  { hostname = LOOPBACK }: ServerRequest,
): Pick<ServerProcess, "open"> {
  const open = openAddresses(pids).filter((address) => address !== hostname);
  return open.length === 0 ? {} : { open };
}

/**
 * Returns the first untrue statement of a ready line; undefined if all are true. An app may print such a line itself, so its
 * process has to be one of those started, and its address the given one.
 *
 * @param itself true if the process of the line is the one that listens
 */
export function falseReport(
  { pid, url }: ReadyLine,
  { hostname = LOOPBACK, port, protocol = "http" }: ServerRequest,
  started: readonly number[],
  itself: boolean,
): string | undefined {
  const at = new URL(url);
  const says = `the server says it listens on ${url}`;
  if (!started.includes(pid)) return `the server says it is process ${pid}, which was not started for it`;
  if (isTls(protocol) !== (at.protocol === "https:")) return `the server says ${url}, and was to speak ${protocol}`;
  if (at.hostname.replace(/^\[|\]$/g, "") !== hostname) return `${says}, not on ${hostname}`;
  if (port !== undefined && port !== 0 && Number(at.port) !== port) return `${says}, not on port ${port}`;
  // A system that does not show sockets cannot disprove the line.
  return itself && listensOn(pid, Number(at.port)) === false ? `${says}, and process ${pid} does not` : undefined;
}

/** The ways in which a server listens elsewhere. */
type ListensElsewhere = Failure<"listens-on-address" | "listens-on-port" | "listens-on-socket">;

/**
 * Returns where a server listens instead of the given address; null if that is not seen.
 *
 * @param pids its processes
 */
export function listensElsewhere(pids: readonly number[], hostname: string, port: number): ListensElsewhere | null {
  const all = listeningAt(pids);
  const same = all.filter((each) => each.port === port).map(({ address }) => address);
  if (same.length > 0) {
    const reached = same.some((address) => ["0.0.0.0", "::", hostname, `::ffff:${hostname}`].includes(address));
    return reached ? null : { code: "listens-on-address", facts: { addresses: same, hostname } };
  }
  const ports = [...new Set(all.map((each) => each.port))];
  if (ports.length > 0) return { code: "listens-on-port", facts: { ports, port } };
  const [socket] = listeningSockets(pids);
  return socket === undefined ? null : { code: "listens-on-socket", facts: { socket } };
}

/** Milliseconds without a change of its ports after which a program that listens elsewhere does not read PORT. */
const SETTLED_MS = 2_000;

/** The port of a program: null while it is unknown, or why there is none. */
type ProgramPort = { readonly port: number | null } | { readonly failure: Failure };

/**
 * Finds the port of a program by looking where it listens: the one in PORT, else its only one. A debugger's port may come
 * first, so another port counts only once it has stayed the only one.
 *
 * @param wanted the port in PORT
 * @returns a function of the ports it listens on, none if the system does not show them, and of the time in ms
 */
export function programPortFinder(wanted: number): (ports: readonly number[], atMs: number) => ProgramPort {
  let seen = "", sinceMs = 0;
  return (ports, atMs) => {
    if (ports.length === 0 || ports.includes(wanted)) return { port: wanted };
    if (seen !== `${ports}`) [seen, sinceMs] = [`${ports}`, atMs];
    if (atMs - sinceMs < SETTLED_MS) return { port: null };
    return ports.length === 1 ? { port: ports[0]! } : {
      failure: { code: "listens-on-several", facts: { ports, wanted } },
    };
  };
}
