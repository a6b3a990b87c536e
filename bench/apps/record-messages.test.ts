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

/** A program that answers nobody who has not said who he is, which it answers with an expression over \`socket\`. */
const behindLogin = (answer: string) =>
  program(
    `!socket.isKnown && String(data) !== "I am me" ? socket.close(4401) : socket.isKnown ? socket.send(data) : (socket.isKnown = true, ${answer})`,
  );
const opened = (folder: string): GivenOption[] => [...given("a")(folder), ["first", "I am me"]];

test("an opening message is sent once before, and its answers are counted and known", async () => {
  const answers = [["0", 0], ['socket.send("hello")', 1], [
    'setTimeout(() => (socket.send("hello"), socket.send("you")), 50)',
    2,
  ]] as const;
  for (const [answer, count] of answers) {
    await record({ "a.mjs": behindLogin(answer) }, opened, async (spec) => {
      const { plan } = requestsOf(spec), { reply, first } = spec.samples[0]!;
      assert.deepEqual([plan.websocket!.firstReplies ?? 0, plan.mix[0]!.first, first], [count, "I am me", "I am me"]);
      const said = ["", '"hello"', '"hello", "you"'][count];
      assert.deepEqual([reply!.headers["x-first-replies"], reply!.headers["x-first-said"] ?? ""], [`${count}`, said]);
      await withServer(spec, "a", async (server) => assert.ok("replies" in await oracleAnswer(spec, server)));
    });
  }
});

test("a server that wants an opening message is refused by its code without one; its answers may be others each time", async () => {
  const files = { "a.mjs": behindLogin("0") };
  await assert.rejects(record(files, given("a"), () => {}), /it closed with code 4401/);
  await record({ "a.mjs": behindLogin("socket.send(String(count))") }, opened, (spec) => {
    assert.equal(requestsOf(spec).plan.websocket!.firstReplies, 1);
    assert.deepEqual(spec.samples[0]!.left_out, ["header:x-first-said"]);
  });
});

/** Due under load of a server of a spec. */
const dueOf = (spec: UserSpec, app: string) =>
  userSuite(spec, process.cwd()).requests({ suite: USER_SUITE, at: { app, runtime: here.label, connections: 50 } })
    .websocket!;

test("each server is held to its own reply if replies may differ, by --expect or in a part that is ignored", async () => {
  const answers = (id: string) => program(`socket.send('{"id":"${id}","text":"hi"}')`);
  const files = { "a.mjs": answers("a"), "b.mjs": answers("bb"), "c.mjs": program("socket.send(String(count))") };
  for (const option of [["expect", "101"], ["ignore", "json:id"]] as const) {
    await record(files, (folder) => [...given("a", "b")(folder), option], async (spec, told) => {
      assert.equal(told.at(-1), `b on ${here.label}: its reply is another one, to which it is held`);
      assert.deepEqual(
        ["a", "b"].map((app) => dueOf(spec, app).reply),
        ["a", "bb"].map((id) => `{"id":"${id}","text":"hi"}`),
      );
      for (const app of ["a", "b"]) {
        await withServer(spec, app, async (server) => {
          assert.ok("replies" in await oracleAnswer(spec, server, app), app);
          const other = await oracleAnswer(spec, server, app === "a" ? "b" : "a");
          // The part that is ignored is compared under load alone.
          assert.equal("failed" in other && other.failed.code, option[0] === "expect" && "wrong-answer", app);
        });
      }
    });
  }
  const ignores = (folder: string): GivenOption[] => [...given("a", "d")(folder), ["ignore", "json:id"]];
  await record({ ...files, "d.mjs": answers('d","more":"') }, ignores, async (spec) => {
    await withServer(spec, "d", async (server) => assert.ok("failed" in await oracleAnswer(spec, server, "d")));
  });
  await record(
    files,
    (folder) => [...given("a", "c")(folder), ["expect", "101"]],
    (spec) => assert.match(spec.refused[0]!.reason, /a connection's second message is answered with "2", its first/),
  );
});

test("a reply may be long, in parts, bytes that are no text or text with a zero; one that holds the port is refused", async () => {
  const bytes = (data: readonly number[]) => ({ base64: Buffer.from(data).toString("base64") });
  const cases = [
    ['socket.send("x".repeat(10000))', "x".repeat(10_000)],
    ['(socket.send("h", { fin: false }), socket.send("i"))', "hi"],
    ["socket.send(Buffer.from([0, 254, 7]))", bytes([0, 254, 7])],
    ["socket.send(Buffer.from([65]))", bytes([65])],
    ['socket.send("a\\0b")', "a\0b"],
  ] as const;
  for (const [answer, reply] of cases) {
    await record({ "a.mjs": program(answer) }, given("a"), (spec) => assert.deepEqual(dueOf(spec, "a").reply, reply));
  }
  const refused = [["server.address().port", /holds the server's port/], [
    '"x".repeat(70000)',
    /is 70013 characters long/,
  ]] as const;
  for (const [text, line] of refused) {
    await record(
      { "a.mjs": program(`socket.send("on 127.0.0.1:" + ${text})`) },
      given("a"),
      (spec) => assert.throws(() => dueOf(spec, "a"), line),
    );
  }
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
  [
    "speaks first, but late",
    program(
      "socket.send(String(data))",
      "sockets.handleUpgrade(request, connection, head, (socket) => (socket.once('message', () => socket.send('late')), open(socket)))",
    ),
    /a connection's second message is answered with "\{.*\}", its first with "late": each reply is compared/,
  ],
  [
    "numbers its replies",
    program('socket.send("seq " + (socket.seq = (socket.seq ?? 0) + 1))'),
    /with "seq 2", its first/,
  ],
  [
    "agrees to another subprotocol",
    program("socket.send(data)").replace(
      "let count",
      'sockets.on("headers", (lines) => lines.push("Sec-WebSocket-Protocol: b")); let count',
    ),
    /it agrees to "sec-websocket-protocol: b", which was not offered/,
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
  await record({ "a.mjs": program('socket.send("message " + (socket.nth ??= count))') }, given("a"), (spec) => {
    assert.throws(() => requestsOf(spec), /WEBSOCKET \/chat: its reply changes by itself/);
  });
});
