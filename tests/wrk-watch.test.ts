/** What wrk tells of a load on its way, and in the end of one that is ended early. */
import assert from "node:assert/strict";
import { type AddressInfo, createServer } from "node:net";
import type { LoadPlan, SentSoFar } from "../bench/generators/generator.ts";
import { wrk } from "../bench/generators/wrk.ts";
import { startChild } from "../bench/machine/child.ts";
import { findProgram } from "../bench/machine/programs.ts";
import { programFolder } from "../bench/process/program-files.ts";
import type { RequestPlan } from "../suites/suite.ts";
import { toolTest } from "./run-bench.ts";
import { endOf } from "./testing.ts";

const REPLY = "HTTP/1.1 200 Said\r\ncontent-length: 2\r\n\r\n{}";

const requestsOver = (connections: number): RequestPlan => ({
  mix: [{ path: "/users/{id}", expect: [200] }],
  draws: { id: { kind: "uniform", below: 1_000 } },
  pace: { closed: connections },
});

/** wrk, watched while it runs against a server that answers everything, for a second or until enough was seen. */
async function watched(change: Partial<LoadPlan>, isEnough?: (seen: readonly SentSoFar[]) => boolean) {
  const listening = createServer((socket) => {
    socket.on("data", () => socket.write(REPLY));
    socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((done) => listening.listen(0, "127.0.0.1", done));
  try {
    const { port } = listening.address() as AddressInfo;
    const target = { url: `http://127.0.0.1:${port}`, requests: requestsOver(4) };
    const plan: LoadPlan = {
      targets: [target],
      threads: 2,
      durationMs: isEnough === undefined ? 1_000 : 600_000,
      timeoutMs: 60_000,
      seed: 1,
      load: 0,
      watched: true,
      ...change,
    };
    const folder = programFolder(wrk.input(plan));
    const started = performance.now();
    const child = startChild({
      file: findProgram("wrk")!,
      args: wrk.args(plan, folder.path),
      cpus: null,
      env: { PATH: process.env["PATH"]!, ...wrk.env(plan) },
      handles: folder.handles,
    });
    folder.close();
    const seen: SentSoFar[] = [];
    let over = false;
    child.onLine((line) => {
      seen.push(...[wrk.watch()(line)].filter((one) => one !== undefined));
      if (over || isEnough?.(seen) !== true) return;
      over = true;
      child.kill(wrk.endSignal);
    });
    const ended = await endOf(child);
    folder.remove();
    return { ended, seen, spentMs: performance.now() - started, result: wrk.parse(child.stdout(), plan) };
  } finally {
    await new Promise((done) => listening.close(done));
  }
}

/** What each thread told on its way. */
const byThread = (seen: readonly SentSoFar[]) =>
  [...Map.groupBy(seen, ({ thread }) => thread)].sort(([a], [b]) => a - b).map(([_, own]) => own);

/** Whether each of two threads was looked at so often. */
const looked = (times: number) => (seen: readonly SentSoFar[]) => {
  const threads = byThread(seen);
  return threads.length === 2 && threads.every((own) => own.length >= times);
};

toolTest("a watched load tells rising counts on the way, which end at what it sent in all", async () => {
  const { seen, result } = await watched({}, looked(20));
  const threads = byThread(seen);
  assert.equal(threads.length, 2);
  for (const [n, own] of threads.entries()) {
    const sent = result.threads[n]!.sent.reduce((a, b) => a + b, 0);
    assert.ok(own.length >= 20, `${own.length} looks`);
    for (let at = 1; at < own.length; at++) {
      assert.ok(own[at]!.requests > own[at - 1]!.requests && own[at]!.atUs > own[at - 1]!.atUs, JSON.stringify(own));
    }
    assert.ok(own.at(-1)!.requests <= sent, `${own.at(-1)!.requests} of ${sent}`);
    assert.ok(own.every(({ atUs }) => Math.abs(atUs / 1_000 - Date.now()) < 60_000));
  }
  assert.equal(result.latency, null);
});

toolTest("what is told first after a server stood still is what it had been sent before, to the request", async () => {
  const CONNECTIONS = 4;
  const paused = [0, 1].map(() => {
    const waiting: (() => void)[] = [], stood: { readonly atUs: number; readonly replies: number }[] = [];
    let replies = 0;
    const server = createServer((socket) => {
      socket.on("data", () => waiting.push(() => socket.write(REPLY)));
      socket.on("error", () => socket.destroy());
    });
    // Some 2 000 replies a second for 60 ms. Then none until each connection has sent its next request, and 40 ms more.
    let until = performance.now() + 60, works = true;
    const timer = setInterval(() => {
      const over = performance.now() >= until;
      if (works && over) works = false;
      else if (!works && stood.at(-1)?.replies !== replies && waiting.length === CONNECTIONS) {
        stood.push({ atUs: 1_000 * Date.now(), replies });
        until = performance.now() + 40;
      } else if (!works && over && stood.at(-1)?.replies === replies) {
        works = true;
        until = performance.now() + 60;
      }
      for (const reply of works ? waiting.splice(0, 2) : []) {
        reply();
        replies++;
      }
    }, 1);
    return { server, stood, timer };
  });
  for (const { server } of paused) await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  try {
    const [first, second] = paused.map(({ server }) => ({
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      requests: requestsOver(CONNECTIONS),
    }));
    const { seen } = await watched(
      { targets: [first!, second!] },
      (seen) => looked(1)(seen) && paused.every(({ stood }) => stood.length >= 10),
    );
    for (const [n, own] of byThread(seen).entries()) {
      const told = paused[n]!.stood.flatMap(({ atUs, replies }) => {
        const next = own.find((point) => point.atUs >= atUs + 10_000);
        return replies === 0 || next === undefined ? [] : [next.requests - replies];
      });
      assert.ok(told.length >= 5, `${told.length} times`);
      // Each reply calls for a request, and each connection has one more under way.
      assert.deepEqual(told, told.map(() => CONNECTIONS));
    }
  } finally {
    for (const { server, timer } of paused) {
      clearInterval(timer);
      await new Promise((done) => server.close(done));
    }
  }
});

toolTest("a load that is not watched prints nothing on the way", async () => {
  assert.deepEqual((await watched({ watched: false })).seen, []);
});

toolTest("SIGINT ends a load early, and it reports all it counted with the time it really ran", async () => {
  const { seen, result, spentMs, ended } = await watched({}, looked(20));
  assert.ok(result.durationUs > 0 && result.durationUs <= 1_000 * spentMs, `${result.durationUs} µs of ${spentMs} ms`);
  const sent = result.threads.flatMap((thread) => thread.sent).reduce((a, b) => a + b, 0);
  assert.ok(sent - result.requests >= 0 && sent - result.requests <= 4, `${sent} sent, ${result.requests} answered`);
  assert.deepEqual(result.errors, { connect: 0, read: 0, write: 0, status: 0, timeout: 0 });
  for (const [n, own] of byThread(seen).entries()) {
    assert.ok(own.at(-1)!.requests <= result.threads[n]!.sent.reduce((a, b) => a + b, 0));
  }
  assert.ok(typeof ended === "object" && "code" in ended && (ended.code === 0 || ended.signal === "SIGINT"));
});
