/** wrk with its script against a server that writes down what it is asked for. */
import assert from "node:assert/strict";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import type { LoadPlan, LoadResult } from "../bench/generators/generator.ts";
import { wrk } from "../bench/generators/wrk.ts";
import { countOf } from "../bench/core/latency-histogram.ts";
import { findProgram, startChild, within } from "../bench/host/child.ts";
import { idMaker } from "../stores/dataset/user-at.ts";
import { benchTest } from "./run-bench.ts";

const SIZE = 1_000;
const DATA_SEED = 42;
const idOf = idMaker(DATA_SEED);
const indexOf = new Map(Array.from({ length: SIZE }, (_, index) => [idOf(index), index]));

interface Asked {
  readonly result: LoadResult;
  /** Ids in the order they were asked for, by connection. */
  readonly streams: string[][];
}

const REPLY = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";

/** One second of wrk; one connection a thread, so that a connection's requests are a thread's stream. */
async function ask(
  change: { drawSeed?: number; missShare?: number; threads?: number; dataSeed?: number },
): Promise<Asked> {
  const { drawSeed = 1, missShare = 0, threads = 1, dataSeed = DATA_SEED } = change;
  const streams: string[][] = [];
  const wrong: string[] = [];
  const server = createServer((socket) => {
    const ids: string[] = [];
    socket.on("data", (bytes) => {
      const text = String(bytes);
      const id = /^GET \/users\/([0-9a-f]{16}) HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\n\r\n$/.exec(text)?.[1];
      if (id === undefined) wrong.push(text);
      else if (ids.push(id) === 1) streams.push(ids);
      socket.write(REPLY);
    });
    socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const plan: LoadPlan = {
      urls: [`http://127.0.0.1:${(server.address() as AddressInfo).port}`],
      connections: threads,
      threads,
      durationMs: 1_000,
      timeoutMs: 2_000,
      requests: { kind: "ids", size: SIZE, dataSeed, drawSeed, missShare },
    };
    const child = startChild({
      file: findProgram("wrk")!,
      args: wrk.args(plan),
      cpus: null,
      env: { PATH: process.env["PATH"]! },
    });
    assert.deepEqual(await within(30_000, child.ended), { code: 0, signal: null }, child.stderrTail());
    assert.deepEqual(wrong, [], "requests of an unexpected form");
    return { result: wrk.parse(child.stdout(), plan), streams };
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

benchTest("without misses wrk asks only for users there are, all over the data set alike", async () => {
  const { result, streams } = await ask({});
  const ids = streams.flat();
  assert.ok(ids.length > 2_000, `${ids.length} requests`);
  const tenths = new Array<number>(10).fill(0);
  const seen = new Set<number>();
  for (const id of ids) {
    const index = indexOf.get(id);
    assert.ok(index !== undefined, `${id} is nobody's`);
    tenths[Math.floor(index / SIZE * 10)]! += 1;
    seen.add(index);
  }
  const expected = ids.length / 10;
  const chiSquare = tenths.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  assert.ok(chiSquare < 33.7, `draw seed 1: chi-square ${chiSquare} above the 99.99 % point for 9 degrees of freedom`);
  assert.ok(seen.size > SIZE * 0.8 && Math.min(...seen) < 20 && Math.max(...seen) >= SIZE - 20, `${seen.size} seen`);
  assert.equal(result.sentMisses, 0);
});

benchTest("what wrk counts is what the server was asked, and its raw histogram has one count a request", async () => {
  const { result, streams } = await ask({});
  const asked = streams.flat().length;
  assert.ok(asked - result.requests >= 0 && asked - result.requests <= 2, `asked ${asked}, counted ${result.requests}`);
  assert.equal(countOf(result.latency), result.requests);
  assert.deepEqual(result.errors, { connect: 0, read: 0, write: 0, status: 0, timeout: 0 });
});

benchTest("the same draw seed asks for the same users in the same order, another one for others", async () => {
  const [first, again, other] = [await ask({ drawSeed: 7 }), await ask({ drawSeed: 7 }), await ask({ drawSeed: 8 })];
  const start = (asked: Asked) => asked.streams[0]!.slice(0, 1_500);
  assert.equal(start(first).length, 1_500);
  assert.deepEqual(start(again), start(first));
  const same = start(other).filter((id, n) => id === start(first)[n]).length;
  assert.ok(same < 30, `${same} of 1500 places have the same user`);
});

benchTest("two threads ask for different users, not one behind the other", async () => {
  const { streams } = await ask({ threads: 2 });
  assert.equal(streams.length, 2);
  const [one, two] = streams as [string[], string[]];
  const text = two.join();
  for (let n = 0; n + 4 < Math.min(one.length, 2_000); n += 100) {
    assert.ok(
      !text.includes(one.slice(n, n + 4).join()),
      `requests ${n} to ${n + 3} of one thread are also the other's`,
    );
  }
});

benchTest("the share of misses is kept, they are nobody's ids, and wrk knows how many it sent", async () => {
  const { result, streams } = await ask({ missShare: 0.25 });
  const ids = streams.flat();
  const misses = ids.filter((id) => !indexOf.has(id));
  const sigma = Math.sqrt(0.25 * 0.75 / ids.length);
  assert.ok(Math.abs(misses.length / ids.length - 0.25) < 4.5 * sigma, `${misses.length} of ${ids.length} are misses`);
  assert.ok(new Set(misses).size > misses.length * 0.99, "misses are hardly ever repeated");
  // wrk builds one request for itself before it starts.
  assert.ok(Math.abs(result.sentMisses - misses.length) <= 2, `${result.sentMisses} told, ${misses.length} came`);
});

benchTest("a miss share of one asks for nobody at all, and another data seed for other users", async () => {
  const all = (await ask({ missShare: 1 })).streams.flat();
  assert.ok(all.length > 1_000 && all.every((id) => !indexOf.has(id)));
  const ids = (await ask({ dataSeed: 43 })).streams.flat();
  const others = new Set(Array.from({ length: SIZE }, (_, index) => idMaker(43)(index)));
  assert.ok(ids.length > 1_000 && ids.every((id) => others.has(id)));
});
