import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Body, RequestPlan } from "../../suites/suite.ts";
import { findProgram } from "../machine/programs.ts";
import type { LoadPlan, LoadResult } from "./generator.ts";
import { websocket } from "./websocket.ts";

const WRK = findProgram("wrk");
const luaTest = WRK === undefined ? test.skip : test;
const TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10;

/** A frame as servers send it. */
function frame(kind: number, payload: Buffer, { last = true, reserved = 0, length = payload.length } = {}): Buffer {
  const first = (last ? 128 : 0) + reserved + kind;
  if (length < 126) return Buffer.concat([Buffer.from([first, length]), payload]);
  const head = Buffer.alloc(length < 65_536 ? 4 : 10);
  head.set([first, length < 65_536 ? 126 : 127]);
  if (length < 65_536) head.writeUInt16BE(length, 2);
  else head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

/** Takes the whole frames of a client off the beginning of what has come. */
function framesIn(
  bytes: Buffer,
): { readonly frames: { kind: number; payload: Buffer; masked: boolean }[]; rest: Buffer } {
  const frames = [];
  for (;;) {
    if (bytes.length < 14 && bytes.length < 6 + ((bytes[1] ?? 127) & 127)) return { frames, rest: bytes };
    const short = bytes[1]! & 127, head = short < 126 ? 2 : short === 126 ? 4 : 10;
    const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    if (bytes.length < head + 4 + length) return { frames, rest: bytes };
    const key = bytes.subarray(head, head + 4);
    const payload = Buffer.from(bytes.subarray(head + 4, head + 4 + length).map((byte, n) => byte ^ key[n % 4]!));
    frames.push({ kind: bytes[0]! & 15, payload, masked: bytes[1]! > 127 });
    bytes = bytes.subarray(head + 4 + length);
  }
}

/** One connection of the server, and the others of its path. */
interface Peer {
  readonly socket: Socket;
  readonly room: readonly Peer[];
  /** The number of messages before this one. */
  readonly nth: number;
}
type Answer = (message: Buffer, peer: Peer, kind: number) => void;

const accept = (key: string) =>
  createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
const upgraded = (key: string) =>
  `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${
    accept(key)
  }\r\n\r\n`;

interface Load {
  readonly connections?: number;
  readonly inFlight?: number;
  readonly members?: number;
  readonly idle?: number;
  readonly message?: Body;
  readonly reply?: Body;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly handshake?: (key: string) => string;
  /** The number of servers; 1 by default. */
  readonly servers?: number;
  /** Ends the load by a signal once it has run for a little. */
  readonly interrupted?: boolean;
}

interface Loaded {
  readonly result: LoadResult;
  readonly text: string;
  readonly pongs: string[];
  readonly upgrades: string[];
}

/** Loads servers of which each message is answered by a function. Rejects with the last words of a generator that fails. */
async function loaded(answer: Answer, load: Load = {}): Promise<Loaded> {
  const { connections = 4, inFlight = 2, members = 1, idle = 0, path = "/", headers, handshake = upgraded } = load;
  const pongs: string[] = [], upgrades: string[] = [], sockets = new Set<Socket>();
  const servers = Array.from({ length: load.servers ?? 1 }, () => {
    const rooms = new Map<string, Peer[]>();
    return createServer((_, reply) => void reply.writeHead(426).end()).on("upgrade", (request, socket: Socket) => {
      const room = rooms.get(request.url!) ?? [], peer = { socket, room, nth: 0 };
      rooms.set(request.url!, room);
      room.push(peer);
      sockets.add(socket);
      upgrades.push(`${request.url} ${request.headers["x-who"] ?? ""}`.trim());
      socket.setNoDelay(true).on("error", () => {}).write(handshake(request.headers["sec-websocket-key"]!));
      let bytes: Buffer = Buffer.alloc(0);
      socket.on("data", (chunk: Buffer) => {
        const { frames, rest } = framesIn(Buffer.concat([bytes, chunk]));
        bytes = rest;
        for (const { kind, payload, masked } of frames) {
          assert.ok(masked);
          if (kind === PONG) pongs.push(String(payload));
          else if (kind === TEXT || kind === BINARY) answer(payload, peer, kind), peer.nth++;
        }
      });
    });
  });
  for (const server of servers) await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
  const requests: RequestPlan = {
    pace: { closed: connections },
    websocket: { inFlight, members, idle, ...(load.reply === undefined ? {} : { reply: load.reply }) },
    mix: [{
      method: "WEBSOCKET",
      path,
      body: load.message ?? '{"n":"00000000"}',
      expect: [101],
      ...(headers && { headers }),
    }],
  };
  const targets = servers.map((server) => ({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
  })) as unknown as LoadPlan["targets"];
  const plan: LoadPlan = {
    ...{ targets, threads: 1, durationMs: 600_000, timeoutMs: load.timeoutMs ?? 60_000, seed: 7, load: 0 },
    ...(load.interrupted ? { watched: true } : { requests: 100 * connections * members }),
  };
  const folder = mkdtempSync(join(tmpdir(), "levelfield-websocket-"));
  try {
    for (const [name, text] of Object.entries(websocket.input!(plan))) writeFileSync(`${folder}/${name}`, String(text));
    const child = spawn(WRK!, websocket.args(plan, folder), { stdio: ["ignore", "pipe", "pipe"] });
    let text = "", said = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (load.interrupted && text.includes("sent ")) child.kill("SIGINT");
    });
    child.stderr.on("data", (chunk) => said += chunk);
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(said.trim());
    return { result: websocket.parse(text, plan, {}), text, pongs, upgrades };
  } finally {
    rmSync(folder, { recursive: true });
    for (const socket of sockets) socket.destroy();
    for (const server of servers) server.close();
  }
}

