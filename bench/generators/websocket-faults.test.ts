import assert from "node:assert/strict";
import type { Socket } from "node:net";
import { test } from "node:test";
import {
  type Answer,
  assertSound,
  BINARY,
  CLOSE,
  echo,
  frame,
  loaded,
  PING,
  TEXT,
  toAll,
  upgraded,
} from "../../tests/message-server.ts";
import { PATIENCE_MS } from "../../tests/patience.ts";
import { findProgram } from "../machine/programs.ts";
import type { LoadResult } from "./generator.ts";

const luaTest = findProgram("wrk") === undefined ? test.skip : test;

/** An echo that does something else with the messages from the 20th on, of which each connection gets some. */
const once20 = (other: Answer): Answer => (message, peer, kind) =>
  (peer.nth === 20 ? other : echo)(message, peer, kind);

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
    ({ closes }, { read, write }) => closes["1006"] === 4 && read! + write! === 4,
    /without a close frame/,
  ],
  "resets its connections": [
    once20((_, { socket }) => void socket.resetAndDestroy()),
    ({ closes }, { read, write }) => closes["1006"] === 4 && read! + write! === 4,
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

/** A load whose server is at fault by what it answers: on a busy machine even a sound answer may take longer than a limit. */
async function patientlyLoaded(answer: Answer, timeoutMs: number): ReturnType<typeof loaded> {
  return await loaded(answer, { timeoutMs }).catch((error: Error) => {
    if (!/does not answer/.test(error.message) || timeoutMs > PATIENCE_MS) throw error;
    return patientlyLoaded(answer, 4 * timeoutMs);
  });
}

luaTest("no fault of a server passes unseen", async () => {
  assert.ok(Object.keys(FAULTS).length >= 20);
  await Promise.all(
    Object.entries(FAULTS).map(async ([name, [answer, seen, text]]) => {
      const { result: { messages, errors } } = await patientlyLoaded(answer, 12_000);
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
    cases.map(([handshake, message]) => assert.rejects(loaded(echo, { handshake, timeoutMs: 4_000 }), { message })),
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
    cases.map(([answer, message]) => assert.rejects(loaded(answer, { timeoutMs: 4_000 }), { message })),
  );
});
