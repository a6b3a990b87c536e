import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { eventQueue } from "./run.ts";

test("events come in their order, those put before anyone asks and those after", async () => {
  const queue = eventQueue<number>();
  queue.put(1);
  queue.put(2);
  const taken: number[] = [];
  const taking = (async () => {
    for await (const event of queue.take()) taken.push(event);
  })();
  await Promise.resolve();
  queue.put(3);
  await sleep(0);
  assert.deepEqual(taken, [1, 2, 3], "the taker waits for more");
  queue.put(4);
  queue.close();
  await taking;
  assert.deepEqual(taken, [1, 2, 3, 4]);
});

test("putting never waits for a slow taker", async () => {
  const queue = eventQueue<number>();
  const taker = queue.take();
  const first = taker.next();
  for (let n = 0; n < 1_000; n++) queue.put(n);
  queue.close();
  assert.equal((await first).value, 0);
  let rest = 0;
  for await (const _ of taker) rest++;
  assert.equal(rest, 999);
});

test("an error comes after the events before it, and what ends first is the end", async () => {
  const queue = eventQueue<string>();
  queue.put("before");
  queue.fail(new Error("the reason"));
  queue.close();
  const taken: string[] = [];
  await assert.rejects(async () => {
    for await (const event of queue.take()) taken.push(event);
  }, /^Error: the reason$/);
  assert.deepEqual(taken, ["before"]);
});
