/** Longer than others, as each way of a connection has a real server of its own. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { RequestPlan } from "../../suites/suite.ts";
import { findProgram } from "../machine/programs.ts";
import { percentileUs } from "../statistics/latency-histogram.ts";
import { mean, standardDeviation } from "../statistics/variation.ts";
import type { LoadPlan, LoadResult } from "./generator.ts";
import { ontime } from "./ontime.ts";

const WRK = findProgram("wrk");
const GENERATORS = fileURLToPath(new URL("./", import.meta.url));
const luaTest = WRK === undefined ? test.skip : test;

type Handler = (request: IncomingMessage, reply: ServerResponse, body: string) => void;

interface Load {
  /** Null for a load that ends by its time. */
  readonly requests?: number | null;
  /** Null for a closed loop. */
  readonly perSecond?: number | null;
  readonly durationMs?: number;
  readonly connections?: number;
  readonly schedule?: "poisson";
  readonly timeoutMs?: number;
  /** The server is closed before the load. */
  readonly gone?: boolean;
  readonly mix?: RequestPlan["mix"];
  readonly draws?: RequestPlan["draws"];
}

/** Loads a server that answers by `handler`. */
async function loaded(
  handler: Handler,
  load: Load,
): Promise<LoadResult & { readonly opened: number; readonly text: string }> {
  const server = createServer((request, reply) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text) => body += text).on("end", () => handler(request, reply, body));
  });
  server.keepAliveTimeout = 0;
  let opened = 0;
  server.on("connection", () => opened++);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const {
    perSecond = 1_000,
    connections = 4,
    requests = 20,
    timeoutMs = 600_000,
    durationMs = 1_000,
    mix,
    draws,
    schedule,
  } = load;
  const plan: LoadPlan = {
    targets: [{
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      requests: {
        pace: perSecond === null ? { closed: connections } : { perSecond, connections, ...(schedule && { schedule }) },
        mix: mix ?? [{ path: "/a", expect: [200] }],
        ...(draws === undefined ? {} : { draws }),
      },
    }],
    ...{ threads: 1, durationMs, timeoutMs, seed: 7, load: 0, ...(requests === null ? {} : { requests }) },
  };
  const folder = mkdtempSync(join(tmpdir(), "levelfield-ontime-"));
  try {
    for (const [name, text] of Object.entries(ontime.input!(plan))) {
      writeFileSync(`${folder}/${name}`, String(text));
    }
    if (load.gone) await new Promise((closed) => server.close(closed));
    const child = spawn(WRK!, ontime.args(plan, folder), { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (chunk) => text += chunk);
    await once(child, "close");
    return { ...ontime.parse(text, plan, {}), opened, text };
  } finally {
    rmSync(folder, { recursive: true });
    server.closeAllConnections();
    server.close();
  }
}

const counted = (histogram: LoadResult["latency"]) => histogram!.reduce((sum, [, n]) => sum + n, 0);

luaTest("all that is due is sent as drawn, answered and counted by each clock", async () => {
  const asked: string[] = [];
  const held = await loaded((request, reply, body) => {
    asked.push(`${request.method} ${request.url} ${body}`);
    reply.writeHead(request.url === "/none" ? 404 : 201).end("ok");
  }, {
    requests: 200,
    draws: { id: { kind: "uniform", below: 1_000 } },
    mix: [
      { path: "/users/{id}", expect: [201], weight: 3 },
      { path: "/none", method: "POST", body: "hé", expect: [404], weight: 1 },
    ],
  });
  assert.equal(held.requests, 200);
  assert.equal(held.dropped, 0);
  const [{ unanswered, stuck, replies }] = held.byConnection as [NonNullable<LoadResult["byConnection"]>[number]];
  assert.deepEqual([unanswered, stuck, replies![0] > 0, replies![2] <= 200], [0, 0, true, true]);
  const none = asked.filter((line) => line === "POST /none hé").length;
  assert.deepEqual(held.threads[0]!.sent, [200 - none, none]);
  assert.ok(none > 20 && none < 80, `${none} of 200 requests are a quarter`);
  assert.ok(new Set(asked).size > 100);
  assert.equal(held.errors.status, none);
  assert.equal(held.threads[0]!.errorsDue, none);
  assert.deepEqual([held.latency, held.sent!, held.late!].map(counted), [200, 200, 200]);
  assert.equal(held.threads[0]!.slots.reduce((a, b) => a + b, 0), 200);
  assert.equal(held.opened, 4);
});

