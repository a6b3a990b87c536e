import assert from "node:assert/strict";
import { test } from "node:test";
import { serviceWaitedMark } from "./service-waited-for.ts";

type Solos = Parameters<typeof serviceWaitedMark>[0];

const one = (server_share: number, service_share?: number, more?: object, link?: object) =>
  ({
    load: { connections: 50, requests_per_second: 500, ...more },
    counters: { server_share, service_share, link },
    services: service_share === undefined ? [] : [[{ name: "db", requests: 1, cpu_ns: null }]],
  }) as unknown as Solos[number];

test("a server that waits for its service more than both compute is told so, and keeps verdicts back", () => {
  assert.deepEqual(serviceWaitedMark([one(0.1, 0.05), one(0.11, 0.05), one(0.9, 0.2)]), {
    code: "service-waited-for",
    effect: "withholds",
    text: 'it and "db" computed in 16.0 % of the time: it waited for "db"',
  });
  assert.equal(serviceWaitedMark([one(0.6, 0.4)]), null, "they take turns over one connection");
  assert.equal(serviceWaitedMark([one(0.1)]), null, "it has none");
  assert.equal(serviceWaitedMark([one(0.1, 0.05, { offered_per_second: 500 })]), null, "it was sent no more");
  assert.equal(
    serviceWaitedMark([one(0.1, 0.05, {}, { round_trip_us: 90_000 })]),
    null,
    "replies take as long to come",
  );
  assert.equal(serviceWaitedMark([one(0.1, 0.05, {}, { round_trip_us: 100 })])?.code, "service-waited-for");
  assert.equal(serviceWaitedMark([]), null);
});