const echo: Answer = (message, { socket }, kind) => void socket.write(frame(kind, message));
const toAll: Answer = (message, { room }, kind) => room.forEach(({ socket }) => socket.write(frame(kind, message)));
/** An echo that does something else with the messages from the 20th on, of which each connection gets some. */
const once20 = (other: Answer): Answer => (message, peer, kind) =>
  (peer.nth === 20 ? other : echo)(message, peer, kind);

/** Counts of a sound load: all that was sent came once, in order and as sent. */
function assertSound({ messages, errors, requests, latency, threads }: LoadResult) {
  assert.ok(requests > 0);
  const { expected, received, doubled, reordered, changed, connections_short, closes, fault } = messages!;
  assert.deepEqual([received, doubled, reordered, changed, connections_short], [expected, 0, 0, 0, 0]);
  assert.deepEqual([closes, fault, errors], [{}, null, { connect: 0, read: 0, write: 0, status: 0, timeout: 0 }]);
  assert.equal(received, requests);
  if (latency !== null) assert.equal(latency.reduce((sum, [, n]) => sum + n, 0), requests);
  assert.equal(threads.flatMap(({ slots }) => slots).reduce((a, b) => a + b), requests);
}

luaTest("an echo of text or bytes of any length comes back once, in order and whole", async () => {
  for (
    const message of [
      '{"n":"00000000"}',
      { base64: Buffer.from(`\0\xff00000000${"\x80".repeat(200)}`, "latin1").toString("base64") },
      `00000000${"é".repeat(40_000)}`,
    ]
  ) {
    for (const inFlight of [1, 16]) assertSound((await loaded(echo, { message, inFlight })).result);
  }
});

luaTest("messages are numbered by their sender and their place, each once", async () => {
  const seen = new Map<number, string[]>();
  const { result, upgrades } = await loaded((message, peer, kind) => {
    const number = parseInt(/"n":"([0-9a-f]{8})"/.exec(String(message))![1]!, 16),
      sender = Math.floor(number / 2 ** 22);
    (seen.get(sender) ?? seen.set(sender, []).get(sender)!).push(String(number % 2 ** 22));
    echo(message, peer, kind);
  }, { headers: { "x-who": "me" } });
  assert.deepEqual([...seen.keys()].sort(), [0, 1, 2, 3]);
  for (const [first, ...places] of seen.values()) {
    assert.equal(first, String(2 ** 22 - 1), "the one before the window");
    assert.deepEqual(places, places.map((_, n) => String(n)));
  }
  assert.deepEqual([result.requests, ...[...seen.values()].map(({ length }) => length)], [400, 101, 101, 101, 101]);
  assert.deepEqual(upgrades, Array(4).fill("/ me"));
});

