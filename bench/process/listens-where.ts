import { isTls } from "../../servers/protocol.ts";
import type { ReadyLine } from "../../servers/ready-line.ts";
import { listensOn, openAddresses } from "../machine/listening-ports.ts";
import type { ServerProcess, ServerRequest } from "./server-process.ts";

/** Where servers listen unless another address is asked for. */
export const LOOPBACK = "127.0.0.1";

/** Where somebody's own processes listen for others, besides the address they were given. */
export function openOf(
  started: readonly number[],
  { hostname = LOOPBACK }: ServerRequest,
): Pick<ServerProcess, "open"> {
  const open = openAddresses(started).filter((address) => address !== hostname);
  return open.length === 0 ? {} : { open };
}

/**
 * What of a ready line is not so; undefined where all is. An app may print a line of its own: the address is one that was
 * given, and the process one that was started and listens there.
 */
export function untrueIn(
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
  // Where the system does not show its sockets, nothing speaks against it.
  return itself && listensOn(pid, Number(at.port)) === false ? `${says}, and process ${pid} does not` : undefined;
}
