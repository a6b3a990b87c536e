import type { Socket } from "node:net";
import type { Body, Opening, OpenWebSocket, Reply, Target } from "../../suites/suite.ts";
import { bodyBytes, bodyOfReply } from "../basics/body-bytes.ts";
import { failure } from "../basics/errors.ts";
import { present, unlessEmpty } from "../basics/present.ts";
import { counted } from "../basics/units.ts";
import { malformed } from "./malformed.ts";
import { type ReadReply, replyReader } from "./reply-reader.ts";
import { openSocket, type ServerProtocol } from "./server-protocol.ts";
import { openWebSocket, sendMessage, WEBSOCKET } from "./web-socket.ts";

/** Larger replies are not compared. */
export const MOST_REPLY_BYTES = 256 * 1_024 * 1_024;

interface Connection {
  readonly socket: Socket;
  /** Null while no reply is due: bytes that come then belong to none. */
  listener: { readonly data: (chunk: Buffer) => void; readonly closed: (error: Error | null) => void } | null;
  /** Bytes that came while no reply was due. */
  strays: number;
  closed: boolean;
  /** The end of its last reply by the monotonic clock; null before the first. */
  repliedMs: number | null;
  replies: number;
}

/** Methods that may be retried (RFC 9110, 9.2.2), and the idle time after which a server may close a connection. */
const RETRIED = ["GET", "HEAD"], IDLE_MS = 1_000;

/**
 * Opens a client that sends one server one request at a time over one connection. It writes what the generators write, byte
 * for byte, and reads what they read: a reply to each request, with interim ones. A server may close an idle connection while
 * the next request is on its way; then that is retried over a new one (RFC 9112, 9.3.1).
 *
 * @param timeoutMs limit for a whole request: to connect, to the first byte, to the last one
 */
export function httpClient(
  url: string,
  timeoutMs: number,
  spoken: ServerProtocol = { protocol: "http" },
  idleMs: number = IDLE_MS,
) {
  const { host } = new URL(url);
  let kept: Connection | undefined;
  let before: Promise<unknown> = Promise.resolve();
  let begun: () => string | null = () => null;

  const drop = () => {
    kept?.socket.destroy();
    kept = undefined;
  };
  const ask = async (method: string, bytes: Buffer): Promise<ReadReply> => {
    if (kept !== undefined && kept.strays > 0) {
      const { strays } = kept;
      drop();
      throw malformed(`after its last reply it sent ${counted(strays, "byte")} of no reply`);
    }
    if (kept?.closed) kept = undefined;
    const connection = kept ??= openConnection(url, spoken);
    const reader = replyReader(method, MOST_REPLY_BYTES);
    begun = () => reader.begun();
    const retries = (idle: number) => idle >= idleMs && RETRIED.includes(method);
    const reply = await exchange(connection, { bytes, reader, timeoutMs, retries }).catch((error) => {
      drop();
      throw error;
    });
    if (reply === "retry" || !reply.keeps || reply.rest > 0) drop();
    if (reply === "retry") return await ask(method, bytes);
    if (reply.rest > 0) throw malformed(`its reply is followed by ${counted(reply.rest, "byte")} of no reply`);
    return reply;
  };

  return {
    url,
    // Set if other connections to this server may speak plain HTTP/1.1.
    ...(spoken.protocol === "http" ? { isNear: true as const } : {}),
    /**
     * Sends a path unnormalised; a body is JSON unless headers say otherwise. Method `WEBSOCKET` is a message; see
     * {@link sendMessage}. Rejects on a socket error or a timeout.
     */
    async send(
      method: string,
      path: string,
      body?: Body,
      given?: Readonly<Record<string, string>>,
      opening?: Opening,
    ): Promise<Reply> {
      const headers = given ?? {};
      const handshake = { url, path, headers, spoken, timeoutMs };
      if (method === WEBSOCKET) return await sendMessage(handshake, body ?? "", opening);
      const bytes = requestBytes({ method, path, host, headers, ...present({ body }) });
      const turn = before.then(() => ask(method, bytes));
      before = turn.catch(() => {});
      const reply = await turn;
      return {
        status: reply.status,
        headers: reply.headers,
        ...bodyOfReply(reply.body),
        bytes: { whole: reply.wireBytes, body: reply.body.length },
        ...present({ interim: unlessEmpty(reply.interim), endedByClose: reply.endedByClose || null }),
      };
    },
    webSocket: (path: string, headers?: Readonly<Record<string, string>>): Promise<OpenWebSocket> =>
      openWebSocket({ url, path, headers: headers ?? {}, spoken, timeoutMs }),
    /** Describes the part of the last reply that has come; null before its first byte. */
    begun: () => begun(),
    close: (): void => void kept?.socket.destroy(),
  };
}

