import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer, type Socket } from "node:net";
import { test } from "node:test";
import { listening } from "../../tests/listening.ts";
import { PATIENCE_MS } from "../../tests/patience.ts";
import { failureOf } from "../basics/errors.ts";
import { httpClient } from "./http-client.ts";
import { messageReader } from "./message-reader.ts";
import { maskedFrame } from "./web-socket.ts";

const acceptOf = (key: string) =>
  createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");

const agreed = (key: string, more = "") =>
  `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
  `Sec-WebSocket-Accept: ${acceptOf(key)}\r\n${more}\r\n`;

/** A frame of a server: without a mask, of at most 125 bytes. */
const frame = (first: number, payload: string | readonly number[]) => {
  const bytes = typeof payload === "string" ? Buffer.from(payload) : Buffer.from(payload);
  return Buffer.concat([Buffer.from([first, bytes.length]), bytes]);
};

const TEXT = 0x81, BINARY = 0x82, CLOSE = 0x88, PING = 0x89, PONG = 0x8a;

interface Faulty {
  /** Answers a handshake; the key it came with. */
  readonly greets?: (socket: Socket, key: string) => void;
  /** Answers what comes behind the client's ping, which it gets a pong for. */
  readonly answers?: (socket: Socket, bytes: Buffer) => void;
}

/** Runs a server of bytes, and a client that sends it one message over a WebSocket. */
async function sentTo({ greets, answers }: Faulty, timeoutMs = PATIENCE_MS) {
  const server = createServer((socket) => {
    let key: string | undefined;
    socket.on("error", () => {});
    socket.on("data", (bytes: Buffer) => {
      if (key !== undefined && bytes[0] === PING && answers !== undefined) return socket.write(frame(PONG, ""));
      if (key !== undefined) return answers?.(socket, bytes);
      key = /Sec-WebSocket-Key: (\S+)/.exec(bytes.toString("latin1"))?.[1] ?? "";
      if (greets === undefined) socket.write(agreed(key));
      else greets(socket, key);
    });
  });
  return await listening(server, async (url) => {
    const client = httpClient(url, timeoutMs);
    return await client.send("WEBSOCKET", "/chat", "hello").finally(client.close);
  });
}

const writes = (...frames: readonly Buffer[]) => (socket: Socket) => void socket.write(Buffer.concat(frames));
const says = (text: (key: string) => string) => (socket: Socket, key: string) => void socket.end(text(key));

/** Servers that break the protocol, and the line that says how. */
const FAULTS: readonly (readonly [fault: string, server: Faulty, line: RegExp])[] = [
  ["answers no HTTP", { greets: says(() => "hello\r\n\r\n") }, /the handshake is answered with "hello"$/],
  ["closes without a reply", { greets: says(() => "") }, /closed without a reply to the handshake$/],
  [
    "sends no accept key",
    { greets: says(() => "HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n") },
    /status 101 comes without Sec-WebSocket-Accept$/,
  ],
  [
    "sends a wrong accept key",
    { greets: says((key) => agreed(`${key}x`)) },
    /Sec-WebSocket-Accept is "[^"]+=", expected "[^"]+="$/,
  ],
  [
    "does not say what it upgrades to",
    { greets: says((key) => agreed(key).replace("Upgrade: websocket\r\n", "")) },
    /status 101 comes without Upgrade: websocket$/,
  ],
  [
    "does not say that the connection is upgraded",
    { greets: says((key) => agreed(key).replace("Connection: Upgrade\r\n", "")) },
    /status 101 comes without Connection: Upgrade$/,
  ],
  [
    "compresses unrequested",
    { greets: says((key) => agreed(key, "Sec-WebSocket-Extensions: permessage-deflate\r\n")) },
    /it agrees to "sec-websocket-extensions: permessage-deflate", which was not offered$/,
  ],
  ["closes with a code", { answers: writes(frame(CLOSE, [3, 243])) }, /it closed with code 1011$/],
  [
    "closes with a code and a reason",
    { answers: writes(frame(CLOSE, [3, 240, 110, 111])) },
    /it closed with code 1008 "no"$/,
  ],
  ["closes without a code", { answers: writes(frame(CLOSE, "")) }, /it closed with code 1005$/],
  ["ends in the middle of a message", {
    answers: (socket) => socket.end(frame(TEXT, "hello").subarray(0, 3)),
  }, /the connection was closed without a close frame$/],
  ["masks its frames", { answers: writes(maskedFrame(1, Buffer.from("hello"))) }, /a frame is masked/],
  ["sets the bit of an extension", { answers: writes(frame(0xc1, "hello")) }, /bit of an extension/],
  ["sends an unknown frame", { answers: writes(frame(0x83, "hello")) }, /a frame has opcode 3, which means nothing$/],
  ["begins with a continuation", { answers: writes(frame(0x80, "lo")) }, /a message begins with a continuation$/],
  ["begins within another message", {
    answers: writes(frame(0x01, "hel"), frame(TEXT, "lo")),
  }, /a message begins within another$/],
  ["sends a text that is no UTF-8", { answers: writes(frame(TEXT, [0xff])) }, /a text message is no UTF-8$/],
  ["sends a ping in pieces", { answers: writes(frame(0x09, "")) }, /a control frame is in pieces/],
];

for (const [fault, server, line] of FAULTS) {
  test(`a server that ${fault} gets one line`, async () => {
    await assert.rejects(sentTo(server), (error: Error) => {
      assert.equal(error.name, "WrongAnswer");
      assert.match(error.message, /^WEBSOCKET \/chat: [^\n]+$/);
      assert.match(error.message, line);
      return true;
    });
  });
}

test("a handshake that is answered with another status is a reply of that status", async () => {
  const greets = says(() => "HTTP/1.1 426 Upgrade Required\r\nUpgrade: websocket\r\nContent-Length: 0\r\n\r\n");
  const reply = await sentTo({ greets });
  assert.equal(reply.status, 426);
  assert.equal(reply.headers["upgrade"], "websocket");
});

/** Returns how a client that waits for so long says that nothing came. */
async function lateLine(server: Faulty, waitMs: number): Promise<string> {
  const error = await sentTo(server, waitMs).then(() => null, (error: Error) => error);
  assert.notEqual(failureOf(error, "reply-late"), null);
  return error!.message;
}

test("a server that never answers is late, before the handshake and after it", async () => {
  assert.match(await lateLine({ greets: () => {} }, 10), /within 10 ms: the handshake is not answered$/);
  let line = "";
  // On a busy machine a handshake takes longer than the first of these.
  for (let ms = 50; ms <= PATIENCE_MS && !/no message came$/.test(line); ms *= 4) line = await lateLine({}, ms);
  assert.match(line, /the WebSocket is open, and no message came$/);
});

test("a message is read in pieces, behind a ping that is answered, and its kind is reported", async () => {
  const heard: Buffer[] = [];
  const reply = await sentTo({
    answers(socket, bytes) {
      heard.push(bytes);
      if (heard.length > 1) return writes(frame(0x02, [1, 255]), frame(0x00, [2]), frame(0x80, [3]))(socket);
      writes(frame(PING, "are you there"))(socket);
    },
  });
  assert.equal(heard[1]![0], 0x8a);
  assert.deepEqual([reply.status, reply.base64], [101, Buffer.from([1, 255, 2, 3]).toString("base64")]);
  assert.equal(reply.headers["x-message"], "binary");
});

test("bytes that are a text stay a binary message", async () => {
  const reply = await sentTo({ answers: writes(frame(BINARY, "hello")) });
  assert.deepEqual([reply.body, reply.base64, reply.headers["x-message"]], ["hello", undefined, "binary"]);
});

test("lengths of one, two and eight bytes are read, whatever the chunks", () => {
  for (const length of [0, 125, 126, 65_535, 65_536]) {
    const masked = maskedFrame(2, Buffer.alloc(length, 7));
    // The same frame as a server sends it.
    const head = masked.length - length - 4;
    const sent = Buffer.concat([masked.subarray(0, head), Buffer.alloc(length, 7)]);
    sent[1]! &= 0x7f;
    const { read } = messageReader("a");
    const received = [sent.subarray(0, 1), sent.subarray(1, 3), sent.subarray(3)].flatMap(read);
    assert.deepEqual(received, [{ kind: "message", body: { base64: Buffer.alloc(length, 7).toString("base64") } }]);
  }
});

test("a frame that says it is longer than any message is refused before it comes", () => {
  const head = Buffer.from([BINARY, 127, 0, 0, 1, 0, 0, 0, 0, 0]);
  assert.throws(() => messageReader("a").read(head), /a frame says it is \S+ bytes long$/);
});
