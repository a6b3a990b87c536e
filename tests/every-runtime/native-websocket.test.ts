/** WebSocket servers native to Deno and Bun, and one of `ws`: they greet, want an opening message, acknowledge it, and say pings of their own. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { USER_SUITE } from "../../bench/record/cell.ts";
import { userSuite } from "../../bench/apps/user-suite.ts";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { assertSound, loadOf } from "../message-server.ts";
import { type GivenOption, here, oracleAnswer, record, withServer } from "../record-apps.ts";

/** Answers a message on a socket, whatever its runtime. */
const ANSWERS = `const greet = (socket) => socket.send("welcome");
const answer = (socket, of, data) => {
  if (of.isKnown) return void socket.send(data.toUpperCase());
  if (data !== "me") return void socket.close(4401, "who?");
  of.isKnown = true;
  for (const text of ["ack", '{"type":"ping"}']) socket.send(text);
};
`;
const SERVERS: Readonly<Record<string, string>> = {
  node: `${ANSWERS}
import { createServer } from "node:http";
import { createRequire } from "node:module";
const { WebSocketServer } = createRequire(${JSON.stringify(join(PROJECT_ROOT, "package.json"))})("ws");
const server = createServer((_, response) => response.end("ready"));
new WebSocketServer({ server }).on("connection", (socket) => {
  greet(socket);
  socket.on("message", (data) => answer(socket, socket, String(data)));
});
server.listen(Number(process.env.PORT), "127.0.0.1");`,
  deno: `${ANSWERS}
Deno.serve({ port: Number(Deno.env.get("PORT")), hostname: "127.0.0.1" }, (request) => {
  if (request.headers.get("upgrade") !== "websocket") return new Response("ready");
  const { socket, response } = Deno.upgradeWebSocket(request);
  socket.onopen = () => greet(socket);
  socket.onmessage = ({ data }) => answer(socket, socket, data);
  return response;
});`,
  bun: `${ANSWERS}
Bun.serve({
  port: Number(process.env.PORT), hostname: "127.0.0.1",
  fetch: (request, server) => server.upgrade(request, { data: {} }) ? undefined : new Response("ready"),
  websocket: { open: greet, message: (socket, data) => answer(socket, socket.data, data) },
});`,
};

const given = (...first: readonly GivenOption[]) => (folder: string): GivenOption[] => [
  ...[["program", `a=${join(folder, "a.js")}`], ["websocket", "/chat"], ["message", "hello"]] as const,
  ...first,
];

test("a server of the runtime's own is measured once an opening message has been answered, and else refused", async () => {
  const files = { "a.js": SERVERS[here.name]! };
  await record(files, given(["first", "me"]), async (spec) => {
    const { reply } = spec.samples[0]!;
    assert.deepEqual([reply!.body, reply!.headers["x-first-replies"]], ["HELLO", "3"]);
    assert.equal(reply!.headers["x-first-said"], '"welcome", "ack", "{\\"type\\":\\"ping\\"}"');
    const at = { app: "a", runtime: here.label, connections: 1 };
    const { websocket } = userSuite(spec, process.cwd()).requests({ suite: USER_SUITE, at });
    await withServer(spec, "a", async (server) => {
      assert.ok("replies" in await oracleAnswer(spec, server));
      const { result } = await loadOf([server.url], { ...websocket, path: "/chat", message: "hello", first: "me" });
      assertSound(result);
    });
  });
  await assert.rejects(record(files, given(), () => {}), /the server speaks first, with "welcome"/);
});
