import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import {
  type Answer,
  assertSound,
  BINARY,
  echo,
  frame,
  type Load,
  loaded,
  loadOf,
  type Peer,
  PING,
  TEXT,
  toAll,
} from "../../tests/message-server.ts";
import { listening } from "../../tests/listening.ts";
import { findProgram } from "../machine/programs.ts";
import type { LoadResult } from "./generator.ts";
import { websocket } from "./websocket.ts";

const luaTest = findProgram("wrk") === undefined ? test.skip : test;

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
  assert.deepEqual(result.byConnection, [{ unanswered: 0, stuck: 0, replies: [100, 100, 100] }]);
  assert.deepEqual(upgrades, Array(4).fill("/ me"));
});

luaTest("a message that is to go out as given does so, and so does its path, whatever zeros they hold", async () => {
  const message = `{"of":"0x${"0".repeat(40)}"}`, sent = new Set<string>();
  const { result, upgrades } = await loaded((given, { socket }) => {
    sent.add(String(given));
    socket.write(frame(TEXT, Buffer.from('"0x2fa6f"')));
  }, { message, reply: '"0x2fa6f"', asGiven: true, path: "/00000000-0000", connections: 2 });
  assert.deepEqual([...sent], [message]);
  assert.deepEqual(upgrades, Array(2).fill("/00000000-0000"));
  assertSound(result);
});

/** An echo that wants a login before all else, and answers it with some messages, each byte by itself. */
const behindLogin = (logins: string[], answers: readonly string[]): Answer => (message, peer, kind) => {
  if (peer.nth > 0) return echo(message, peer, kind);
  logins.push(String(message));
  const bytes = Buffer.concat(answers.map((answer) => frame(TEXT, Buffer.from(answer))));
  for (const byte of bytes) peer.socket.write(Buffer.of(byte));
};

luaTest("an opening message goes out once a connection, and its answers count for nothing", async () => {
  const first = '{"token":"00000000"}', load = { first, connections: 3, idle: 1 };
  for (const answers of [[], ["welcome"], ["a", '{"n":"00000000"}', "b".repeat(300)]]) {
    for (const way of [{}, { protocol: "https" }, { perSecond: 2_000 }] as const) {
      const logins: string[] = [];
      const { result } = await loaded(behindLogin(logins, answers), { ...load, ...way, firstReplies: answers.length });
      assertSound(result);
      assert.deepEqual(logins, Array(4).fill(first), JSON.stringify([answers, way]));
    }
  }
});

luaTest(
  "a server that answers the opening message more seldom than recorded, or closes on it, is named for that",
  async () => {
    const load = { first: "hello", connections: 2, timeoutMs: 1_000 };
    await assert.rejects(loaded(behindLogin([], ["one"]), { ...load, firstReplies: 2 }), {
      message: "websocket: the server does not answer the opening message as recorded: 1 of 2 answers came",
    });
    const closing: Answer = (_, { socket }) => void socket.write(frame(8, Buffer.from([0x0f, 0xa1])));
    await assert.rejects(loaded(closing, { ...load, firstReplies: 1 }), {
      message: "websocket: the server closed a connection with 4001 before it had answered the opening message",
    });
  },
);

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

luaTest("servers are each held to a reply of their own, and what one does wrong is counted as its", async () => {
  const bytes = { base64: Buffer.from([0, 254, 7]).toString("base64") };
  const load = { servers: 2, connections: 3, message: "hi", asGiven: true, replies: ["hello", bytes] } as const;
  const answers: Answer = (_, { socket, server }) =>
    void socket.write(server === 0 ? frame(TEXT, Buffer.from("hello")) : frame(BINARY, Buffer.from([0, 254, 7])));
  assertSound((await loaded(answers, load)).result);
  const changes: Answer = (message, peer, kind) =>
    answers(message, { ...peer, server: peer.nth === 9 ? 0 : peer.server }, kind);
  // A reply of another server's is none, so the load waits as long as it may.
  assert.equal((await loaded(changes, { ...load, timeoutMs: 4_000 })).result.messages!.changed, 3);
  // The second server ends its connections: the first before they are open, as one may that was halted, then others.
  const ends = (nth: number): Answer => (message, peer, kind) =>
    peer.server === 1 && peer.nth === nth ? void peer.socket.destroy() : answers(message, peer, kind);
  for (const nth of [0, 9]) {
    const { threads, errors } = (await loaded(ends(nth), load)).result;
    assert.deepEqual([threads.map(({ failed }) => failed), errors.read! + errors.write!], [[[0, 0, 0], [3, 0, 0]], 3]);
  }
});

