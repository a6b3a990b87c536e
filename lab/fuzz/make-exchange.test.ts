import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { RequestPlan } from "../../suites/suite.ts";
import { createRandom } from "../../bench/basics/random.ts";
import { corpusOf, plannedRequests } from "./corpus.ts";
import { exchangeAt, MUTATIONS, PLAIN } from "./make-exchange.ts";
import { bytesOf, byteString, type PlainRequest, written } from "./plain-request.ts";

const PLAN: RequestPlan = {
  pace: { closed: 1 },
  mix: [
    { path: "/things/{id}", expect: [200] },
    {
      method: "POST",
      path: "/things",
      headers: { "content-type": "application/json" },
      body: '{"id":"{made}","name":"Zoë {serial}"}',
      expect: [201],
    },
    { method: "POST", path: "/counter", body: "1", expect: [200] },
    { path: "/counter", expect: [200] },
  ],
  draws: {
    id: { kind: "uniform", below: 1_000 },
    serial: { kind: "serial", from: 5_000 },
    made: { kind: "same", of: "serial", as: { hex16: [1, 2, 3, 4] } },
  },
};
const corpus = corpusOf(plannedRequests(PLAN, 8, createRandom(1)));
const COUNT = 20_000;

test("a seed gives the same bytes on every runtime, another seed others", () => {
  const hashOf = (seed: number, count: number) => {
    const hash = createHash("sha256");
    for (let n = 0; n < count; n++) {
      const { mutation, method, bytes, manner } = exchangeAt(corpus, seed, n);
      hash.update(JSON.stringify([mutation, method, manner])).update(bytesOf(bytes));
    }
    return hash.digest("hex").slice(0, 16);
  };
  assert.equal(hashOf(7, 2_000), "34d2b60f5fd582a6", "the mutations were changed: take the new hash over");
  assert.notEqual(hashOf(7, 50), hashOf(8, 50));
});

test("every mutation is made, and four in ten requests are plain", () => {
  const made = new Map<string, number>();
  for (let n = 0; n < COUNT; n++) {
    const { mutation } = exchangeAt(corpus, 1, n);
    made.set(mutation, (made.get(mutation) ?? 0) + 1);
  }
  assert.deepEqual([...made.keys()].sort(), [PLAIN, ...Object.keys(MUTATIONS)].sort());
  const share = made.get(PLAIN)! / COUNT;
  assert.ok(share > 0.38 && share < 0.42, String(share));
});

test("what was tampered with never writes where somebody reads", () => {
  for (let n = 0; n < COUNT; n++) {
    const { mutation, bytes } = exchangeAt(corpus, 2, n);
    if (mutation === PLAIN || mutation.startsWith("wire")) continue;
    assert.doesNotMatch(bytes, /^(POST|PUT|PATCH|DELETE) +\/counter[ ?]/, `${n}: ${mutation}`);
  }
});

test("bytes are bytes, and a plain request is whole", () => {
  for (let n = 0; n < 2_000; n++) assert.doesNotMatch(exchangeAt(corpus, 3, n).bytes, /[\u0100-\uffff]/);
  const request: PlainRequest = { method: "POST", path: "/a", headers: [["A", "b"]], body: byteString("é") };
  assert.equal(written(request), "POST /a HTTP/1.1\r\nHost: localhost\r\nA: b\r\nContent-Length: 2\r\n\r\n\xc3\xa9");
  assert.deepEqual([...bytesOf(byteString("é🐻"))], [...new TextEncoder().encode("é🐻")]);
});

test("requests of a plan have what their draws give, and serial numbers stay few", () => {
  const serials = new Set<string>();
  for (const { path, body } of plannedRequests(PLAN, 500, createRandom(1))) {
    assert.doesNotMatch(path + body, /\{\w+\}/);
    if (path === "/things") serials.add(JSON.parse(new TextDecoder().decode(bytesOf(body!))).id);
  }
  assert.ok(serials.size > 30 && serials.size <= 64, String(serials.size));
  const rows: RequestPlan = { ...PLAN, draws: { id: { kind: "rows", file: "a.txt" } } };
  assert.deepEqual(plannedRequests(rows, 1, createRandom(1)), []);
});
