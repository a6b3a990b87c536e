/** The oracle's readers of replies: its clients over real connections, and the readers alone, whose work is counted. */
import { createHash } from "node:crypto";
import { createConnection, createServer } from "node:net";
import { within } from "../../../bench/machine/clock.ts";
import { BenchError } from "../../../bench/basics/errors.ts";
import { httpClient } from "../../../bench/process/http-client.ts";
import { messageReader } from "../../../bench/process/message-reader.ts";
import { replyReader } from "../../../bench/process/reply-reader.ts";
import { openWebSocket } from "../../../bench/process/web-socket.ts";
import { listening } from "./between.ts";
import { PATIENCE_MS, type Peer } from "./load-guarded.ts";
import type { StreamTarget } from "./targets.ts";

/** Connections of one client at once, of which each second one is a reader alone. */
const CONNECTIONS = 32;
/** The time limit of a client whose peer is wrong, in ms; none waits for far longer. */
const LIMIT_MS = 2_000;
/** The most bytes that a reader may copy: so many for each that came, and some in all. */
const COPIES_EACH = 4, COPIES_IN_ALL = 4_096;
/** The length of pieces that a reader alone is fed: a network may cut a stream into as few bytes. */
const PIECE_BYTES = 61;
/** A reply that is larger is refused. */
const MOST_REPLY_BYTES = 64 << 20;

/** The length of contents, with each kind of head. */
const LENGTHS = [0, 1, 125, 126, 65_535, 65_536];
const HANDSHAKE =
  "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: YQ==\r\n\r\n";
const REQUESTS = [0, 1, 2, 3];

/** A frame of a server. */
function frameOf(first: number, length: number): Buffer {
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = first;
  head[1] = head.length === 2 ? length : head.length === 4 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, Buffer.alloc(length, 0x61)]);
}

/** Frames of a server: control frames, a text in pieces with one between them, and messages of all lengths. */
const FRAMES = Buffer.concat([
  ...[frameOf(0x89, 3), frameOf(0x01, 5), frameOf(0x00, 0), frameOf(0x8a, 0), frameOf(0x80, 300)],
  ...LENGTHS.map((length, n) => frameOf(n % 2 === 0 ? 0x81 : 0x82, length)),
]);
const MESSAGES = 1 + LENGTHS.length;

/** Serves WebSockets that send the same frames, whatever they are sent. */
export const serveFrames: StreamTarget["serve"] = async (use) => {
  const server = createServer((socket) => {
    let asked = "";
    socket.on("error", () => {}).on("data", (bytes) => {
      const key = /Sec-WebSocket-Key: (\S+)[^]*\r\n\r\n/.exec(asked += bytes.toString("latin1"))?.[1];
      if (key === undefined) return;
      asked = "";
      const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
      const agreed = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";
      socket.write(Buffer.concat([Buffer.from(`${agreed}Sec-WebSocket-Accept: ${accept}\r\n\r\n`), FRAMES]));
    });
  });
  return await listening(server, use);
};

/** The number of bytes of the reply to a handshake. */
export const handshakeBytes = (replies: Buffer): number => replies.indexOf("\r\n\r\n") + 4;

/** True for what the oracle says of a wrong server, and for the system's word on a connection. */
const isSaid = (error: unknown): boolean =>
  error instanceof BenchError ||
  (error instanceof Error &&
    (error.name === "WrongAnswer" || typeof (error as NodeJS.ErrnoException).syscall === "string"));

async function askWebSocket(port: number, timeoutMs: number): Promise<void> {
  const url = `http://127.0.0.1:${port}`;
  const socket = await openWebSocket({ url, path: "/", headers: {}, spoken: { protocol: "http" }, timeoutMs });
  try {
    for (let n = 0; n < MESSAGES; n++) await socket.next();
  } finally {
    socket.close();
  }
}

async function askHttp(port: number, timeoutMs: number): Promise<void> {
  const client = httpClient(`http://127.0.0.1:${port}`, timeoutMs);
  try {
    for (const form of REQUESTS) await client.send("GET", `/${form}`);
  } finally {
    client.close();
  }
}

/** A reader that is fed what comes: it returns true once it wants no more, and says how many bytes it has copied. */
interface Fed {
  readonly read: (chunk: Buffer) => boolean;
  readonly copied: () => number;
}

/** Sends some bytes and feeds a reader all that comes. Rejects with its error, and for work out of proportion. */
function feed(port: number, sent: string, { read, copied }: Fed): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, "127.0.0.1", () => socket.write(sent)).setTimeout(LIMIT_MS);
    let came = 0;
    const end = (error?: unknown) => {
      socket.destroy();
      const most = COPIES_EACH * came + COPIES_IN_ALL;
      if (copied() > most) reject(new RangeError(`it copied ${copied()} bytes of ${came}`));
      else if (error === undefined) resolve();
      else reject(error);
    };
    socket.on("timeout", () => end()).on("end", () => end()).on("error", end).on("data", (chunk: Buffer) => {
      came += chunk.length;
      try {
        for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
          if (read(chunk.subarray(at, at + PIECE_BYTES))) return end();
        }
      } catch (error) {
        end(error);
      }
    });
  });
}

/** A reader of messages behind the head of a handshake, which is passed over. */
function fedMessages(): Fed {
  const reader = messageReader("fuzz");
  let head = "", isOpen = false, left = MESSAGES;
  const read = (chunk: Buffer): boolean => {
    left -= reader.read(chunk).filter(({ kind }) => kind === "message").length;
    return left <= 0;
  };
  return {
    copied: reader.copied,
    read(chunk) {
      if (isOpen) return read(chunk);
      const before = head.length;
      const end = (head += chunk.toString("latin1")).indexOf("\r\n\r\n") + 4;
      isOpen = end >= 4;
      return isOpen ? read(chunk.subarray(end - before)) : head.length > MOST_REPLY_BYTES;
    },
  };
}

function fedReply(): Fed {
  const reader = replyReader("GET", MOST_REPLY_BYTES);
  return { copied: reader.copied, read: (chunk) => reader.read(chunk) !== null };
}

/** Runs a client over several connections. Returns why it is at fault, or null. */
const talking =
  (ask: (port: number, timeoutMs: number) => Promise<void>, fed: (port: number, n: number) => Promise<void>) =>
  async (port: number, peer: Peer): Promise<string | null> => {
    const faults = await Promise.all(Array.from({ length: CONNECTIONS }, async (_, n) => {
      const asked = n % 2 === 0 ? ask(port, peer === "sound" ? PATIENCE_MS : LIMIT_MS) : fed(port, n);
      const came = await within(PATIENCE_MS, asked.then(() => null, (error: unknown) => ({ error })));
      if (came === "timeout") return "it waits far beyond its time limit";
      if (came === null || (peer === "mutated" && isSaid(came.error))) return null;
      return came.error instanceof Error ? came.error.stack ?? came.error.message : String(came.error);
    }));
    return faults.find((fault) => fault !== null) ?? null;
  };

/** Reads messages as the oracle does. */
export const readMessages: StreamTarget["talk"] = talking(
  askWebSocket,
  (port) => feed(port, HANDSHAKE, fedMessages()),
);

/** Reads HTTP replies as the oracle does. */
export const readHttpReplies: StreamTarget["talk"] = talking(
  askHttp,
  (port, n) => feed(port, `GET /${REQUESTS[(n >> 1) % REQUESTS.length]} HTTP/1.1\r\nHost: a\r\n\r\n`, fedReply()),
);
