import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { type ServerSocket, WebSocketServer } from "ws";
import { listenNode } from "../../servers/adapters/listen-node.ts";
import { failuresIn, pointsOf, serveApp, targetAt } from "../../tests/suite-testing.ts";
import { runCertificate } from "../../bench/process/run-certificate.ts";
import { openWebSocket } from "../../bench/process/web-socket.ts";
import type { OpenApp } from "../../servers/app.ts";
import { PATIENCE_MS } from "../../tests/patience.ts";
import { withServer } from "../../tests/server-client.ts";
import { onceTest, runtime } from "../../tests/testing.ts";
import type { AppServer } from "../suite.ts";
import { oracle, type Shape } from "./checks.ts";
import { type Implementation, runsOn, serverOf } from "./implementations.ts";
import { comparedMessages, type Form, loadMessage, MESSAGE_BYTES } from "./messages.ts";
import { openRooms, placeOf, plainStatus } from "./servers/rooms.ts";
import { websocket } from "./suite.ts";

const SEED = 7;
const SHAPES: readonly Shape[] = ["echo", "room"];
const FORMS: readonly Form[] = ["text", "binary"];
const specOf = (implementation: Implementation): AppServer => ({
  kind: "app",
  runtime: runtime.name,
  ...serverOf(implementation, runtime.name),
});

const COMES_BACK = "a message comes back as it was sent";
const KINDS = "texts come back as texts, and bytes as bytes";
const ORDER = "messages that are sent at once come back in their order, once each";
const ROOM = "a message reaches each member of its room once, and nobody else";
const OTHERS = "a request without a handshake is answered with 426, and an unknown path with 404";

for (const implementation of ["hono", "native", "publish", "ws"] as const) {
  const shapes = SHAPES.filter((shape) => runsOn(implementation, runtime.name, shape) === true);
  if (shapes.length === 0) continue;
  test(`${implementation} answers as each of its workloads demands`, async () => {
    await serveApp(specOf(implementation), async ({ target }) => {
      for (const shape of shapes) {
        for (const form of FORMS) {
          const { alive, checks, sample } = oracle(shape, form);
          for (const seed of [0, SEED, 4_294_967_295]) {
            assert.deepEqual(await failuresIn([alive, ...checks(seed), sample!(seed)], target), [], `${shape} ${form}`);
          }
        }
      }
    });
  });

  test(`${implementation} agrees to no compression that a client offers, and sends what it should all the same`, async () => {
    await serveApp(specOf(implementation), async ({ target }) => {
      const path = shapes.includes("echo") ? "/echo" : "/room/a";
      const opened = await target.webSocket!(path, { "Sec-WebSocket-Extensions": "permessage-deflate" });
      opened.send("hello");
      assert.equal(await opened.next(), "hello");
      assert.equal((opened as unknown as { headers: object }).headers["sec-websocket-extensions" as never], undefined);
      opened.close();
    });
  });
}

test("each implementation opens WebSockets over TLS as well", async () => {
  const { key, pem } = await runCertificate("127.0.0.1");
  const tls = { key: readFileSync(key, "utf8"), cert: pem };
  for (const implementation of ["hono", "native", "publish", "ws"] as const) {
    const shape = SHAPES.find((one) => runsOn(implementation, runtime.name, one) === true);
    if (shape === undefined) continue;
    const { module, options = {} } = specOf(implementation);
    const { open }: { open: OpenApp } = await import(pathToFileURL(module).href);
    const app = await open({ directory: null, options, runtime: runtime.name });
    const server = await app.listen!({ hostname: "127.0.0.1", port: 0, protocol: "https", tls });
    const spoken = { protocol: "https", certificate: pem } as const;
    const path = shape === "echo" ? "/echo" : "/room/a";
    try {
      const socket = await openWebSocket({ url: server.url, path, headers: {}, spoken, timeoutMs: PATIENCE_MS });
      socket.send("hello");
      assert.equal(await socket.next(), "hello", implementation);
      socket.close();
    } finally {
      await server.close();
    }
  }
});

test("a server ends by itself with clients still connected", async () => {
  const { module, options } = specOf("native");
  await withServer(["--module", module, "--options", JSON.stringify(options)], async ({ ready, stop }) => {
    const target = targetAt(ready.url);
    const sockets = await Promise.all(["/echo", "/room/a", "/room/a"].map((path) => target.webSocket!(path)));
    for (const socket of sockets) socket.send("hello");
    for (const socket of sockets) assert.equal(await socket.next(), "hello");
    await stop();
    for (const socket of sockets) socket.close();
  });
});

/** One message at a server, and the sockets it is due to. */
interface Received {
  readonly socket: ServerSocket;
  readonly data: Buffer;
  readonly isBinary: boolean;
  /** The receivers: the sender alone, or its room. */
  readonly members: readonly ServerSocket[];
  /** All sockets of the server. */
  readonly all: ReadonlySet<ServerSocket>;
}

/** A server that is wrong in one way, or in none. */
interface Broken {
  readonly plain?: (path: string) => number;
  readonly accepts?: (path: string) => boolean;
  readonly receives?: (received: Received) => void;
}

const sends = ({ members, data, isBinary }: Received) => {
  for (const member of members) member.send(data, { binary: isBinary });
};

