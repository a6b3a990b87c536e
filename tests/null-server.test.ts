/** The server that does nothing, which generators' ceilings are found with. */
import assert from "node:assert/strict";
import { nullServer, wrk } from "../bench/generators/wrk.ts";
import { startChild } from "../bench/machine/child.ts";
import { findProgram } from "../bench/machine/programs.ts";
import { freePort } from "../bench/machine/listening-ports.ts";
import { countOf } from "../bench/statistics/latency-histogram.ts";
import type { RequestPlan, ServerSpec } from "../suites/suite.ts";
import { toolTest } from "./run-bench.ts";
import { assertSound, loadOf } from "./message-server.ts";
import { curl } from "./server-client.ts";
import { startWrk } from "./started-wrk.ts";
import { endOf, until } from "./testing.ts";

/** Starts it, on a port that may be taken. */
function started(port: number, requests: Pick<RequestPlan, "websocket"> = {}) {
  const spec = nullServer(findProgram("wrk")!, requests) as Extract<ServerSpec, { kind: "command" }>;
  const [file, ...args] = spec.command.map((part) =>
    part.replace("{host}", "127.0.0.1").replace("{port}", String(port))
  ) as [string, ...string[]];
  return startChild({ file, args, cpus: null, env: { PATH: process.env["PATH"]! } });
}

/** Starts it on a free port, on another one where somebody takes that first, and waits until it answers. */
async function withNullServer(
  work: (url: string, port: number) => Promise<void>,
  requests: Pick<RequestPlan, "websocket"> = {},
): Promise<void> {
  const port = await freePort("127.0.0.1");
  const child = started(port, requests);
  let over = false;
  void child.ended.finally(() => over = true);
  const url = `http://127.0.0.1:${port}`;
  try {
    const answers = async () => over || (await curl(url, "GET", "/").catch(() => undefined))?.status === 200;
    await until(answers, { there: child.stderrTail });
    if (!over) return await work(url, port);
    assert.match(child.stderrTail(), /bind failed/);
  } finally {
    child.kill("SIGTERM");
    await endOf(child);
  }
  await withNullServer(work, requests);
}

toolTest("the server that does nothing answers whatever is asked with the same two bytes, bodies read", async () => {
  await withNullServer(async (url) => {
    for (const path of ["/", "/users/1"]) assert.deepEqual(await curl(url, "GET", path), { status: 200, body: "{}" });
    assert.deepEqual(await curl(url, "POST", "/", { body: "x".repeat(10_000) }), { status: 200, body: "{}" });
  });
});

toolTest("the server that does nothing answers wrk's requests, those with a body too, one reply each", async () => {
  await withNullServer(async (url) => {
    const body = `{"text":"${"x".repeat(500)}","n":{n}}`;
    const requests: RequestPlan = {
      pace: { closed: 50 },
      mix: [
        { path: "/{n}", weight: 100, expect: [200] },
        { method: "POST", path: "/", weight: 100, body, expect: [200] },
        { method: "POST", path: "/", body: "x".repeat(1_000_000), expect: [200] },
      ],
      draws: { n: { kind: "uniform", below: 1_000 } },
    };
    // It says on the way how many it sent, so that it ends by a count.
    const { child, plan, remove } = startWrk({ targets: [{ url, requests }] }, { LEVELFIELD_WATCH: "1" });
    child.onLine((line) => {
      if ((wrk.watch()(line)?.requests ?? 0) >= 3_000) child.kill(wrk.endSignal);
    });
    const ended = await endOf(child);
    assert.equal("code" in ended && ended.code, 0, child.stderrTail());
    remove();
    const result = wrk.parse(child.stdout(), plan);
    const { sent } = result.threads[0]!;
    assert.ok(sent.every((count, n) => count > (n === 2 ? 0 : 1_000)), sent.join());
    const open = sent[0]! + sent[1]! + sent[2]! - result.requests;
    assert.ok(open >= 0 && open <= 50, `${open} without a reply`);
    assert.deepEqual(result.errors, { connect: 0, read: 0, write: 0, status: 0, timeout: 0 });
    assert.equal(countOf(result.latency!), result.requests);
  });
});

toolTest("a server that does nothing ends in one line where its port is taken", async () => {
  await withNullServer(async (_, port) => {
    const child = started(port), ended = await endOf(child);
    assert.equal("code" in ended && ended.code, 1);
    assert.match(child.stderrTail(), /^null server: bind failed with error \d+$/);
  });
});

toolTest("the server that does nothing sends messages back whatever their length and mask", async () => {
  await withNullServer(async (url) => {
    for (const seed of [1, 2, 3, 4]) {
      for (const length of [8, 61, 300, 70_000]) {
        const message = "00000000".padEnd(length, "é");
        assertSound((await loadOf([url], { seed, message, inFlight: length % 16 + 1 })).result);
      }
    }
  }, { websocket: { inFlight: 1 } });
});

toolTest("the server that does nothing sends a message to all connections of a path, and to no other", async () => {
  await withNullServer(async (url) => {
    for (const inFlight of [1, 16]) {
      assertSound((await loadOf([url], { connections: 9, members: 3, path: "/room/00000000", inFlight })).result);
    }
  }, { websocket: { inFlight: 1, members: 3 } });
});