luaTest("a load on servers that wait for others ends without the replies that are due", async () => {
  const { result: { messages } } = await loaded(echo, {
    connections: 4,
    inFlight: 2,
    interrupted: true,
    untimed: true,
  });
  assert.equal(messages!.expected - messages!.received, 8);
});

luaTest("at a rate all messages that are due are sent at their times, and counted by each clock", async () => {
  for (const schedule of [{}, { schedule: "poisson" } as const]) {
    const { result } = await loaded(echo, { perSecond: 2_000, ...schedule });
    assertSound(result);
    assert.deepEqual([result.requests, result.dropped], [400, 0]);
    const counts = [result.latency, result.sent, result.late].map((one) => one!.reduce((sum, [, n]) => sum + n, 0));
    assert.deepEqual(counts, [400, 400, 400]);
    assert.ok(result.durationUs >= 200_000);
  }
});

luaTest("at a rate in a room deliveries are due, and a slow server shows in the times from then on", async () => {
  let free = performance.now();
  const slowly: Answer = (message, peer, kind) => {
    free = Math.max(free, performance.now()) + 20;
    setTimeout(() => toAll(message, peer, kind), free - performance.now());
  };
  const { result } = await loaded(slowly, { connections: 2, members: 2, inFlight: 1, perSecond: 400 });
  assertSound(result);
  assert.deepEqual([result.requests, result.dropped], [400, 0]);
  const most = (of: LoadResult["latency"]) => of!.at(-1)![0];
  assert.ok(most(result.latency!) > 1_000_000, "200 messages take 4 s in place of 2 s");
  assert.ok(result.durationUs > 3_000_000, `${result.durationUs}`);
});

luaTest("over TLS an echo, a room, many in flight and a rate are counted as without", async () => {
  const protocol = "https";
  const loads: readonly (readonly [Answer, Load])[] = [
    [echo, {}],
    [echo, { message: `00000000${"é".repeat(40_000)}` }],
    [toAll, { connections: 8, members: 8, inFlight: 64, message: `00000000${"x".repeat(1_000)}` }],
    [echo, { servers: 2, interrupted: true }],
    [echo, { perSecond: 2_000 }],
  ];
  for (const [answer, load] of loads) assertSound((await loaded(answer, { ...load, protocol })).result);
});

luaTest("over TLS messages that the library has read are taken, though their socket has no more", async () => {
  const held = new WeakMap<Peer, Buffer[]>();
  // Three whole records of TLS at once, whose ends are not those of messages. Their last bytes find no room at first.
  const atOnce: Answer = (message, peer, kind) => {
    if (peer.nth === 0) return echo(message, peer, kind);
    const frames = [...held.get(peer) ?? [], frame(kind, message)];
    const isDue = frames.length === 32 || peer.nth === 100;
    held.set(peer, isDue ? [] : frames);
    if (isDue) peer.socket.write(Buffer.concat(frames));
  };
  const message = `00000000${"x".repeat(3 * 16_384 / 32 - 4 - 8)}`;
  assertSound((await loaded(atOnce, { protocol: "https", inFlight: 32, message, timeoutMs: 10_000 })).result);
});

luaTest("over TLS what a server does twice, and the end of its connections, are seen", async () => {
  const at20 = (other: Answer): Answer => (message, peer, kind) =>
    (peer.nth === 20 ? other : echo)(message, peer, kind);
  const twice = at20((message, peer, kind) => (echo(message, peer, kind), echo(message, peer, kind)));
  assert.equal((await loaded(twice, { protocol: "https" })).result.messages!.doubled, 4);
  for (const end of ["end", "destroy"] as const) {
    const { errors, messages } = (await loaded(
      at20((_, { socket }) => void socket[end]()),
      { protocol: "https" },
    )).result;
    assert.deepEqual([messages!.closes, errors.read! + errors.write!], [{ 1006: 4 }, 4], end);
  }
});

luaTest("a server that speaks no TLS, or never ends its handshake, ends the load in one line", async () => {
  for (
    const [answer, message] of [["HTTP/1.1 400 Bad Request\r\n\r\n", /breaks off/], ["", /does not answer/]] as const
  ) {
    const server = createServer((socket) => void socket.on("error", () => {}).write(answer));
    const line = new RegExp(`^websocket: the server ${message.source} the handshake of TLS$`);
    await listening(server, (_, port) => {
      const load = loadOf([`https://127.0.0.1:${port}`], { protocol: "https", timeoutMs: 1_000 });
      return assert.rejects(load, { message: line });
    });
  }
});
