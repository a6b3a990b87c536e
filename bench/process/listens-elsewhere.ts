import type { Failure } from "../basics/failures.ts";
import { listeningAt, listeningSockets } from "../machine/listening-ports.ts";

/** The ways in which a server listens elsewhere. */
export type ListensElsewhere = Failure<"listens-on-address" | "listens-on-port" | "listens-on-socket">;

/**
 * Returns where a server listens in place of the address it was given; null if that is not seen.
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
