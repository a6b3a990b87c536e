import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { type Body, type Opening, type OpenWebSocket, type Reply, WrongAnswer } from "../../suites/suite.ts";
import { bodyBytes, bodyOfReply } from "../basics/body-bytes.ts";
import { failure } from "../basics/errors.ts";
import { withoutSecrets } from "../basics/without-secrets.ts";
import { assertAgreed, readHead } from "./handshake.ts";
import { untilSilent } from "./until-silent.ts";
import { lineReader } from "./line-reader.ts";
import { messageReader, OPCODE, type ReceivedPart } from "./message-reader.ts";
import { openSocket, type ServerProtocol } from "./server-protocol.ts";

/** A longer head of a reply is none. */
const MOST_HEAD_BYTES = 65_536;

/** A server that sends more pings and pongs before a message sends them without an end. */
const MOST_CONTROL_FRAMES = 1_000;

/** The time in ms after which a connection is cut whose server does not read the close frame. */
const CLOSE_MS = 1_000;

/** Headers of what {@link sendMessage} resolves with: the number of answers to an opening message, and their texts. */
export const FIRST_REPLIES = "x-first-replies", FIRST_SAID = "x-first-said", MOST_SAID = 200;

interface Handshake {
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
 * Sends one message twice over a new WebSocket and closes it. Resolves with status 101, the reply as the body, and its kind
 * in the header `x-message`: `text` or `binary`; or with the reply that refuses the handshake, without its body. Throws a
 * {@link WrongAnswer} if the two replies differ, or a server speaks first: its greeting would be taken for the reply.
 *
 * @param first a message to send once before; the answers to it are counted in headers
 */
export async function sendMessage(handshake: Handshake, message: Body, first?: Opening): Promise<Reply> {
  const opened = await openWebSocket(handshake).catch((error: unknown) => {
    if (error instanceof Refused) return error.reply;
    throw error;
  });
  if (!("send" in opened)) return { ...opened, body: "" };
  try {
    const said = first === undefined ? await opened.isSilent() : await opened.begin(first);
    opened.send(message);
    const reply = await opened.next();
    opened.send(message);
    const second = await opened.next();
    const bytes = bodyBytes(reply);
    if (typeof second !== typeof reply || !bodyBytes(second).equals(bytes)) {
      const [was, is] = [reply, second].map(bodyWords);
      throw new WrongAnswer(
        `${WEBSOCKET} ${
          handshake.path.slice(0, 80)
        }: a connection's second message is answered with${is}, its first with${was}: ` +
          "each reply is compared with the first, and no server that speaks later or numbers its replies is measured",
      );
    }
    // The accept key has been checked, and differs each time.
    const { "sec-websocket-accept": _, ...headers } = opened.headers;
    return {
      status: 101,
      headers: { ...headers, "x-message": typeof reply === "string" ? "text" : "binary", ...said },
      ...bodyOfReply(bytes),
      bytes: { body: bytes.length },
    };
  } finally {
    opened.close();
  }
}

/** A message in an error: its text without secrets, or its length. */
const bodyWords = (body: Body): string =>
  typeof body === "string"
    ? ` ${JSON.stringify(withoutSecrets(body.slice(0, 80)))}`
    : ` ${bodyBytes(body).length} bytes`;

/** The bytes a server sends, in the order in which they come. */
interface Incoming {
  /** Starts the time limit for all that is read until the next call; that of the handshake by default. */
  begin(limitMs?: number): void;
  /** Resolves with the next chunk; null at the end of the connection. Rejects after the time limit, with a state in words. */
  next(state: string): Promise<Buffer | null>;
}

/** The beginning of a conversation whose replies are measured. */
interface Beginning {
  /** Sends a ping, and throws a {@link WrongAnswer} if a message comes before its pong. */
  isSilent(): Promise<Reply["headers"]>;
  /** Sends an opening message. Resolves with the headers {@link FIRST_REPLIES} and {@link FIRST_SAID}. */
  begin(first: Opening): Promise<Reply["headers"]>;
}

/**
 * Opens a WebSocket: one connection, a handshake without extensions (RFC 6455, 4.1), masked frames. It answers pings. See
 * {@link OpenWebSocket} for what it throws.
 */
export async function openWebSocket(
  { url, path, headers, spoken, timeoutMs }: Handshake,
): Promise<OpenWebSocket & Pick<Reply, "headers"> & Beginning> {
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
    return { headers: reply.headers, ...messages({ socket, incoming, rest, name, timeoutMs }) };
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

function messages(
  { socket, incoming, rest, name, timeoutMs }: Pick<Handshake, "timeoutMs"> & {
    readonly socket: Socket;
    readonly incoming: Incoming;
    readonly rest: Buffer;
    readonly name: string;
  },
): OpenWebSocket & Beginning {
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
    limitMs?: number,
  ): Promise<Wanted> => {
    incoming.begin(limitMs);
    for (let controls = 0; controls <= MOST_CONTROL_FRAMES; controls++) {
      const received = await take();
      if (isWanted(received)) return received;
      if (received.kind === "ping") socket.write(maskedFrame(OPCODE.pong, received.bytes));
      if (received.kind === "close") {
        const { code, reason } = received;
        throw new WrongAnswer(`${name}: it closed with code ${code}${reason === "" ? "" : bodyWords(reason)}`);
      }
    }
    throw new WrongAnswer(`${name}: more than ${MOST_CONTROL_FRAMES} pings and pongs came before a message`);
  };
  const ping = () => socket.write(maskedFrame(OPCODE.ping, Buffer.alloc(0)));
  const isAnswer = (one: ReceivedPart) => one.kind === "message" || one.kind === "pong";
  const send = (message: Body) =>
    void socket.write(maskedFrame(typeof message === "string" ? OPCODE.text : OPCODE.binary, bodyBytes(message)));
  const next = async () => (await takeUntil((one) => one.kind === "message")).body;
  return {
    async isSilent() {
      ping();
      const first = await takeUntil(isAnswer);
      if (first.kind === "pong") return {};
      throw new WrongAnswer(
        `${name}: the server speaks first, with${
          bodyWords(first.body)
        }: only replies are measured, and answers to --first`,
      );
    },
    async begin({ message, replies }) {
      send(message);
      if (replies === undefined) ping();
      const heard = replies === undefined
        ? await untilSilent((limitMs) => takeUntil(isAnswer, limitMs), name, timeoutMs)
        : [];
      while (heard.length < (replies ?? 0)) heard.push(await next());
      const said = heard.map(bodyWords).join(",").trim().slice(0, MOST_SAID);
      return { [FIRST_REPLIES]: String(heard.length), ...(said === "" ? {} : { [FIRST_SAID]: said }) };
    },
    send,
    next,
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
  let untilMs = Infinity, mostMs = timeoutMs;
  /** The chunk that is awaited: one that comes too late for a reader is the next one's. */
  let coming: ReturnType<typeof chunks.next> | null = null;
  return {
    begin(limitMs = timeoutMs) {
      mostMs = limitMs;
      untilMs = performance.now() + limitMs;
    },
    async next(state) {
      const leftMs = untilMs - performance.now();
      const lateAt = () => failure({ code: "reply-late", facts: { ms: mostMs, state } });
      // A chunk that is there wins over a timer: a server that always has one would never be late.
      if (leftMs <= 0) throw lateAt();
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(lateAt()), leftMs);
      try {
        coming ??= chunks.next();
        const { value, done } = await Promise.race([coming, late.promise]);
        coming = null;
        return done === true ? null : value;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