luaTest("in a room each message comes to all members, and each delivery counts", async () => {
  const { result, upgrades } = await loaded(toAll, { connections: 6, members: 3, path: "/room/00000000" });
  assertSound(result);
  assert.equal(result.requests % 3, 0);
  assert.deepEqual(upgrades.sort(), [..."000111"].map((room) => `/room/0000000${room}`));
});

luaTest("idle connections get a first message back, and send no more", async () => {
  const nth: number[] = [];
  const { result, upgrades } = await loaded((message, peer, kind) => {
    nth.push(peer.nth);
    echo(message, peer, kind);
  }, { connections: 1, idle: 7 });
  assertSound(result);
  assert.deepEqual([upgrades.length, nth.filter((one) => one === 0).length, result.requests, nth.length], [
    8,
    8,
    100,
    108,
  ]);
});

luaTest("a reply may be another message than the one sent, and a message may have no number", async () => {
  const reply: Answer = (message, { socket }) =>
    void socket.write(frame(BINARY, Buffer.from(`got ${String(message).slice(0, 8)}`)));
  assertSound((await loaded(reply, { message: "00000000!", reply: { base64: btoa("got 00000000") } })).result);
  assertSound((await loaded(echo, { message: "hello" })).result);
});

luaTest("messages in parts, with pings between them, and in pieces of any size are read", async () => {
  const { result, pongs } = await loaded((message, { socket, nth }, kind) => {
    const parts = [
      frame(kind, message.subarray(0, 3), { last: false }),
      frame(PING, Buffer.from("p")),
      frame(0, message.subarray(3, 9), { last: false }),
      frame(0, message.subarray(9)),
    ];
    const bytes = nth % 2 === 0 ? Buffer.concat(parts) : frame(kind, message);
    socket.write(bytes.subarray(0, nth % bytes.length));
    setImmediate(() => socket.write(bytes.subarray(nth % bytes.length)));
  }, { inFlight: 1 });
  assertSound(result);
  assert.ok(pongs.length > 0 && pongs.every((text) => text === "p"));
});

luaTest("several servers have a count each, reported on the way, until an interrupt", async () => {
  const { result, text } = await loaded(toAll, { servers: 2, connections: 2, members: 2, interrupted: true });
  assertSound(result);
  assert.equal(result.threads.length, 2);
  const reports = text.split("\n").flatMap((line) => websocket.watch()(line) ?? []);
  assert.deepEqual([...new Set(reports.map(({ thread }) => thread))].sort(), [0, 1]);
  for (const { thread, requests } of reports) assert.ok(requests <= result.threads[thread]!.sent[0]!);
  assert.equal(result.latency, null);
});

type Seen = (messages: NonNullable<LoadResult["messages"]>, errors: LoadResult["errors"]) => boolean;

const numbered = (message: Buffer, change: (place: number) => number) =>
  Buffer.from(
    String(message).replace(/[0-9a-f]{8}/, (digits) => change(parseInt(digits, 16)).toString(16).padStart(8, "0")),
  );
const masked = (message: Buffer) => {
  const bytes = frame(TEXT, Buffer.concat([Buffer.alloc(4), message]), { length: message.length });
  bytes[1]! |= 128;
  return bytes;
};
const sends = (bytes: (message: Buffer) => Buffer): Answer =>
  once20((message, { socket }) => void socket.write(bytes(message)));
const closesWith = (payload: readonly number[]) => sends(() => frame(CLOSE, Buffer.from(payload)));
const isShort: Seen = ({ received, expected, connections_short: short }) => received < expected && short === 4;
/** The one before is sent after it: two are in flight. */
const held = new WeakMap<Socket, Buffer>();

