import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionsMark, serviceWaitedMark } from "./service-marks.ts";

const one = (before: number, after: number, left_open?: number) =>
  ({
    member: { server: { services: [{ name: "db", ...(left_open === undefined ? {} : { left_open }) }] } },
    services: [[{ name: "db", requests: 100, cpu_ns: null, connections: { before, after } }]],
  }) as unknown as Parameters<typeof connectionsMark>[0][number];

test("a server that leaves connections open at a service in most rounds is told with how many", () => {
  assert.equal(connectionsMark([one(10, 10), one(10, 19)]), null, "a pool that fills up late");
  assert.equal(connectionsMark([one(10, 50), one(10, 10)]), null, "in one of two");
  assert.equal(connectionsMark([one(50, 10)]), null, "it gave some back");
  assert.deepEqual(connectionsMark([one(10, 50), one(10, 40), one(10, 10)]), {
    code: "connections-left",
    effect: "note",
    text: 'a window left 35 connections more open at "db"',
  });
  assert.equal(connectionsMark([one(10, 10, 1)])?.text, '1 connection stayed open at "db" after the server had ended');
  assert.equal(connectionsMark([{ member: {} } as never]), null);
});

type Solos = Parameters<typeof serviceWaitedMark>[0];

const waiting = (server_share: number, service_share?: number, more?: object, link?: object) =>
  ({
    load: { connections: 50, requests_per_second: 500, ...more },
    counters: { server_share, service_share, link },
    services: service_share === undefined ? [] : [[{ name: "db", requests: 1, cpu_ns: null }]],
  }) as unknown as Solos[number];

test("a server that waits for its service more than both compute is told so, and keeps verdicts back", () => {
  assert.deepEqual(serviceWaitedMark([waiting(0.1, 0.05), waiting(0.11, 0.05), waiting(0.9, 0.2)]), {
    code: "service-waited-for",
    effect: "withholds",
    text: 'it and "db" computed in 16.0 % of the time: it waited for "db"',
  });
  assert.equal(serviceWaitedMark([waiting(0.6, 0.4)]), null, "they take turns over one connection");
  assert.equal(serviceWaitedMark([waiting(0.1)]), null, "it has none");
  assert.equal(serviceWaitedMark([waiting(0.1, 0.05, { offered_per_second: 500 })]), null, "it was sent no more");
  assert.equal(
    serviceWaitedMark([waiting(0.1, 0.05, {}, { round_trip_us: 90_000 })]),
    null,
    "replies take as long to come",
  );
  assert.equal(serviceWaitedMark([waiting(0.1, 0.05, {}, { round_trip_us: 100 })])?.code, "service-waited-for");
  assert.equal(serviceWaitedMark([]), null);
});
