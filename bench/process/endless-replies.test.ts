/** Servers that go on for ever: each reader of the oracle ends, by its time limit or by a bound. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer as createHttp2, type ServerHttp2Stream } from "node:http2";
import { createServer, type Server } from "node:net";
import { test } from "node:test";
import { listening } from "../../tests/listening.ts";
import { PATIENCE_MS } from "../../tests/patience.ts";
import { until } from "../../tests/testing.ts";
import { failureOf } from "../basics/errors.ts";
import { httpClient } from "./http-client.ts";
import { messageReader } from "./message-reader.ts";
import { openClient } from "./open-client.ts";
import { replyReader } from "./reply-reader.ts";
import { openWebSocket } from "./web-socket.ts";
import { totalsAt } from "./workers.ts";

const HELLO = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${HELLO}transfer-encoding: chunked\r\n\r\n`;
const HINTS = "HTTP/1.1 103 Early Hints\r\n\r\n";

/** A server that writes some bytes, and a further part for ever: as fast as it is read, or at each tick of some ms. */
interface Endless {
  readonly first?: string;
  readonly part: Buffer;
  readonly everyMs: number | null;
  /** False if it does not answer a handshake first. */
  readonly agrees?: boolean;
}

/** Returns the bytes that agree to a handshake; none for a request without a key. */
function agreed(request: string): string {
  const key = /Sec-WebSocket-Key: (\S+)/.exec(request)?.[1];
  if (key === undefined) return "";
  const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
    `Sec-WebSocket-Accept: ${accept}\r\n\r\n`;
}

const endless = ({ first = "", part, everyMs, agrees = true }: Endless) =>
  createServer((socket) => {
    socket.on("error", () => {}).once("data", (request: Buffer) => {
      socket.write(Buffer.from(`${agrees ? agreed(request.toString("latin1")) : ""}${first}`, "latin1"));
      const write = (): void => {
        if (!socket.writable) return;
        const whole = socket.write(part);
        if (everyMs !== null) setTimeout(write, everyMs);
        else if (whole) setImmediate(write);
        else socket.once("drain", write);
      };
      write();
    });
  });

/** Returns the error of a request, and none for a reply. */
const errorOf = (server: Server, method: string, waitMs: number): Promise<Error> =>
  listening(server, async (url) => {
    const client = httpClient(url, waitMs);
    try {
      return await client.send(method, "/").then(() => assert.fail("it has replied"), (error: Error) => error);
    } finally {
      client.close();
    }
  });

const TEXT_FRAME = Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]).toString("latin1");

/** Each part is due in 5 ms, so no wait for a part is ever long. */
const SLOW: readonly (readonly [what: string, method: string, server: Omit<Endless, "everyMs">, state: RegExp])[] = [
  ["pings", "WEBSOCKET", { part: Buffer.from([0x89, 0]) }, /and no message came$/],
  ["a byte of a message", "WEBSOCKET", { first: TEXT_FRAME, part: Buffer.of(65) }, /of a message [\d ,]+ bytes? came$/],
  ["a byte of a handshake", "WEBSOCKET", { part: Buffer.of(65), agrees: false }, /to the handshake \d+ bytes came$/],
  ["a byte of a head", "GET", { first: `${HELLO}a: `, part: Buffer.of(65) }, /of its head \d+ bytes came$/],
  ["a byte of a body", "GET", { first: `${HELLO}\r\n`, part: Buffer.of(65) }, /have no length, and the connection/],
  ["a chunk", "GET", { first: CHUNKED, part: Buffer.from("1\r\nA\r\n") }, /of its body \d+ bytes came$/],
  ["a byte of an extension", "GET", { first: `${CHUNKED}1;`, part: Buffer.of(65) }, /of its body 0 bytes came$/],
  ["a byte of trailers", "GET", { first: `${CHUNKED}0\r\nA`, part: Buffer.of(65) }, /of its body 0 bytes came$/],
];

for (const [what, method, server, state] of SLOW) {
  test(`a server that sends ${what} every few milliseconds is late`, async () => {
    let line = "";
    // On a busy machine even a handshake takes longer than the first of these.
    for (let ms = 60; ms <= PATIENCE_MS && !state.test(line); ms *= 4) {
      const error = await errorOf(endless({ ...server, everyMs: 5 }), method, ms);
      assert.notEqual(failureOf(error, "reply-late"), null, error.message);
      line = error.message;
    }
    assert.match(line, state);
  });
}

const repeated = (text: string) => Buffer.from(text.repeat(Math.ceil(4_096 / text.length)), "latin1");

/** Parts that come as fast as they are read, and the bound that ends them. */
const FAST: readonly (readonly [what: string, method: string, server: Omit<Endless, "everyMs">, line: RegExp])[] = [
  ["pings", "WEBSOCKET", { part: repeated("\x89\x00") }, /more than 1000 pings and pongs came before a message$/],
  ["pongs", "WEBSOCKET", { part: repeated("\x8a\x00") }, /more than 1000 pings and pongs came before a message$/],
  ["empty fragments", "WEBSOCKET", { first: "\x01\x00", part: repeated("\x00\x00") }, /has more than 65536 frames$/],
  ["interim replies", "GET", { part: repeated(HINTS) }, /it sends more than 100 interim replies before one$/],
  ["headers", "GET", { first: HELLO, part: repeated("a: b\r\n") }, /the head of its reply is larger than 65536 bytes$/],
  [
    "an extension",
    "GET",
    { first: `${CHUNKED}1;`, part: repeated("a") },
    /between the chunks .* larger than 4096 bytes$/,
  ],
  [
    "trailers",
    "GET",
    { first: `${CHUNKED}0\r\n`, part: repeated("a: b\r\n") },
    /the trailers .* larger than 65536 bytes$/,
  ],
];