/** What a server does to the 20th message of each of its four connections, how it is counted, and the first fault in words. */
const FAULTS: Readonly<Record<string, readonly [Answer, Seen, RegExp?]>> = {
  "drops a message": [once20(() => {}), isShort],
  "answers no more": [(message, peer, kind) => peer.nth < 20 ? echo(message, peer, kind) : undefined, isShort],
  "sends a message twice": [
    sends((message) => Buffer.concat([frame(TEXT, message), frame(TEXT, message)])),
    ({ doubled }) => doubled === 4,
  ],
  "sends a message again after forty others": [
    (message, peer, kind) => {
      if (peer.nth === 20) held.set(peer.socket, message);
      if (peer.nth === 60) echo(held.get(peer.socket)!, peer, kind);
      echo(message, peer, kind);
    },
    ({ doubled }) => doubled === 4,
  ],
  "turns two messages round": [
    (message, peer, kind) => {
      if (peer.nth === 20) return void held.set(peer.socket, message);
      echo(message, peer, kind);
      if (peer.nth === 21) echo(held.get(peer.socket)!, peer, kind);
    },
    ({ reordered, received, expected }) => reordered === 4 && received === expected,
  ],
  "sends a message to another connection": [
    once20((message, { socket, room }) =>
      room.find((one) => one.socket !== socket)!.socket.write(frame(TEXT, message))
    ),
    ({ changed, ...seen }, errors) => changed === 4 && isShort({ changed, ...seen }, errors),
    /another connection or room/,
  ],
  "sends a number that was never sent": [
    sends((message) => frame(TEXT, numbered(message, (number) => number + 9_999))),
    ({ changed }) => changed === 4,
    /was never sent/,
  ],
  "sends no number": [
    sends(() => frame(TEXT, Buffer.from('{"n":"0000000g"}'))),
    ({ changed }) => changed === 4,
    /without its number/,
  ],
  "changes a letter": [
    sends((message) => frame(TEXT, Buffer.from(String(message).replace("n", "m")))),
    ({ changed }) => changed === 4,
    /another message/,
  ],
  "cuts a message short": [sends((message) => frame(TEXT, message.subarray(1))), isShort, /of 15 bytes, 16 are due/],
  "sends more than the message": [
    sends((message) => frame(TEXT, Buffer.concat([message, message]))),
    ({ changed }) => changed === 4,
    /of 32 bytes, 16 are due/,
  ],
  "sends bytes for text": [sends((message) => frame(BINARY, message)), isShort, /a binary message, text is due/],
  "closes with an error": [
    closesWith([3, 243]),
    ({ closes }, { read }) => closes["1011"] === 4 && read === 4,
    /with 1011/,
  ],
  "closes without a code": [closesWith([]), ({ closes }) => closes["1005"] === 4, /with 1005/],
  "closes with a code that none may send": [closesWith([3, 238]), (_, { read }) => read === 4, /an invalid code/],
  "closes with half a code": [closesWith([3]), (_, { read }) => read === 4, /an invalid code/],
  "ends its connections": [
    once20((_, { socket }) => void socket.end()),
    ({ closes }, { read }) => closes["1006"] === 4 && read === 4,
    /without a close frame/,
  ],
  "resets its connections": [
    once20((_, { socket }) => void socket.resetAndDestroy()),
    ({ closes }) => closes["1006"]! > 0,
  ],
  "masks a frame": [sends(masked), (_, { read }) => read === 4, /a masked frame/],
  "compresses unasked": [
    sends((message) => frame(TEXT, message, { reserved: 64 })),
    (_, { read }) => read === 4,
    /extension/,
  ],
  "sends an unknown kind of frame": [sends((message) => frame(3, message)), (_, { read }) => read === 4, /kind 3/],
  "sends a ping in parts": [
    sends((message) => frame(PING, message, { last: false })),
    (_, { read }) => read === 4,
    /control frame/,
  ],
  "sends a long ping": [sends(() => frame(PING, Buffer.alloc(126))), (_, { read }) => read === 4, /control frame/],
  "goes on with a message that it never began": [
    sends((message) => frame(0, message)),
    (_, { read }) => read === 4,
    /order/,
  ],
  "begins a message in another": [
    sends((message) => Buffer.concat([frame(TEXT, message, { last: false }), frame(TEXT, message)])),
    (_, { read }) => read === 4,
    /order/,
  ],
  "writes a length too long": [
    sends((message) => Buffer.concat([Buffer.from([129, 126, 0, message.length]), message])),
    (_, { read }) => read === 4,
    /more bytes than it needs/,
  ],
  "announces a gigabyte": [
    sends(() => frame(TEXT, Buffer.alloc(9), { length: 2 ** 30 })),
    (_, { read }) => read === 4,
    /a frame of 1073741824 bytes, 16 are due/,
  ],
};

