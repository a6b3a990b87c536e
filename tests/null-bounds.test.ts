/** Clients that break rules, ask too much or do not read, and more of them than files: a null server bears all of them. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { withGuarded } from "../lab/fuzz/streams/guarded.ts";
import { patiently } from "./patience.ts";
import { toolTest } from "./run-bench.ts";
import { until } from "./testing.ts";

const WEBSOCKET = "bench/generators/null-websocket.lua", HTTP = "bench/generators/null-server.lua";
const UPGRADE = "GET /a HTTP/1.1\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
const MIB = 1 << 20;
const linuxTest = existsSync("/proc/self/status") ? toolTest : () => {};

/** A frame as clients send it, with a key of zeros. */
function masked(first: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(payload.length < 126 ? 2 : payload.length < 65_536 ? 4 : 10);
  head.set([first, 128 + (payload.length < 126 ? payload.length : head.length === 4 ? 126 : 127)]);
  if (head.length === 4) head.writeUInt16BE(payload.length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}
const announced = (length: bigint) => {
  const head = Buffer.alloc(14);
  head.set([129, 255]);
  head.writeBigUInt64BE(length, 2);
  return head;
};
const text = (payload: string) => masked(129, Buffer.from(payload));
const of = (...bytes: number[]) => Buffer.from(bytes);

/** Sends bytes and returns all that comes until the server has ended the connection. */
async function answerTo(port: number, bytes: Buffer | string): Promise<Buffer> {
  const parts: Buffer[] = [], socket = connect({ port, host: "127.0.0.1" });
  socket.on("error", () => {}).on("data", (part: Buffer) => parts.push(part)).write(bytes);
  await patiently(once(socket, "close"), { what: "the server to close", there: () => String(Buffer.concat(parts)) });
  return Buffer.concat(parts);
}

const closing = (code: number) => of(136, 2, code >> 8, code & 255);
const REFUSED: Readonly<Record<string, readonly [Buffer, Buffer]>> = {
  "an unmasked frame": [of(129, 0), closing(1002)],
  "many unmasked frames": [Buffer.alloc(4_000, of(129, 0)), closing(1002)],
  "an unmasked frame behind a sound one": [
    Buffer.concat([text("a"), of(129, 0)]),
    Buffer.concat([of(129, 1, 97), closing(1002)]),
  ],
  "bits of an extension": [masked(193, of(1)), closing(1002)],
  "a reserved kind": [masked(131, of(1)), closing(1002)],
  "a reserved kind of control frame": [masked(139, of(1)), closing(1002)],
  "a long ping": [masked(137, Buffer.alloc(126)), closing(1002)],
  "a ping in parts": [masked(9, of(1)), closing(1002)],
  "a length in more bytes than it needs": [of(129, 254, 0, 1, 0, 0, 0, 0, 1), closing(1002)],
  "64 MiB announced": [announced(64n * BigInt(MIB)), closing(1009)],
  "2^63 bytes announced": [announced(1n << 63n), closing(1009)],
  "2^64 - 1 bytes announced": [announced((1n << 64n) - 1n), closing(1009)],
  "its end": [masked(136, of(3, 232)), closing(1000)],
  "its end without a code": [masked(136, of()), closing(1000)],
  "its end with a code that none may send": [masked(136, of(3, 238)), closing(1002)],
  "its end with half a code": [masked(136, of(3)), closing(1002)],
};

toolTest("a null WebSocket server closes connections with the code of what their clients do, and stays", async () => {
  for (const headers of [{}, { rooms: "1" }]) {
    await withGuarded({ script: WEBSOCKET, headers }, async (port) => {
      for (const [name, [sent, due]] of Object.entries(REFUSED)) {
        const reply = await answerTo(port, Buffer.concat([Buffer.from(UPGRADE), sent]));
        const past = reply.indexOf("\r\n\r\n") + 4;
        assert.match(reply.toString("latin1", 0, past), /^HTTP\/1\.1 101 /, name);
        assert.deepEqual(reply.subarray(past), due, name);
      }
      assert.match(String(await answerTo(port, Buffer.alloc(5 * MIB, "a"))), /^HTTP\/1\.1 431 /);
      assert.match(String(await answerTo(port, UPGRADE.replace("GET /a HTTP/1.1", "") + text(""))), /^HTTP\/1\.1 101 /);
    });
  }
});

const opened = (port: number): Socket => {
  const socket = connect({ port, host: "127.0.0.1" }).on("error", () => {});
  socket.write(UPGRADE);
  return socket;
};
/** Bytes that the system has taken of what was written. */
const taken = (socket: Socket) => socket.bytesWritten - socket.writableLength;
const peakMib = (pid: number) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;

linuxTest(
  "a null WebSocket server reads no more from a client that does not read, and loses nothing",
  () =>
    withGuarded({ script: WEBSOCKET }, async (port, { pid }) => {
      const socket = opened(port), message = masked(130, Buffer.alloc(MIB, "x")), count = 128;
      for (let n = 0; n < count; n++) socket.write(message);
      let before = -1, still = 0;
      await until(() => {
        still = taken(socket) === before ? still + 1 : 0;
        before = taken(socket);
        return still === 50 || socket.writableLength === 0;
      });
      let got = 0;
      const due = count * (MIB + 10);
      socket.on("data", ({ length }) => got += length);
      await until(() => got > due, { there: () => `${got} of ${due}` });
      socket.destroy();
      assert.ok(peakMib(pid) < 64, `${peakMib(pid)} MiB`);
    }),
);

linuxTest(
  "a null WebSocket server breaks off a member of a room that is far behind, and serves the others",
  () =>
    withGuarded({ script: WEBSOCKET, headers: { rooms: "1" } }, async (port, { pid }) => {
      const [behind, ahead] = [opened(port), opened(port)], count = 160;
      await Promise.all([once(behind, "readable"), once(ahead, "readable")]);
      let got = 0;
      ahead.on("data", ({ length }) => got += length);
      for (let n = 1; n <= count; n++) {
        ahead.write(masked(130, Buffer.alloc(MIB, "x")));
        await until(() => got >= n * MIB, { there: () => `${got}` });
      }
      behind.resume();
      await patiently(once(behind, "close"), { what: "the member to be broken off" });
      ahead.destroy();
      assert.ok(behind.bytesRead < count * MIB && peakMib(pid) < 128, `${behind.bytesRead} bytes, ${peakMib(pid)} MiB`);
    }),
);

/** What comes for a request of HTTP. */
const ANSWERS = {
  [WEBSOCKET]: /^HTTP\/1\.1 200 /,
  [HTTP]: /^HTTP\/1\.1 200 /,
  "servers/null/redis.lua": /^-ERR wrong number/,
};

linuxTest("a null server out of files sleeps, and takes connections once others have closed", async () => {
  for (const [script, answer] of Object.entries(ANSWERS)) {
    await withGuarded({ script, files: 24 }, async (port, { pid }) => {
      const sockets = Array.from({ length: 40 }, () => connect(port, "127.0.0.1").on("error", () => {}));
      await Promise.all(sockets.map((socket) => once(socket, "connect")));
      const open = () => readFileSync(`/proc/${pid}/status`, "utf8");
      const slept = () => Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(open())![1]);
      const ask = (socket: Socket) => (socket.write("GET / HTTP/1.1\r\n\r\n"), once(socket, "data"));
      await ask(sockets[0]!);
      const before = slept();
      await until(() => slept() >= before + 5, { there: () => "it never sleeps" });
      for (const socket of sockets.slice(0, 25)) socket.destroy();
      for (const socket of sockets.slice(25)) {
        const [reply] = await patiently(ask(socket), { what: "a reply" });
        assert.match(String(reply), answer, script);
      }
      for (const socket of sockets) socket.destroy();
    });
  }
});