/** A client of one server. */
export type Client = Omit<ReturnType<typeof httpClient>, "webSocket"> & Pick<Target, "webSocket">;

function openConnection(url: string, spoken: ServerProtocol): Connection {
  const socket = openSocket(url, spoken);
  const connection: Connection = { socket, listener: null, strays: 0, closed: false, repliedMs: null, replies: 0 };
  const closed = (error: Error | null) => {
    connection.closed = true;
    const { listener } = connection;
    connection.listener = null;
    listener?.closed(error);
    socket.destroy();
  };
  socket.on("data", (chunk: Buffer) => {
    if (connection.listener !== null) return connection.listener.data(chunk);
    connection.strays += chunk.length;
    // A server that keeps sending would cost the driver time while another one is measured.
    socket.destroy();
  });
  socket.on("error", closed);
  socket.on("end", () => closed(null));
  socket.on("close", () => closed(null));
  return connection;
}

interface Exchange {
  readonly bytes: Buffer;
  readonly reader: ReturnType<typeof replyReader>;
  readonly timeoutMs: number;
  /** Returns true if the request may be sent again over a new connection, given for how many ms this one was idle. */
  readonly retries: (idleMs: number) => boolean;
}

/** Sends a request and reads its reply; `retry` if the server had closed an idle connection. Rejects with an Error in one line. */
function exchange(
  connection: Connection,
  { bytes, reader, timeoutMs, retries }: Exchange,
): Promise<ReadReply | "retry"> {
  return new Promise((resolve, reject) => {
    const { repliedMs } = connection;
    const end = (settle: () => void) => {
      clearTimeout(timer);
      connection.listener = null;
      connection.repliedMs = performance.now();
      settle();
    };
    const reads = (read: () => ReadReply | null) => {
      try {
        const reply = read();
        if (reply !== null) end(() => (connection.replies++, resolve(reply)));
      } catch (error) {
        end(() => reject(error));
      }
    };
    const timer = setTimeout(() => {
      const { socket, replies } = connection;
      const before = replies === 0 ? null : `${counted(replies, "reply", "replies")} came on its connection before`;
      const state = socket.connecting ? "no connection either" : reader.begun() ?? before;
      end(() => reject(failure({ code: "reply-late", facts: { ms: timeoutMs, state } })));
    }, timeoutMs);
    connection.listener = {
      data: (chunk) => reads(() => reader.read(chunk)),
      closed(error) {
        const idle = repliedMs !== null && reader.begun() === null && retries(performance.now() - repliedMs);
        if (idle) end(() => resolve("retry"));
        else if (error === null) reads(() => reader.end());
        else end(() => reject(error));
      },
    };
    connection.socket.write(bytes);
  });
}

interface Sent {
  readonly method: string;
  readonly path: string;
  /** The host of the address: `127.0.0.1:8080`. */
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Body;
}

/** Methods that send Content-Length even with an empty body, as the generators' do. */
const TAKES_BODY = ["POST", "PUT", "PATCH"];

/** Returns the bytes of a request, in the order wrk's program writes them (bench/generators/wrk-program.ts). Throws if a line break would split it. */
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