for (const [what, method, server, line] of FAST) {
  test(`a server that sends ${what} without an end is refused by a bound`, async () => {
    const error = await errorOf(endless({ ...server, everyMs: null }), method, PATIENCE_MS);
    assert.match(error.message, line);
  });
}

test("over HTTP/2 interim replies without an end are refused by a bound", async () => {
  const server = createHttp2().on("stream", (stream: ServerHttp2Stream) => {
    stream.on("error", () => {});
    for (let n = 0; n < 200 && !stream.destroyed; n++) stream.additionalHeaders({ ":status": 103 });
  });
  await listening(server, async (url) => {
    const client = openClient(url, PATIENCE_MS, { protocol: "h2c" });
    await assert.rejects(client.send("GET", "/"), /it sends more than 100 interim replies before one$/);
    client.close();
  });
});

test("a reply that is larger than any compared is refused before it comes", async () => {
  const first = `${HELLO}content-length: 999999999999\r\n\r\n`;
  assert.match(
    (await errorOf(endless({ first, part: Buffer.of(65), everyMs: 5 }), "GET", PATIENCE_MS)).message,
    /larger/,
  );
});

test("a connection on which bytes come unrequested is cut, and the next request says so", async () => {
  let cut = false;
  const server = createServer((socket) => {
    socket.on("error", () => {}).on("close", () => cut = true);
    socket.once("data", () => {
      socket.write(`${HELLO}content-length: 0\r\n\r\n`);
      const write = () => socket.writable && (socket.write("stray"), setTimeout(write, 5));
      setTimeout(write, 5);
    });
  });
  await listening(server, async (url) => {
    const client = httpClient(url, PATIENCE_MS);
    assert.equal((await client.send("GET", "/")).status, 200);
    await until(() => cut);
    await assert.rejects(client.send("GET", "/"), /after its last reply it sent \d+ bytes of no reply/);
    client.close();
  });
});

test("a WebSocket is closed although its server reads nothing more", async () => {
  let cut = false;
  const server = createServer((socket) => {
    socket.on("error", () => {}).on("close", () => cut = true);
    socket.once("data", (request: Buffer) => {
      socket.pause();
      socket.write(agreed(request.toString("latin1")));
      const ping = () => socket.writable && (socket.write(Buffer.from([0x89, 0])), setTimeout(ping, 20));
      ping();
    });
  });
  await listening(server, async (url) => {
    const spoken = { protocol: "http" } as const;
    const socket = await openWebSocket({ url, path: "/", headers: {}, spoken, timeoutMs: PATIENCE_MS });
    socket.send("a".repeat(16 * 1_048_576));
    socket.close();
    await until(() => cut);
    assert.ok(cut);
  });
});

test("a port that reports without an end is left after its time limit", async () => {
  await listening(endless({ part: Buffer.of(65), everyMs: 5 }), async (url) => {
    assert.equal(await totalsAt(Number(new URL(url).port), 100), null);
  });
});

const frameOf = (length: number) => {
  const head = Buffer.alloc(10);
  head.set([0x82, 127]);
  head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, Buffer.alloc(length, 7)]);
};

/** One byte at a time is the worst that a network can do. */
test("reading costs copies in proportion to the bytes, whatever they are cut into", () => {
  const most = (bytes: number) => 4 * bytes + 1_024;
  const read = (reader: { read(chunk: Buffer): unknown }, bytes: Buffer) => {
    for (let at = 0; at < bytes.length; at++) reader.read(bytes.subarray(at, at + 1));
  };
  for (const bytes of [frameOf(70_000), Buffer.concat([Buffer.of(1, 0), repeated("\x00\x00"), Buffer.of(0x80, 0)])]) {
    const reader = messageReader("a");
    read(reader, bytes);
    assert.ok(reader.copied() <= most(bytes.length), `${reader.copied()} for ${bytes.length}`);
  }
  const head = `${HELLO}${"a: b\r\n".repeat(3_000)}`;
  const replies = [
    `${head}content-length: 40000\r\n\r\n${"a".repeat(40_000)}`,
    `${HINTS.repeat(90)}${CHUNKED}${"1\r\na\r\n".repeat(5_000)}0\r\n\r\n`,
  ];
  for (const text of replies) {
    const bytes = Buffer.from(text), reader = replyReader("GET", 1e9);
    read(reader, bytes);
    assert.ok(reader.copied() <= most(bytes.length), `${reader.copied()} for ${bytes.length}`);
    const whole = replyReader("GET", 1e9);
    assert.notEqual(whole.read(bytes), null);
    assert.ok(whole.copied() <= most(bytes.length), `${whole.copied()} for ${bytes.length}`);
  }
});

test("a header's value is kept without the spaces around it", () => {
  const spaces = " ".repeat(20_000);
  const reply = replyReader("GET", 1).read(
    Buffer.from(`${HELLO}a:${spaces}b${spaces}c${spaces}\r\ncontent-length: 0\r\n\r\n`),
  );
  assert.equal(reply!.headers["a"], `b${spaces}c`);
});
