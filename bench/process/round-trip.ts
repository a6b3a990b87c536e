import { connect } from "node:net";
import { LAST_RESORT } from "../machine/last-resort.ts";

const HANDSHAKES = 5;

/**
 * The shortest of some handshakes with a server, in microseconds: its kernel answers, not its program, so this is the way
 * there and back. Null where none came about.
 */
export async function roundTripUs(url: string): Promise<number | null> {
  const { hostname, port } = new URL(url);
  const found: number[] = [];
  for (let n = 0; n < HANDSHAKES; n++) {
    const us = await handshakeUs(hostname, Number(port));
    if (us !== null) found.push(us);
  }
  return found.length === 0 ? null : Math.min(...found);
}

function handshakeUs(host: string, port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const started = performance.now();
    const socket = connect({ host, port });
    const end = (us: number | null) => {
      socket.destroy();
      resolve(us);
    };
    socket.setTimeout(LAST_RESORT.connectMs, () => end(null));
    socket.once("error", () => end(null));
    socket.once("connect", () => end(1_000 * (performance.now() - started)));
  });
}
