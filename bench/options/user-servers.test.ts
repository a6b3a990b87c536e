import assert from "node:assert/strict";
import { test } from "node:test";
import { userSuiteMeant } from "./user-servers.ts";
import type { Config } from "./config.ts";
import { commandNamed } from "./read-line.ts";

const here = process.cwd();
const meant = (config: Config, word: string, ...given: (readonly [string, string])[]) =>
  userSuiteMeant(commandNamed(word)!, given, { config, file: "c.ts", folder: here }, { again: false, named: false })
    ?.draft;

test("headers of a config are meant for all requests, its own and those given by hand", () => {
  const config: Config = { command: "a", header: { Accept: "a/b" }, request: ["GET /a", "GET /b"] };
  const headers = { accept: "a/b" };
  assert.deepEqual(meant(config, "run")!.requests, [
    { method: "GET", path: "/a", headers },
    { method: "GET", path: "/b", headers },
  ]);
  assert.deepEqual(meant(config, "run", ["request", "GET /c"])!.requests, [{ method: "GET", path: "/c", headers }]);
});

test("servers given by hand stand in place of a config's, with how those are reached", () => {
  const config: Config = { command: "a", port: 80, ready: "/up", expect: 404 };
  const [server] = meant(config, "run", ["command", "b"])!.servers;
  assert.deepEqual(server?.kind === "command" && [server.name, server.port, server.ready], ["b", null, "/"]);
  assert.deepEqual(meant(config, "run", ["command", "b"])!.requests[0]!.expect, [404]);
  assert.deepEqual(meant(config, "run", ["expect", "200"])!.requests[0]!.expect, [200]);
});

test("the port bench serve listens on is a program's own where there is one, and else nobody's", () => {
  const portOf = (config: Config) => {
    const [server] = meant(config, "serve", ["port", "9000"])!.servers;
    return server?.kind === "command" ? server.port : undefined;
  };
  assert.equal(portOf({ command: "a" }), 9000);
  assert.equal(portOf({ target: "http://127.0.0.1:1" }), undefined);
  assert.equal(meant({ command: "a" }, "verify"), undefined);
});

test("requests that h2load sends are recorded with the user agent it sends", () => {
  const agentOf = (...given: (readonly [string, string])[]) =>
    meant({ command: "a" }, "run", ...given)!.requests[0]!.headers?.["user-agent"];
  for (const given of [["protocol", "http,h2"], ["protocol", "h2c"], ["generator", "h2load"]] as const) {
    assert.equal(agentOf(given), "levelfield", given.join(" "));
  }
  assert.equal(agentOf(["protocol", "https"]), undefined);
  assert.equal(agentOf(["protocol", "h2"], ["header", "user-agent: mine"]), "mine");
});

test("a WebSocket and its message are a request and its body, from a line and from a config", () => {
  const message = '{"text":"hi"}';
  const request = { method: "WEBSOCKET", path: "/chat", body: message };
  const draft = meant({}, "run", ["program", "./mod.ts"], ["websocket", "/chat"], ["message", message])!;
  assert.deepEqual(draft.requests, [request]);
  assert.deepEqual(draft.given, [["request", "WEBSOCKET /chat"], ["body", message]]);
  const config: Config = { command: "a", request: { method: "WEBSOCKET", path: "/chat", body: { text: "hi" } } };
  assert.deepEqual(meant(config, "run")!.requests, [request]);
  // A line's message stands in place of a config's requests.
  const other = { command: "a", request: "GET /" };
  assert.deepEqual(meant(other, "run", ["websocket", "/chat"], ["message", message])!.requests, [request]);
});

test("an opening message is part of the request, from a line and from a config, and of a WebSocket alone", () => {
  const request = { method: "WEBSOCKET", path: "/chat", body: "hi", first: '{"token":"a"}' };
  const words = [["websocket", "/chat"], ["first", request.first], ["message", "hi"]] as const;
  const draft = meant({}, "run", ["program", "./mod.ts"], ...words)!;
  assert.deepEqual(draft.requests, [request]);
  assert.deepEqual(draft.given, [["request", "WEBSOCKET /chat"], ["first", request.first], ["body", "hi"]]);
  const config: Config = { command: "a", request: { ...request, first: { token: "a" } } };
  assert.deepEqual(meant(config, "run")!.requests, [request]);
  const refusedBy = (...given: (readonly [string, string])[]) => () => meant({}, "run", ["command", "a"], ...given);
  assert.throws(refusedBy(["request", "GET /"], ["first", "hi"]), /is the first message of a WebSocket alone/);
  assert.throws(refusedBy(["first", "hi"]), /"hi" comes before a request/);
  assert.throws(refusedBy(...words, ["first", "b"]), /has two first messages/);
  assert.throws(refusedBy(["websocket", "/"], ["first", "@none.txt"]), /--first: there is no file "none.txt"/);
});

test("a WebSocket that cannot be measured is refused with what to do", () => {
  const refusedBy = (...given: (readonly [string, string])[]) => () => meant({}, "run", ["command", "a"], ...given);
  assert.throws(refusedBy(["websocket", "chat"]), /"chat" is no path/);
  assert.throws(refusedBy(["message", "hi"], ["websocket", "/"]), /"hi" comes before a request/);
  assert.throws(
    refusedBy(["websocket", "/a"], ["request", "GET /"]),
    /a message over a WebSocket is measured by itself/,
  );
  const drawn = '{"method":"WEBSOCKET","path":"/","body":"{n}","draws":{"n":{"kind":"uniform","below":9}}}';
  assert.throws(refusedBy(["request", drawn]), /draws nothing/);
});