/** Returns the times of a schedule in microseconds, as the generator computes them. */
function timesOf(schedule: string, perSecond: number, count: number, seed: number): number[] {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-schedule-"));
  try {
    writeFileSync(
      `${folder}/times.lua`,
      `package.path = "${GENERATORS}?.lua;" .. package.path
      local start, next_time = require("request-kit").schedule("${schedule}")
      start(${perSecond}, ${count}, ${seed})
      for _ = 1, ${count} do io.write(("%.6f\\n"):format(next_time())) end
      os.exit(0)`,
    );
    const { stdout } = spawnSync(WRK!, ["-t1", "-c1", "-d1", "-s", `${folder}/times.lua`, "http://127.0.0.1:1"]);
    return String(stdout).trim().split("\n").map(Number);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

luaTest("a fixed schedule has equal gaps, a Poisson one exponential gaps, and both exactly their rate", () => {
  const count = 50_000, meanUs = 1e6 / 20_000;
  const gapsOf = (times: readonly number[]) => times.slice(1).map((time, n) => time - times[n]!);
  assert.deepEqual(timesOf("fixed", 20_000, 5, 7), [0, 50, 100, 150, 200]);
  const times = timesOf("poisson", 20_000, count, 7), gaps = gapsOf(times);
  assert.ok(gaps.every((gap) => gap > 0));
  // All are due within their time. The mean and the standard deviation of gaps are the same: within five standard errors.
  assert.ok(times.at(-1)! < count * meanUs && times.at(-1)! > count * meanUs - 20 * meanUs);
  const error = meanUs / Math.sqrt(count);
  const deviation = standardDeviation(gaps);
  assert.ok(Math.abs(deviation - meanUs) < 5 * Math.SQRT2 * error, `standard deviation ${deviation}`);
  // Gaps above t have the share e^(-t / mean).
  for (const t of [0.1, 1, 3]) {
    const expected = Math.exp(-t), share = gaps.filter((gap) => gap > t * meanUs).length / gaps.length;
    const most = 5 * Math.sqrt(expected * (1 - expected) / count);
    assert.ok(Math.abs(share - expected) < most, `${share} of gaps above ${t} means`);
  }
  // One gap says nothing of the next.
  const next = mean(gaps.slice(1).map((gap, n) => (gap - meanUs) * (gaps[n]! - meanUs))) / deviation ** 2;
  assert.ok(Math.abs(next) < 5 / Math.sqrt(count), `correlation ${next}`);
  assert.deepEqual(timesOf("poisson", 20_000, count, 7), times, "the same seed has the same schedule");
  assert.notDeepEqual(timesOf("poisson", 20_000, 9, 8), times.slice(0, 9));
});

luaTest("all connections have one Poisson schedule between them, and its time is that of its rate", async () => {
  const sent = new Map<unknown, number>();
  const held = await loaded((request, reply) => {
    sent.set(request.socket, (sent.get(request.socket) ?? 0) + 1);
    reply.end("a");
  }, { requests: 300, perSecond: 1_000, schedule: "poisson" });
  assert.equal(sent.size, 4);
  assert.deepEqual([[...sent.values()].reduce((a, b) => a + b), held.requests, held.dropped], [300, 300, 0]);
  assert.ok(held.durationUs >= 300_000);
});

luaTest("replies end by a length, by chunks, by the end of their connection, or have no body", async () => {
  const forms: readonly ((reply: ServerResponse) => void)[] = [
    (reply) => reply.writeHead(200, { "Content-Length": 5 }).end("whole"),
    (reply) => {
      reply.writeHead(200, { Trailer: "x-sum" });
      reply.write("in ");
      setImmediate(() => {
        reply.write("pieces, one of them long: " + "x".repeat(300_000));
        reply.addTrailers({ "x-sum": "1" });
        reply.end();
      });
    },
    (reply) => {
      reply.shouldKeepAlive = false;
      reply.useChunkedEncodingByDefault = false;
      reply.writeHead(200, { Connection: "close" });
      reply.end("until the end");
    },
    (reply) => reply.writeHead(204).end(),
    (reply) => {
      reply.writeProcessing();
      reply.end("after an interim reply");
    },
  ];
  for (const [n, form] of forms.entries()) {
    const held = await loaded((_, reply) => form(reply), { requests: 30 });
    assert.equal(held.requests, 30, `form ${n}`);
    assert.deepEqual(held.errors, { connect: 0, read: 0, write: 0, status: 0, timeout: 0 }, `form ${n}`);
    assert.equal(held.opened, n === 2 ? 34 : 4, `form ${n} opened other connections`);
  }
  let n = 0;
  const mixed = await loaded((_, reply) => forms[n++ % forms.length]!(reply), { requests: 50 });
  assert.deepEqual([mixed.requests, mixed.errors.read, mixed.opened], [50, 0, 14], "one form after another");
  const head = await loaded((_, reply) => reply.writeHead(200, { "Content-Length": 9 }).end(), {
    mix: [{ path: "/", method: "HEAD", expect: [200] }],
  });
  assert.equal(head.requests, 20);
  assert.equal(head.errors.read, 0);
});

luaTest("draws begin where the plan says, whatever was drawn before, and long bodies arrive whole", async () => {
  const bodies: string[] = [];
  const held = await loaded((_, reply, body) => (bodies.push(body), reply.end("a")), {
    requests: 5,
    draws: { n: { kind: "serial", from: 100 } },
    mix: [{ path: "/", method: "POST", body: `{n} ${"x".repeat(1_000_000)}`, expect: [200] }],
  });
  assert.equal(held.requests, 5);
  assert.deepEqual(bodies.map((body) => body.length), Array(5).fill(1_000_004));
  assert.deepEqual(bodies.map(Number.parseFloat).sort(), [100, 101, 102, 103, 104]);
});

luaTest("a wait for a connection counts from when a request was due, and is not the generator's lateness", async () => {
  const held = await loaded((_, reply) => void setTimeout(() => reply.end("late"), 20), {
    ...{ requests: 20, perSecond: 1_000, connections: 1 },
  });
  // The n-th reply comes after n + 1 waits, and its request was due after n milliseconds.
  assert.ok(percentileUs(held.latency!, 1)! >= 20 * 19_000 - 19_000, "the last waited for all before it");
  assert.ok(percentileUs(held.sent!, 0)! >= 19_000);
  assert.ok(percentileUs(held.late!, 0.5)! < percentileUs(held.latency!, 0.5)!);
  assert.ok(held.durationUs >= 20 * 19_000, "the time in which all was sent");
});

luaTest("a connection that breaks, says what is no reply or never answers is an error, and is replaced", async () => {
  let n = 0;
  const broken = await loaded((_, reply) => n++ % 10 === 0 ? void reply.socket!.destroy() : void reply.end("a"), {
    requests: 40,
  });
  assert.deepEqual([broken.requests, broken.errors.read, broken.opened], [36, 4, 8]);
  const odd = await loaded((_, reply) => void reply.socket!.write("nonsense, and no reply at all\r\n\r\n"), {
    requests: 8,
  });
  assert.deepEqual([odd.requests, odd.errors.read], [0, 8]);
  // More than a process may have files open.
  const gone = await loaded(() => {}, { requests: 30_000, perSecond: 1_000_000, gone: true });
  assert.deepEqual([gone.requests, gone.errors.write], [0, 30_000]);
  n = 0;
  const silent = await loaded((_, reply) => void (n++ === 3 || reply.end("a")), { requests: 20, timeoutMs: 300 });
  assert.deepEqual([silent.requests + silent.errors.timeout!, silent.errors.timeout! > 0], [20, true]);
});

luaTest("a connection that the server ended before a request went out is opened anew, and is no error", async () => {
  const whole = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na";
  // Each connection is used twice, and is idle for long in between.
  const unsaid = await loaded((_, reply) => void reply.socket?.end(whole), {
    ...{ requests: 40, perSecond: 50, connections: 20 },
  });
  assert.deepEqual([unsaid.requests, unsaid.reopened, unsaid.opened], [40, 20, 40]);
  assert.deepEqual(unsaid.errors, { connect: 0, read: 0, write: 0, status: 0, timeout: 0 });
});

luaTest("a closed loop keeps connections busy until so many requests are answered, or time is over", async () => {
  let most = 0, busy = 0;
  const held = await loaded((_, reply) => {
    most = Math.max(most, ++busy);
    setImmediate(() => (busy--, reply.end("a")));
  }, { requests: 100, perSecond: null, connections: 4 });
  assert.deepEqual([held.requests, held.dropped, held.sent, held.opened], [100, undefined, undefined, 4]);
  assert.equal(counted(held.latency), 100);
  assert.ok(most > 1, "connections wait at the same time");
  const timed = await loaded((_, reply) => void reply.end("a"), { requests: null, perSecond: null, durationMs: 200 });
  assert.ok(timed.durationUs >= 200_000 && timed.requests > 0);
});

luaTest("the loop is compiled before the first request is due, and allocates nothing", async () => {
  let n = 0;
  const { text, requests } = await loaded((_, reply) => void reply.end("x".repeat(++n % 500)), {
    ...{ requests: 10_000, perSecond: null, connections: 20 },
    draws: { id: { kind: "zipf", below: 1_000, exponent: 1 } },
    mix: [{ path: "/users/{id}", expect: [200] }],
  });
  assert.equal(requests, 10_000);
  // Without the warm-up of the loop these are some 140 KB: half of them code, half of them numbers of code not compiled yet.
  const held = Number(/"heldKb":(-?\d+)/.exec(text)![1]);
  assert.ok(held < 90, `${held} KB for 10 000 requests`);
});

test("half a report is no result", () => {
  const plan: LoadPlan = {
    targets: [{ url: "http://127.0.0.1:1", requests: { pace: { closed: 1 }, mix: [{ path: "/", expect: [200] }] } }],
    ...{ threads: 1, durationMs: 1_000, timeoutMs: 1_000, seed: 1, load: 0 },
  };
  assert.throws(() => ontime.parse("", plan, {}), /ontime printed no result line/);
  assert.throws(() => ontime.parse('levelfield {"startedUs":1', plan, {}), /no JSON/);
});
