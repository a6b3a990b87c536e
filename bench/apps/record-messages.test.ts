/** Recordings of replies to messages over WebSockets, from real servers. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { type GivenOption, here, oracleAnswer, record, withServer } from "../../tests/record-apps.ts";
import { BenchError } from "../basics/errors.ts";
import { USER_SUITE } from "../record/cell.ts";
import type { UserSpec } from "../record/user-spec.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { userSuite } from "./user-suite.ts";

/** The package itself: programs of a test have no packages next to them. */
const WS = join(PROJECT_ROOT, "node_modules", "ws", "index.js");

/** A program that answers each message with an expression over `data`, `isBinary` and `socket`. */
const program = (reply: string, upgrades = "sockets.handleUpgrade(request, connection, head, open)") => `
import { createServer } from "node:http";
import { createRequire } from "node:module";
const { WebSocketServer } = createRequire(import.meta.url)(${JSON.stringify(WS)});
const sockets = new WebSocketServer({ noServer: true });
let count = 0;
const open = (socket) => socket.on("message", (data, isBinary) => (count += 1, ${reply}));
const server = createServer((_, response) => response.end("ready"));
server.on("upgrade", (request, connection, head) => { ${upgrades}; });
server.listen(Number(process.env.PORT), "127.0.0.1");
`;

const MESSAGE = '{"text":"hi"}';
const given = (...names: readonly string[]) => (folder: string): GivenOption[] => [
  ...names.map((name) => ["program", `${name}=${join(folder, name)}.mjs`] as const),
  ["websocket", "/chat"],
  ["message", MESSAGE],
];
const requestsOf = (spec: UserSpec) => {
  const suite = userSuite(spec, process.cwd());
  const at = { app: spec.servers[0]!.name, runtime: here.label, connections: 50 };
  return { suite, plan: suite.requests({ suite: USER_SUITE, at }) };
};

test("the reply to a message is recorded, sent as the one that is due, and held against other servers", async () => {
  const files = {
    "upper.mjs": program("socket.send(String(data).toUpperCase())"),
    "same.mjs": program("socket.send(String(data).toUpperCase())"),
    "lower.mjs": program("socket.send(String(data))"),
    "bytes.mjs": program("socket.send(Buffer.from(String(data).toUpperCase()))"),
  };
  await record(files, given("upper", "same", "lower", "bytes"), async (spec, told) => {
    const { suite, plan } = requestsOf(spec);
    assert.equal(suite.generator, "websocket");
    assert.deepEqual(plan.websocket, { inFlight: 1, asGiven: true, reply: MESSAGE.toUpperCase() });
    assert.deepEqual(plan.mix, [{ method: "WEBSOCKET", path: "/chat", body: MESSAGE, expect: [101] }]);
    const [, same, lower, bytes] = told;
    assert.match(same!, /^same on \S+: answers as upper on \S+ does/);
    assert.match(lower!, /^lower on \S+: WEBSOCKET \/chat: /);
    assert.match(bytes!, /^bytes on \S+: WEBSOCKET \/chat: header:x-message is "binary", "text" was recorded/);
    await withServer(spec, "same", async (server) => assert.ok("replies" in await oracleAnswer(spec, server)));
    for (const name of ["lower", "bytes"]) {
      await withServer(spec, name, async (server) => {
        const answer = await oracleAnswer(spec, server);
        assert.equal("failed" in answer && answer.failed.code, "wrong-answer", name);
      });
    }
  });
});

test("bytes that come back are due as bytes", async () => {
  await record({ "a.mjs": program('socket.send(Buffer.from("bytes"))') }, given("a"), (spec) => {
    const reply = { base64: Buffer.from("bytes").toString("base64") };
    assert.deepEqual(requestsOf(spec).plan.websocket, { inFlight: 1, asGiven: true, reply });
  });
});

/** Programs that cannot be measured, and the line that says why. */
const REFUSED: readonly (readonly [fault: string, text: string, line: RegExp])[] = [
  [
    "refuses the handshake",
    program("0", 'connection.end("HTTP/1.1 426 Upgrade Required\\r\\nContent-Length: 0\\r\\n\\r\\n")'),
    /WEBSOCKET \/chat on a on \S+: status 426/,
  ],
  [
    "sends no accept key",
    program("0", 'connection.end("HTTP/1.1 101 A\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n\\r\\n")'),
    /status 101 comes without Sec-WebSocket-Accept/,
  ],
  ["closes when a message comes", program("socket.close(1011)"), /it closed with code 1011/],
  [
    "speaks first",
    program(
      "socket.send(data)",
      'sockets.handleUpgrade(request, connection, head, (socket) => (socket.send("welcome"), open(socket)))',
    ),
    /WEBSOCKET \/chat: the server speaks first, with "welcome": only replies are measured/,
  ],
  ["ends without a close frame", program("socket.terminate()"), /closed without a close frame|ECONNRESET/],
];

for (const [fault, text, line] of REFUSED) {
  test(`a program that ${fault} is refused in one line`, async () => {
    await assert.rejects(record({ "a.mjs": text }, given("a"), () => {}), (error) => {
      assert.ok(error instanceof BenchError, String(error));
      assert.match(error.message, line);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    });
  });
}

test("a reply that is another one each time is refused: each under load is compared with it", async () => {
  await record({ "a.mjs": program('socket.send("message " + count)') }, given("a"), (spec) => {
    assert.throws(() => requestsOf(spec), /WEBSOCKET \/chat: its reply changes by itself/);
  });
});
