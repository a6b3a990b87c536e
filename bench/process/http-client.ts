import type { Socket } from "node:net";
import type { Body, Reply } from "../../suites/suite.ts";
import { bodyBytes } from "../basics/body-bytes.ts";
import { failure } from "../basics/errors.ts";
import { counted } from "../basics/units.ts";
import { malformed, type ReadReply, replyReader } from "./reply-reader.ts";
import { openSocket, type Spoken } from "./spoken.ts";

/** Replies above this are no answers to compare. */
const MOST_REPLY_BYTES = 256 * 1_024 * 1_024;

/** A connection, told to one listener at a time. */
interface Connection {
  readonly socket: Socket;
  /** Null when nobody waits: what comes then belongs to no reply. */
  listener: { readonly data: (chunk: Buffer) => void; readonly closed: (error: Error | null) => void } | null;
  /** Bytes nobody asked for. */
  strays: number;
  closed: boolean;
  /** When its last reply had come, by the steady clock; null before the first. */
  repliedMs: number | null;
}

/** Methods that may be sent again (RFC 9110, 9.2.2), and from which time without a request on a server may close a connection. */
const SENT_AGAIN = ["GET", "HEAD"], QUIET_MS = 1_000;

/**
 * Opens a client that asks one server one thing at a time over one connection. It writes what the generators write, byte for
 * byte, and reads what they read: a reply to each request, interim ones told. A server may close a connection that was quiet
 * while the next request is on its way; then that is sent once more over a new one (RFC 9112, 9.3.1).
 *
 * @param timeoutMs for all of an ask: to connect, to the first byte, to the last one
 */
export function httpClient(
  url: string,
  timeoutMs: number,
  spoken: Spoken = { protocol: "http" },
  quietMs: number = QUIET_MS,
) {
  const { host } = new URL(url);
  let kept: Connection | undefined;
  let before: Promise<unknown> = Promise.resolve();
  let begun: () => string | null = () => null;

  const ask = (method: string, bytes: Buffer): Promise<ReadReply> =>
    new Promise<ReadReply>((resolve, reject) => {
      if (kept?.closed) kept = undefined;
      if (kept !== undefined && kept.strays > 0) {
        const { strays } = kept;
        kept.socket.destroy();
        kept = undefined;
        return reject(malformed(`after its last reply it sent ${strays} bytes that belong to none`));
      }
      const connection = kept ??= openConnection(url, spoken);
      const reader = replyReader(method, MOST_REPLY_BYTES);
      begun = () => reader.begun();
      const over = (reply: ReadReply | Error) => {
        clearTimeout(timer);
        connection.listener = null;
        connection.repliedMs = performance.now();
        if (reply instanceof Error || !reply.keeps || reply.rest > 0) {
          connection.socket.destroy();
          if (kept === connection) kept = undefined;
        }
        if (reply instanceof Error) reject(reply);
        else if (reply.rest > 0) {
          reject(malformed(`its reply is followed by ${counted(reply.rest, "byte")} of no reply`));
        } else resolve(reply);
      };
      const reads = (read: () => ReadReply | null) => {
        try {
          const reply = read();
          if (reply !== null) over(reply);
        } catch (error) {
          over(error as Error);
        }
      };
      const timer = setTimeout(() => {
        const state = connection.socket.connecting ? "no connection either" : reader.begun();
        over(failure({ code: "reply-late", facts: { ms: timeoutMs, state } }));
      }, timeoutMs);
      const { repliedMs } = connection;
      const wasQuiet = () =>
        repliedMs !== null && performance.now() - repliedMs >= quietMs && SENT_AGAIN.includes(method) &&
        reader.begun() === null;
      connection.listener = {
        data: (chunk) => reads(() => reader.read(chunk)),
        closed(error) {
          if (wasQuiet()) {
            clearTimeout(timer);
            kept = undefined;
            ask(method, bytes).then(resolve, reject);
          } else if (error === null) reads(() => reader.end());
          else over(error);
        },
      };
      connection.socket.write(bytes);
    });

  return {
    url,
    // Who opens connections of their own beside it does so in plain HTTP/1.1.
    ...(spoken.protocol === "http" ? { isNear: true as const } : {}),
    /** Sends a path as it is, unnormalised; a body is JSON unless headers say otherwise. Rejects on a socket error or late. */
    async send(
      method: string,
      path: string,
      body?: Body,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<Reply> {
      const bytes = requestBytes({ method, path, host, headers, ...(body === undefined ? {} : { body }) });
      const turn = before.then(() => ask(method, bytes));
      before = turn.catch(() => {});
      const reply = await turn;
      return {
        status: reply.status,
        headers: reply.headers,
        ...bodyOfReply(reply.body),
        bytes: { whole: reply.wireBytes, body: reply.body.length },
        ...(reply.interim.length === 0 ? {} : { interim: reply.interim }),
        ...(reply.endedByClose ? { endedByClose: true } : {}),
      };
    },
    /** How far the last reply is, in words; null where it has not begun. */
    begun: () => begun(),
    close: (): void => void kept?.socket.destroy(),
  };
}

/** A client of one server. */
export type Client = ReturnType<typeof httpClient>;

/** A body as replies have it: as text, and in base64 beside it where it is no UTF-8. */
export function bodyOfReply(bytes: Buffer): Pick<Reply, "body" | "base64"> {
  const body = bytes.toString("utf8");
  return Buffer.from(body, "utf8").equals(bytes) ? { body } : { body, base64: bytes.toString("base64") };
}

function openConnection(url: string, spoken: Spoken): Connection {
  const socket = openSocket(url, spoken);
  const connection: Connection = { socket, listener: null, strays: 0, closed: false, repliedMs: null };
  const closed = (error: Error | null) => {
    connection.closed = true;
    const { listener } = connection;
    connection.listener = null;
    listener?.closed(error);
    socket.destroy();
  };
  socket.on("data", (chunk: Buffer) => {
    if (connection.listener === null) connection.strays += chunk.length;
    else connection.listener.data(chunk);
  });
  socket.on("error", closed);
  socket.on("end", () => closed(null));
  socket.on("close", () => closed(null));
  return connection;
}

/** A request as it stands on the wire. */
interface Sent {
  readonly method: string;
  readonly path: string;
  /** Of the address: `127.0.0.1:8080`. */
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Body;
}

/** Methods that say how long their body is even where it has none, as the generators' do. */
const TAKES_BODY = ["POST", "PUT", "PATCH"];

/** The bytes of a request, in the order wrk's program writes them (bench/generators/wrk-program.ts). Throws where it would be two. */
export function requestBytes({ method, path, host, headers, body }: Sent): Buffer {
  const named = (lowerCase: string) => Object.keys(headers).some((name) => name.toLowerCase() === lowerCase);
  const content = body === undefined ? Buffer.alloc(0) : bodyBytes(body);
  const lines: (readonly [string, string])[] = [
    ...named("host") ? [] : [["Host", host] as const],
    ...Object.entries(headers),
    ...body === undefined || named("content-type") ? [] : [["Content-Type", "application/json"] as const],
    ...content.length > 0 || body !== undefined || TAKES_BODY.includes(method)
      ? [["Content-Length", String(content.length)] as const]
      : [],
  ];
  for (const text of [method, path, ...lines.flat()]) {
    if (/[\r\n\0]/.test(text)) throw new Error(`${JSON.stringify(text.slice(0, 80))} cannot be sent`);
  }
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n`, "utf8"),
    Buffer.from(`${head}\r\n`, "latin1"),
    content,
  ]);
}
