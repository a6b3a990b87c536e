import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionsMark } from "./connections-left.ts";

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
  assert.equal(
    connectionsMark([one(10, 10, 1)])?.text,
    '1 connection stayed open at "db" after the server had ended',
  );
  assert.equal(connectionsMark([{ member: {} } as never]), null);
});
