import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { readReply } from "../apps/comparable-reply.ts";
import { openClient } from "../process/open-client.ts";
import { type Check, type Oracle, WrongAnswer } from "../../suites/suite.ts";
import { sampleReplies } from "./sample-replies.ts";

test("a reply under load that names the server's own address is the same as one at another port", async () => {
  const server = createServer((request, response) => response.end(`http://${request.headers.host}/next`));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const texts: string[] = [];
  let seen = () => {};
  const first = new Promise<void>((resolve) => seen = resolve);
  const check: Check = {
    name: "GET /",
    async run(target) {
      const { text } = readReply(await target.send("GET", "/"), target.url);
      texts.push(text!);
      seen();
      if (text !== "http://127.0.0.1:0/next") throw new WrongAnswer(`it is ${text}`);
      return 1;
    },
  };
  const oracle: Oracle = { alive: check, checks: () => [check] };
  const requests = { pace: { closed: 1 }, mix: [{ method: "GET", path: "/", expect: [200] }] } as const;
  const loaded = { url, from: { client: openClient }, requests, oracle, loads: 0, perSecond: null, windowMs: 10_000 };
  const sampling = sampleReplies(loaded, 1, 10_000);
  await first;
  const { asked, wrong } = await sampling.end();
  server.close();
  assert.ok(asked >= 1);
  assert.deepEqual(wrong, []);
  assert.equal(texts[0], "http://127.0.0.1:0/next");
});

test("a check that the end of a load interrupts leaves nothing that a check of the next load finds", async () => {
  const kept = new Set<string>();
  const server = createServer((request, response) => {
    response.statusCode = kept.has(request.url!) ? 200 : 404;
    if (request.method === "POST") kept.add(request.url!);
    response.end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let seen = () => {};
  const putting = (seed: number): Check => ({
    name: "a text that is put",
    async run(target) {
      const { status } = await target.send("GET", `/${seed}`);
      if (status === 404) await target.send("POST", `/${seed}`);
      seen();
      if (status !== 404) throw new WrongAnswer(`status ${status}, expected 404`);
      await target.send("GET", `/${seed}`);
      return 3;
    },
  });
  const oracle: Oracle = { alive: putting(0), checks: (seed) => [putting(seed)] };
  const requests = { pace: { closed: 1 }, mix: [{ method: "GET", path: "/", expect: [404] }] } as const;
  for (const loads of [0, 1]) {
    const interrupted = new Promise<void>((resolve) => seen = resolve);
    const loaded = { url, from: { client: openClient }, requests, oracle, loads, perSecond: null, windowMs: 10_000 };
    const sampling = sampleReplies(loaded, 1, 10_000);
    await interrupted;
    assert.deepEqual((await sampling.end()).wrong, []);
  }
  server.close();
  assert.equal(kept.size, 2);
});
