import { createHash, randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { type Body, type OpenWebSocket, type Reply, WrongAnswer } from "../../suites/suite.ts";
import { bodyBytes, bodyOfReply } from "../basics/body-bytes.ts";
import { failure } from "../basics/errors.ts";
import { withoutSecrets } from "../basics/without-secrets.ts";
import { lineReader } from "./line-reader.ts";
import { messageReader, OPCODE, type ReceivedPart } from "./message-reader.ts";
import { openSocket, type ServerProtocol } from "./server-protocol.ts";

/** The text that RFC 6455, 1.3, appends to a key. */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** A longer head of a reply is none. */
const MOST_HEAD_BYTES = 65_536;

/** A server that sends more pings and pongs before a message sends them without an end. */
const MOST_CONTROL_FRAMES = 1_000;

/** The time in ms after which a connection is cut whose server does not read the close frame. */
const CLOSE_MS = 1_000;

interface Opening {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly spoken: ServerProtocol;
  /** Limit for the handshake, and for each message. */
  readonly timeoutMs: number;
}

/** The pseudo-method of a handshake, one message and its reply. */
export const WEBSOCKET = "WEBSOCKET";

/** A handshake that is answered with another status than 101. */
class Refused extends WrongAnswer {
  readonly reply: Pick<Reply, "status" | "headers">;

  constructor(name: string, reply: Pick<Reply, "status" | "headers">) {
    super(`${name}: the handshake is answered with status ${reply.status}, expected 101`, reply.status);
    this.reply = reply;
  }
}

/**
 * Sends one message over a new WebSocket and closes it. Resolves with status 101, the next message as the body, and its kind
 * in the header `x-message`: `text` or `binary`; or with the reply that refuses the handshake, without its body. A server that
 * speaks first is refused: its greeting would be taken for the reply.
 */
export async function sendMessage(opening: Opening, message: Body): Promise<Reply> {
  const opened = await openWebSocket(opening).catch((error: unknown) => {
    if (error instanceof Refused) return error.reply;
    throw error;
  });
  if (!("send" in opened)) return { ...opened, body: "" };
  try {
    await opened.isSilent();
    opened.send(message);
    const reply = await opened.next();
    const bytes = bodyBytes(reply);
    // The accept key has been checked, and differs each time.
    const { "sec-websocket-accept": _, ...headers } = opened.headers;
    return {
      status: 101,
      headers: { ...headers, "x-message": typeof reply === "string" ? "text" : "binary" },
      ...bodyOfReply(bytes),
      bytes: { body: bytes.length },
    };
  } finally {
    opened.close();
  }
}

/** The bytes a server sends, in the order in which they come. */
interface Incoming {
  /** Starts the time limit for all that is read until the next call. */
  begin(): void;
  /** Resolves with the next chunk; null at the end of the connection. Rejects after the time limit, with a state in words. */
  next(state: string): Promise<Buffer | null>;
}

/**
 * Opens a WebSocket: one connection, a handshake without extensions and subprotocols (RFC 6455, 4.1), masked frames.
 * It answers pings. See {@link OpenWebSocket} for what it throws. `isSilent` sends a ping, and throws a {@link WrongAnswer} if a
 * message comes before its pong.
 */
export async function openWebSocket(
  { url, path, headers, spoken, timeoutMs }: Opening,
): Promise<OpenWebSocket & Pick<Reply, "headers"> & { isSilent(): Promise<void> }> {
  const name = `${WEBSOCKET} ${path.slice(0, 80)}`;
  const wrong = (what: string) => new WrongAnswer(`${name}: ${what}`);
  const socket = openSocket(url, spoken);
  const incoming = incomingOf(socket, timeoutMs);
  const key = randomBytes(16).toString("base64");
  const lines = [
    ...[`GET ${path} HTTP/1.1`, "Upgrade: websocket", "Connection: Upgrade"],
    ...(Object.keys(headers).some((header) => /^host$/i.test(header)) ? [] : [`Host: ${new URL(url).host}`]),
    ...[`Sec-WebSocket-Key: ${key}`, "Sec-WebSocket-Version: 13"],
    ...Object.entries(headers).map(([header, value]) => `${header}: ${value}`),
  ];
  try {
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    const { head, rest } = await headOf(incoming, wrong);
    const reply = readHead(head, wrong);
    if (reply.status !== 101) throw new Refused(name, reply);
    assertAgreed(reply.headers, { key, offered: headers }, wrong);
    return { headers: reply.headers, ...messages({ socket, incoming, rest, name }) };
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** Returns the head of the reply to a handshake, and the bytes behind it. */
async function headOf(
  incoming: Incoming,
  wrong: (what: string) => WrongAnswer,
): Promise<{ readonly head: string; readonly rest: Buffer }> {
  const head = lineReader({
    mark: "\r\n\r\n",
    mostBytes: MOST_HEAD_BYTES,
    tooLong: () => wrong("its reply to the handshake is no HTTP"),
    bareLineFeed: () => wrong("its reply to the handshake has a line that does not end in CRLF"),
  });
  incoming.begin();
  for (;;) {
    const chunk = await incoming.next(
      head.length === 0 ? "the handshake is not answered" : `of the reply to the handshake ${head.length} bytes came`,
    );
    if (chunk === null) throw wrong("the connection was closed without a reply to the handshake");
    const found = head.read(chunk, 0);
    if (found !== null) return { head: found.text, rest: chunk.subarray(found.end) };
  }
}

function readHead(head: string, wrong: (what: string) => WrongAnswer): Pick<Reply, "status" | "headers"> {
  const [first = "", ...lines] = head.split("\r\n");
  const status = /^HTTP\/1\.1 (\d{3})/.exec(first)?.[1];
  if (status === undefined) throw wrong(`the handshake is answered with ${JSON.stringify(first.slice(0, 80))}`);
  const headers = lines.map((line) => {
    const [name = "", ...value] = line.split(":");
    return [name.trim().toLowerCase(), value.join(":").trim()] as const;
  });
  return { status: Number(status), headers: Object.fromEntries(headers) };
}

/** Throws a {@link WrongAnswer} if status 101 does not agree to the handshake (RFC 6455, 4.1). */
function assertAgreed(
  headers: Reply["headers"],
  { key, offered }: { readonly key: string; readonly offered: Readonly<Record<string, string>> },
  wrong: (what: string) => WrongAnswer,
): void {
  const named = Object.keys(offered).map((name) => name.toLowerCase());
  const accept = createHash("sha1").update(key + GUID).digest("base64");
  const said = headers["sec-websocket-accept"];
  if (said === undefined) throw wrong("status 101 comes without Sec-WebSocket-Accept");
  if (said !== accept) throw wrong(`Sec-WebSocket-Accept is "${said}", expected "${accept}"`);
  if (headers["upgrade"]?.toLowerCase() !== "websocket") throw wrong("status 101 comes without Upgrade: websocket");
  if (!/\bupgrade\b/i.test(headers["connection"] ?? "")) throw wrong("status 101 comes without Connection: Upgrade");
  for (const header of ["sec-websocket-extensions", "sec-websocket-protocol"]) {
    const value = headers[header];
    if (value !== undefined && !named.includes(header)) {
      throw wrong(`it agrees to "${header}: ${value}", which was not offered`);
    }
  }
}

function messages(
  { socket, incoming, rest, name }: {
    readonly socket: Socket;
    readonly incoming: Incoming;
    readonly rest: Buffer;
    readonly name: string;
  },
): OpenWebSocket & { isSilent(): Promise<void> } {
  const reader = messageReader(name);
  /** Messages that the last chunk completed: the next chunk is read once all are taken. */
  let waiting: Iterator<ReceivedPart> = reader.read(rest).values();
  const take = async (): Promise<ReceivedPart> => {
    for (;;) {
      const { value, done } = waiting.next();
      if (done !== true) return value;
      const chunk = await incoming.next(`the WebSocket is open, and ${reader.begun() ?? "no message came"}`);
      if (chunk === null) throw new WrongAnswer(`${name}: the connection was closed without a close frame`);
      waiting = reader.read(chunk).values();
    }
  };
  /** Reads messages until a wanted one: answers pings, throws if the server closes. */
  const takeUntil = async <Wanted extends ReceivedPart>(
    isWanted: (one: ReceivedPart) => one is Wanted,
  ): Promise<Wanted> => {
    incoming.begin();
    for (let controls = 0; controls <= MOST_CONTROL_FRAMES; controls++) {
      const received = await take();
      if (isWanted(received)) return received;
      if (received.kind === "ping") socket.write(maskedFrame(OPCODE.pong, received.bytes));
      if (received.kind === "close") throw new WrongAnswer(`${name}: it closed with code ${received.code}`);
    }
    throw new WrongAnswer(`${name}: more than ${MOST_CONTROL_FRAMES} pings and pongs came before a message`);
  };
  return {
    async isSilent() {
      socket.write(maskedFrame(OPCODE.ping, Buffer.alloc(0)));
      const first = await takeUntil((one) => one.kind === "message" || one.kind === "pong");
      if (first.kind !== "message") return;
      const said = typeof first.body === "string" ? ` ${JSON.stringify(withoutSecrets(first.body.slice(0, 80)))}` : "";
      throw new WrongAnswer(`${name}: the server speaks first, with${said || " bytes"}: only replies are measured`);
    },
    send: (message) =>
      void socket.write(maskedFrame(typeof message === "string" ? OPCODE.text : OPCODE.binary, bodyBytes(message))),
    next: async () => (await takeUntil((one) => one.kind === "message")).body,
    close() {
      const timer = setTimeout(() => socket.destroy(), CLOSE_MS);
      socket.once("close", () => clearTimeout(timer));
      socket.end(maskedFrame(OPCODE.close, Buffer.from([0x03, 0xe8])), () => socket.destroy());
    },
  };
}

/** Returns a whole message as one frame of a client, with a mask as RFC 6455, 5.3, demands it. */
export function maskedFrame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (head.length === 2 ? length : head.length === 4 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  const mask = randomBytes(4);
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ mask[at & 3]!)]);
}

function incomingOf(socket: Socket, timeoutMs: number): Incoming {
  const chunks: AsyncIterator<Buffer> = socket[Symbol.asyncIterator]();
  // The iterator reports errors; later ones are ignored.
  socket.on("error", () => {});
  let untilMs = Infinity;
  return {
    begin: () => void (untilMs = performance.now() + timeoutMs),
    async next(state) {
      const leftMs = untilMs - performance.now();
      const lateAt = () => failure({ code: "reply-late", facts: { ms: timeoutMs, state } });
      // A chunk that is there wins over a timer: a server that always has one would never be late.
      if (leftMs <= 0) throw lateAt();
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(lateAt()), leftMs);
      try {
        const { value, done } = await Promise.race([chunks.next(), late.promise]);
        return done === true ? null : value;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
