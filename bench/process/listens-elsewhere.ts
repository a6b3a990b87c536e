import { listeningAt, listeningSockets } from "../machine/listening-ports.ts";

/**
 * Where a server listens in place of the address it was given, and which option helps; null where that is not seen.
 * @param pids its processes
 */
export function listensElsewhere(pids: readonly number[], hostname: string, port: number): string | null {
  const all = listeningAt(pids);
  const same = all.filter((each) => each.port === port).map(({ address }) => address);
  if (same.length > 0) {
    const reached = same.some((address) => ["0.0.0.0", "::", hostname, `::ffff:${hostname}`].includes(address));
    const shown = same.map((address) => address.includes(":") ? `[${address}]` : address).join(" and ");
    return reached
      ? null
      : `it listens on ${shown} and not on ${hostname}: have it listen on process.env.HOST, or put {host} in its words`;
  }
  const ports = [...new Set(all.map((each) => each.port))];
  if (ports.length > 0) {
    const option = ports.length === 1 ? `--port ${ports[0]} if it always does` : "say which with --port";
    return `it listens on port ${ports.join(" and ")} instead of ${port}: ${option}`;
  }
  const [socket] = listeningSockets(pids);
  return socket === undefined ? null : `it listens on the socket ${socket}: have it listen on a port, as PORT says`;
}
