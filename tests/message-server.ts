/** A WebSocket server of raw frames, which a test has answer as it likes, under the load of the generator. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Body, RequestPlan } from "../suites/suite.ts";
import { findProgram } from "../bench/machine/programs.ts";
import type { LoadPlan, LoadResult } from "../bench/generators/generator.ts";
import { runCertificate } from "../bench/process/run-certificate.ts";
import { websocket } from "../bench/generators/websocket.ts";

const WRK = findProgram("wrk");
export const TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9;
const PONG = 10;

/** A frame as servers send it. */
export function frame(
  kind: number,
  payload: Buffer,
  { last = true, reserved = 0, length = payload.length } = {},
): Buffer {
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
export interface Peer {
  readonly socket: Socket;
  readonly room: readonly Peer[];
  /** The number of messages before this one. */
  readonly nth: number;
  /** The place of its server. */
  readonly server: number;
}
export type Answer = (message: Buffer, peer: Peer, kind: number) => void;

const accept = (key: string) =>
  createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
export const upgraded = (key: string) =>
  `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${
    accept(key)
  }\r\n\r\n`;

export interface Load {
  readonly connections?: number;
  readonly inFlight?: number;
  readonly members?: number;
  readonly idle?: number;
  readonly message?: Body;
  readonly reply?: Body;
  /** The reply of each of several servers. */
  readonly replies?: readonly Body[];
  readonly asGiven?: true;
  readonly first?: Body;
  readonly firstReplies?: number;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly seed?: number;
  /** Deliveries a second; a closed loop by default. */
  readonly perSecond?: number;
  readonly schedule?: "poisson";
  readonly handshake?: (key: string) => string;
  /** The number of servers; 1 by default. */
  readonly servers?: number;
  /** Plain connections by default. */
  readonly protocol?: "https";
  /** As a load on servers that wait for others. */
  readonly untimed?: boolean;
  /** Ends the load by a signal once it has run for a little. */
  readonly interrupted?: boolean;
  /** The most files the generator may have open; the system's limit by default. */
  readonly files?: number;
}

export interface Loaded {
  readonly result: LoadResult;
  readonly text: string;
  readonly pongs: string[];
  readonly upgrades: string[];
}

/** Loads servers of which each message is answered by a function; see {@link loadOf}. */
export async function loaded(answer: Answer, load: Load = {}): Promise<Loaded> {
  const { handshake = upgraded, protocol = "http" } = load;
  const files = protocol === "https" ? await runCertificate("127.0.0.1") : null;
  const pongs: string[] = [], upgrades: string[] = [], sockets = new Set<Socket>();
  const servers = Array.from({ length: load.servers ?? 1 }, (_, nthServer) => {
    const rooms = new Map<string, Peer[]>();
    const server = files !== null ? createTlsServer({ key: readFileSync(files.key), cert: files.pem }) : createServer();
    server.on("request", (_, reply) => void reply.writeHead(426).end());
    return server.on("upgrade", (request, socket: Socket) => {
      const room = rooms.get(request.url!) ?? [], peer = { socket, room, nth: 0, server: nthServer };
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
  const urls = servers.map((server) => `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return await loadOf(urls, load).then((loaded) => ({ ...loaded, pongs, upgrades })).finally(() => {
    for (const socket of sockets) socket.destroy();
    for (const server of servers) server.close();
  });
}

/** Loads servers that run. Rejects with the last words of a generator that fails. */
export async function loadOf(urls: readonly string[], load: Load): Promise<Pick<Loaded, "result" | "text">> {
  const { connections = 4, inFlight = 2, members = 1, idle = 0, path = "/", headers, seed = 7 } = load;
  const requests: RequestPlan = {
    ...(load.protocol === undefined ? {} : { protocol: load.protocol }),
    pace: load.perSecond === undefined
      ? { closed: connections }
      : { perSecond: load.perSecond, connections, ...(load.schedule && { schedule: load.schedule }) },
    websocket: {
      ...{ inFlight, members, idle },
      ...(load.reply === undefined ? {} : { reply: load.reply }),
      ...(load.asGiven && { asGiven: true }),
      ...(load.firstReplies !== undefined && { firstReplies: load.firstReplies }),
    },
    mix: [{
      method: "WEBSOCKET",
      path,
      body: load.message ?? '{"n":"00000000"}',
      expect: [101],
      ...(headers && { headers }),
      ...(load.first !== undefined && { first: load.first }),
    }],
  };
  const requestsOf = (n: number) =>
    load.replies === undefined
      ? requests
      : { ...requests, websocket: { ...requests.websocket!, reply: load.replies[n]! } };
  const targets = urls.map((url, n) => ({ url, requests: requestsOf(n) })) as unknown as LoadPlan["targets"];
  const plan: LoadPlan = {
    ...{ targets, threads: 1, durationMs: 600_000, timeoutMs: load.timeoutMs ?? 60_000, seed, load: 0 },
    ...(load.untimed ? { untimed: true } : {}),
    ...(load.interrupted ? { watched: true } : { requests: 100 * connections * members }),
  };
  const folder = mkdtempSync(join(tmpdir(), "levelfield-websocket-"));
  try {
    for (const [name, text] of Object.entries(websocket.input!(plan))) writeFileSync(`${folder}/${name}`, String(text));
    const command = ["-c", `ulimit -n ${load.files ?? "$(ulimit -n)"}; exec "$@"`, "sh", WRK!];
    const child = spawn("sh", [...command, ...websocket.args(plan, folder)], { stdio: ["ignore", "pipe", "pipe"] });
    let text = "", said = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (load.interrupted && text.includes("sent ")) child.kill("SIGINT");
    });
    child.stderr.on("data", (chunk) => said += chunk);
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(said.trim());
    return { result: websocket.parse(text, plan, {}), text };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const echo: Answer = (message, { socket }, kind) => void socket.write(frame(kind, message));
export const toAll: Answer = (message, { room }, kind) =>
  room.forEach(({ socket }) => socket.write(frame(kind, message)));
/** Asserts the counts of a sound load: all that was sent came once, in order and as sent. */
export function assertSound({ messages, errors, requests, latency, threads }: LoadResult) {
  assert.ok(requests > 0);
  const { expected, received, doubled, reordered, changed, connections_short, closes, fault } = messages!;
  assert.deepEqual([received, doubled, reordered, changed, connections_short], [expected, 0, 0, 0, 0]);
  assert.deepEqual([closes, fault, errors], [{}, null, { connect: 0, read: 0, write: 0, status: 0, timeout: 0 }]);
  assert.equal(received, requests);
  if (latency !== null) assert.equal(latency.reduce((sum, [, n]) => sum + n, 0), requests);
  assert.equal(threads.flatMap(({ slots }) => slots).reduce((a, b) => a + b), requests);
}