luaTest("no fault of a server passes unseen", async () => {
  assert.ok(Object.keys(FAULTS).length >= 20);
  await Promise.all(
    Object.entries(FAULTS).map(async ([name, [answer, seen, text]]) => {
      const { result: { messages, errors } } = await loaded(answer, { timeoutMs: 5_000 });
      const found = JSON.stringify({ messages, errors });
      assert.ok(seen(messages!, errors), `${name}: ${found}`);
      if (text !== undefined) assert.match(messages!.fault ?? "", text, name);
    }),
  );
});

luaTest("in a room a member that misses a message, or gets it twice, is seen", async () => {
  const load = { connections: 4, members: 4, timeoutMs: 2_000 };
  const missed = await loaded(
    (message, { room, nth }, kind) =>
      room.forEach(({ socket }, n) => nth === 20 && n === 2 ? undefined : socket.write(frame(kind, message))),
    load,
  );
  const { expected, received, connections_short } = missed.result.messages!;
  assert.deepEqual([expected - received, connections_short], [4, 1]);
  const twice = await loaded((message, peer, kind) => {
    toAll(message, peer, kind);
    if (peer.nth === 20) peer.room[2]!.socket.write(frame(kind, message));
  }, load);
  assert.equal(twice.result.messages!.doubled, 4);
});

luaTest("a handshake that is refused or wrong ends the load in one line", async () => {
  const without = (header: string) => (key: string) => upgraded(key).replace(new RegExp(`${header}: [^\r]*\r\n`), "");
  const also = (line: string) => (key: string) => upgraded(key).replace("Upgrade: ", `${line}\r\nUpgrade: `);
  const cases: readonly [(key: string) => string, RegExp][] = [
    [() => "HTTP/1.1 426 Upgrade Required\r\n\r\n", /^websocket: the server answers the handshake with 426$/],
    [() => "SSH-2.0-x\r\n\r\n", /sends no reply of HTTP\/1.1$/],
    [without("Sec-WebSocket-Accept"), /answers 101 without an accept key$/],
    [(key) => upgraded(`${key}x`), /answers 101 with a wrong accept key$/],
    [without("Upgrade"), /answers 101 without "Upgrade: websocket"$/],
    [without("Connection"), /answers 101 without "Connection: Upgrade"$/],
    [also("Sec-WebSocket-Extensions: permessage-deflate"), /an extension that was not requested$/],
    [also("Sec-WebSocket-Protocol: other"), /a subprotocol that was not requested$/],
    [() => "", /does not answer the handshake$/],
  ];
  await Promise.all(
    cases.map(([handshake, message]) => assert.rejects(loaded(echo, { handshake, timeoutMs: 2_000 }), { message })),
  );
  const protocol = { headers: { "Sec-WebSocket-Protocol": "chat, other" } };
  assertSound((await loaded(echo, { handshake: also("Sec-WebSocket-Protocol: other"), ...protocol })).result);
});

luaTest("a first message that does not come back as sent ends the load in one line", async () => {
  const cases: readonly [Answer, RegExp][] = [
    [() => {}, /^websocket: the server does not answer a message, it sent none$/],
    [
      (message, { socket }) => void socket.write(frame(BINARY, message)),
      /a message, it sent a binary message, text is due$/,
    ],
    [
      (_, { socket }) => void socket.end(),
      /ended a connection without a close frame before its first message was back$/,
    ],
    [
      (_, { socket }) => void socket.write(frame(CLOSE, Buffer.from([3, 243]))),
      /closed a connection with 1011 before its/,
    ],
  ];
  await Promise.all(
    cases.map(([answer, message]) => assert.rejects(loaded(answer, { timeoutMs: 2_000 }), { message })),
  );
});
