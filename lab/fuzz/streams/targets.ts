import { createServer } from "node:http";
import { ontime } from "../../../bench/generators/ontime.ts";
import { websocket } from "../../../bench/generators/websocket.ts";
import type { RequestPlan } from "../../../suites/suite.ts";
import { listening } from "./between.ts";
import { type Script, withGuarded } from "./guarded.ts";
import { loadGuarded, type Peer } from "./load-guarded.ts";
import { NULL_SERVICES } from "./null-services.ts";
import { handshakeBytes, readHttpReplies, readMessages, serveFrames } from "./oracle-readers.ts";

/** A reader of streams, with a peer whose streams are recorded and mutated. */
export interface StreamTarget {
  readonly name: string;
  /** The side that reads mutated streams: the server reads requests, the client replies. */
  readonly reads: "requests" | "replies";
  /** Serves on a port while a function runs. Throws if the server is at fault. */
  readonly serve: <T>(use: (port: number) => Promise<T>) => Promise<T>;
  /** Runs the client to its end. Returns why the client is at fault, or null. */
  readonly talk: (port: number, peer: Peer) => Promise<string | null>;
  /** The number of bytes that have to come unchanged in most replies, so that the client goes on; none by default. */
  readonly opening?: (replies: Buffer) => number;
}

const guarded = (script: Script): StreamTarget["serve"] => (use) => withGuarded(script, use);

const NULL_WEBSOCKET = "bench/generators/null-websocket.lua";
const CONNECTIONS = 40;
/** Messages of each connection, by their lengths: a head of each kind, and few bytes where that is all there is to read. */
const MESSAGES: Readonly<Record<number, number>> = { 16: 64, 300: 32, 70_000: 4 };

/** Loads with messages of all lengths, one after the other. */
const sendsMessages = (members: number): StreamTarget["talk"] => async (port, peer) => {
  for (const [length, each] of Object.entries(MESSAGES)) {
    const message = "00000000".padEnd(Number(length), "x");
    const requests: RequestPlan = {
      pace: { closed: CONNECTIONS },
      websocket: { inFlight: 3, members },
      mix: [{ method: "WEBSOCKET", path: "/00000000", body: message, expect: [101] }],
    };
    const fault = await loadGuarded(websocket, requests, each * CONNECTIONS * members, port, peer);
    if (fault !== null) return fault;
  }
  return null;
};

/** The handshake's reply, and the messages from before the window: their numbers end so. */
const BEFORE_WINDOW = /^[0-9a-f]{2}[37bf]fffff/;
function websocketOpening(replies: Buffer): number {
  for (let at = replies.indexOf("\r\n\r\n") + 4;;) {
    const short = replies[at + 1]! & 127, head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (!BEFORE_WINDOW.test(replies.toString("latin1", at + head, at + head + 8))) return at;
    at += head + (short < 126 ? short : replies.readUIntBE(at + head - (short === 126 ? 2 : 6), short === 126 ? 2 : 6));
  }
}

/** Replies of each form: with a length, in chunks, without a body, and interim. */
const serveForms: StreamTarget["serve"] = async (use) => {
  const server = createServer((request, reply) => {
    const form = Number(request.url!.slice(1));
    if (form === 0) reply.writeHead(204).end();
    else if (form === 1) reply.end("x".repeat(100));
    else if (form === 2) reply.writeContinue(), reply.end("{}");
    else reply.write("some"), reply.write("more".repeat(200)), reply.end();
  });
  return await listening(server, use);
};

const FORMS: RequestPlan = {
  pace: { closed: CONNECTIONS },
  mix: [0, 1, 2, 3].map((form) => ({ path: `/${form}`, weight: 25, expect: [form === 0 ? 204 : 200] })),
};

/** All readers of streams: a row each. */
export const STREAM_TARGETS: readonly StreamTarget[] = [
  ...NULL_SERVICES,
  {
    name: "null WebSocket server",
    reads: "requests",
    serve: guarded({ script: NULL_WEBSOCKET }),
    talk: sendsMessages(1),
  },
  {
    name: "null WebSocket server with rooms",
    reads: "requests",
    serve: guarded({ script: NULL_WEBSOCKET, headers: { rooms: "1" } }),
    talk: sendsMessages(4),
  },
  {
    name: "WebSocket generator",
    reads: "replies",
    serve: guarded({ script: NULL_WEBSOCKET }),
    talk: sendsMessages(1),
    opening: websocketOpening,
  },
  {
    name: "WebSocket generator in rooms",
    reads: "replies",
    serve: guarded({ script: NULL_WEBSOCKET, headers: { rooms: "1" } }),
    talk: sendsMessages(4),
    opening: websocketOpening,
  },
  {
    name: "ontime's reader of HTTP replies",
    reads: "replies",
    serve: serveForms,
    talk: (port, peer) => loadGuarded(ontime, FORMS, 64 * CONNECTIONS, port, peer),
  },
  {
    name: "the oracle's reader of WebSocket messages",
    reads: "replies",
    serve: serveFrames,
    talk: readMessages,
    opening: handshakeBytes,
  },
  {
    name: "the oracle's reader of HTTP replies",
    reads: "replies",
    serve: serveForms,
    talk: readHttpReplies,
  },
];
