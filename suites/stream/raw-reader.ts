import { connect } from "node:net";

/** The time in which a reply has to come, in ms, and the most characters of it: a server may send without an end, or nothing. */
const MOST_MS = 60_000, MOST_CHARS = 16 * 1_048_576;

/** A request whose reply is read as it comes. */
export interface RawReader {
  /** All that came: the head, and chunks with their sizes, each byte a character. */
  text(): string;
  /** Returns true once the connection has ended. */
  over(): boolean;
  /** Resolves when the text has it, with `performance.now()`; rejects when the connection ends without it, or is cut. */
  sees(part: string): Promise<number>;
  /** Reads no more. */
  pause(): void;
  close(): void;
}

/**
 * Asks for a path over a new connection. That is cut after a minute, and if far more comes than any of these replies has.
 *
 * @param mostMs the time after which it is cut, in ms
 */
export function readRaw(url: string, path: string, mostMs: number = MOST_MS): RawReader {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let text = "", ended = false;
  const waiting = new Set<() => void>();
  const wake = () => waiting.forEach((look) => look());
  socket.on("data", (bytes: Uint8Array) => {
    text += new TextDecoder("latin1").decode(bytes);
    wake();
    if (text.length > MOST_CHARS) socket.destroy();
  });
  const timer = setTimeout(() => socket.destroy(), mostMs);
  socket.on("close", () => clearTimeout(timer));
  for (const event of ["end", "close", "error"]) socket.on(event, () => (ended = true, wake()));
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  return {
    text: () => text,
    over: () => ended,
    sees: (part) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (text.includes(part)) resolve(performance.now());
          else if (ended) reject(new Error(`the connection ended before "${part}" came`));
          else return;
          waiting.delete(look);
        };
        waiting.add(look);
        look();
      }),
    pause: () => socket.pause(),
    close: () => socket.destroy(),
  };
}