/** Serves a broken server, and names the checks that find it. */
async function found(
  shape: Shape,
  { plain = plainStatus, accepts = (path) => placeOf(path) !== null, receives = sends }: Broken,
) {
  const sockets = new WebSocketServer({ noServer: true });
  const rooms = openRooms<ServerSocket>();
  const all = new Set<ServerSocket>();
  const server = createServer((request, response) => {
    const status = plain(request.url!);
    response.writeHead(status, status === 426 ? { upgrade: "websocket" } : {}).end();
  });
  server.on("upgrade", (request, connection, head) => {
    const path = request.url!;
    if (!accepts(path)) return void connection.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    sockets.handleUpgrade(request, connection, head, (socket) => {
      all.add(socket);
      const members = path === "/echo" ? new Set([socket]) : rooms.join(path, socket);
      socket.on("close", () => (all.delete(socket), rooms.leave(path, socket)));
      socket.on(
        "message",
        (data, isBinary) => receives({ socket, data: data as Buffer, isBinary, members: [...members], all }),
      );
    });
  });
  const listening = await listenNode(server, { hostname: "127.0.0.1", port: 0 });
  try {
    const { alive, checks } = oracle(shape, "text");
    return await failuresIn([alive, ...checks(SEED)], targetAt(listening.url));
  } finally {
    await listening.close();
  }
}

/** Keeps the first of the messages that are sent at once until the second has come. */
function swaps() {
  let held: Received | undefined;
  return (received: Received) => {
    if (received.data.toString() === `${SEED}-0`) return void (held = received);
    sends(received);
    if (held !== undefined) sends(held);
    held = undefined;
  };
}

/** Ways to be wrong, and the checks that must fail for each: those, and no others. */
const MUTANTS:
  readonly (readonly [fault: string, server: () => Broken, fails: Readonly<Record<Shape, readonly string[]>>])[] = [
    ["does nothing wrong", () => ({}), { echo: [], room: [] }],
    [
      "sends bytes as a text",
      () => ({ receives: ({ data, members }) => members.forEach((member) => member.send(data.toString("latin1"))) }),
      { echo: [KINDS], room: [KINDS] },
    ],
    [
      "cuts messages that are longer than 65 535 bytes",
      () => ({ receives: (received) => sends({ ...received, data: received.data.subarray(0, 65_535) }) }),
      { echo: [KINDS], room: [KINDS] },
    ],
    ["swaps two messages", () => ({ receives: swaps() }), { echo: [ORDER], room: [ORDER] }],
    [
      "delivers a message twice",
      () => ({ receives: (received) => (sends(received), sends(received)) }),
      { echo: [KINDS, ORDER], room: [KINDS, ORDER, ROOM] },
    ],
    [
      "has one room for all",
      () => ({ receives: (received) => sends({ ...received, members: [...received.all] }) }),
      { echo: [], room: [ROOM] },
    ],
    [
      "closes when a message comes",
      () => ({ receives: ({ socket }) => socket.close(1011) }),
      { echo: [COMES_BACK, KINDS, ORDER], room: [COMES_BACK, KINDS, ORDER, ROOM] },
    ],
    ["answers without a handshake", () => ({ plain: () => 200 }), { echo: [OTHERS], room: [OTHERS] }],
    ["takes any path", () => ({ accepts: () => true }), { echo: [OTHERS], room: [OTHERS] }],
  ];

for (const [fault, server, fails] of MUTANTS) {
  onceTest(`a server that ${fault} fails the checks that name it, and no others`, async () => {
    for (const shape of SHAPES) assert.deepEqual(await found(shape, server()), fails[shape], shape);
  });
}

test("the message under load has its length, a number's place, and the same bytes in both forms", () => {
  const text = loadMessage("text") as string;
  assert.equal(Buffer.byteLength(text), MESSAGE_BYTES);
  assert.equal(text.split("00000000").length, 2);
  assert.equal(JSON.parse(text).id, "00000000");
  const binary = loadMessage("binary") as { base64: string };
  assert.equal(Buffer.from(binary.base64, "base64").toString(), text);
});

test("compared messages are texts and bytes, drawn anew by each seed", () => {
  const kinds = (seed: number) => comparedMessages(seed).map((message) => typeof message);
  assert.deepEqual([...new Set(kinds(1))].sort(), ["object", "string"]);
  assert.notDeepEqual(comparedMessages(1), comparedMessages(2));
  assert.deepEqual(comparedMessages(1), comparedMessages(1));
});

test("each workload loads its path, and a room has whole rooms of connections", () => {
  const all = [...websocket.axes[0]!.values, ...websocket.axes[0]!.others!];
  for (const point of pointsOf(websocket, { workload: all })) {
    if (websocket.supports!(point) !== true) continue;
    const { pace, mix: [template], websocket: sent } = websocket.requests(point);
    const { closed } = pace as { readonly closed: number };
    const { members = 1, idle = 0 } = sent!;
    const isRoom = String(point.at["workload"]).startsWith("room");
    assert.equal(isRoom, members > 1);
    assert.equal((closed + idle) % members, 0);
    assert.notEqual(placeOf(template!.path), null);
    assert.equal(template!.path.includes("00000000"), isRoom);
  }
});

test("each runtime has each implementation in a room, or says why not", () => {
  const why = (implementation: string, at: string) =>
    websocket.supports!({ suite: "websocket", at: { workload: "room", implementation, runtime: at } });
  for (const at of ["node", "deno", "bun"]) {
    for (const implementation of ["hono", "native"]) assert.equal(why(implementation, at), true);
    assert.equal(why("publish", at) === true, at === "bun");
    assert.equal(why("ws", at) === true, at !== "node");
  }
});
