import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestPlan, RequestTemplate } from "../../suites/suite.ts";
import { whyNot } from "./refuse.ts";
import { GENERATORS, MEASURING } from "./registry.ts";

const why = (name: string, template: Omit<RequestTemplate, "path" | "expect">) =>
  whyNot(GENERATORS[name]!, { pace: { closed: 1 }, mix: [{ path: "/", expect: [200], ...template }] });

test("no generator measures HEAD, since wrk warms every server up", () => {
  for (const name of Object.keys(GENERATORS)) assert.match(why(name, { method: "HEAD" })!, /HEAD: ask with GET/, name);
});

test("bytes that are no text go through generators that keep them", () => {
  const body = { base64: "/w==" };
  const post = {
    pace: { closed: 1 },
    connection: "new",
    mix: [{ path: "/", method: "POST", body, expect: [200] }],
  } as const;
  for (const name of Object.keys(GENERATORS)) assert.equal(why(name, { method: "POST", body }), null, name);
  assert.match(whyNot(MEASURING["connect"]!, post)!, /bodies as text alone: --generator wrk/);
});

test("a Host given by hand is sent by the generator that writes what it is given", () => {
  const headers = { Host: "shop.example" };
  for (const name of Object.keys(GENERATORS)) {
    assert.equal(
      why(name, { headers }),
      name === "wrk" || name === "ontime" ? null : `${name} makes the Host header itself: --generator wrk`,
    );
  }
});

const plan = (change: Partial<RequestPlan>): RequestPlan => ({
  ...{ pace: { closed: 1 }, mix: [{ path: "/", expect: [200] }] },
  ...change,
});
const taking = (change: Partial<RequestPlan>) =>
  Object.values(GENERATORS).filter((one) => whyNot(one, plan(change)) === null).map(({ name }) => name);

test("each protocol goes through those that speak it", () => {
  assert.deepEqual(taking({ protocol: "https" }), ["wrk", "h2load"]);
  for (const protocol of ["h2", "h2c"] as const) assert.deepEqual(taking({ protocol }), ["h2load"]);
  assert.equal(whyNot(GENERATORS["wrk"]!, plan({ protocol: "h2" })), "wrk does not speak h2: --generator h2load");
});

test("messages go through one generator, which sends nothing else", () => {
  const messages = { websocket: { inFlight: 1 } };
  assert.deepEqual(taking(messages), []);
  assert.equal(whyNot(GENERATORS["wrk"]!, plan(messages)), "wrk sends no messages: --generator websocket");
  assert.equal(whyNot(MEASURING["websocket"]!, plan(messages)), null);
  assert.equal(whyNot(MEASURING["websocket"]!, plan({})), "websocket sends messages alone");
  const many = (idle: number, inFlight: number) =>
    whyNot(MEASURING["websocket"]!, plan({ websocket: { inFlight, idle } }));
  assert.equal(many(1_022, 1_023), null);
  assert.equal(many(1_023, 1), "websocket has numbers for 1023 connections, and 1024 are requested");
  assert.equal(many(0, 1_024), "websocket has numbers for 1023 messages in flight, and 1024 are requested");
  const over = (protocol: "https" | "h2") => whyNot(MEASURING["websocket"]!, plan({ ...messages, protocol }));
  assert.equal(over("https"), null);
  assert.equal(over("h2"), "websocket speaks WebSocket over HTTP/1.1: --protocol http or https");
});

test("each new connection over TLS is a whole handshake", () => {
  assert.deepEqual(taking({ protocol: "https", connection: "new" }), []);
  assert.match(
    whyNot(GENERATORS["wrk"]!, plan({ protocol: "https", connection: "new" }))!,
    /^wrk goes on with earlier sessions of TLS in some of its new connections: --generator connect$/,
  );
});
