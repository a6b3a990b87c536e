/** A small part of `bench self --only fuzz`, with a fixed seed: what is sound has no fault, and each fault is found. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { exchangeAt } from "../lab/fuzz/make-exchange.ts";
import { inspectRuntime } from "../bench/runtimes/runtimes.ts";
import { fuzzApp, type FuzzedApp } from "../lab/fuzz/fuzz-app.ts";
import { fuzzApps } from "../lab/fuzz/fuzz-apps.ts";
import { RUNTIME_NAMES, type RuntimeName } from "../servers/runtime.ts";
import { runtimeAxis } from "../suites/axes.ts";
import { SUITES } from "../suites/registry.ts";
import { expectReply, type Suite } from "../suites/suite.ts";
import type { Fault } from "./fixtures/faulty-app.ts";
import { linuxTest } from "./testing.ts";

const SEED = 1;
const NO_FILES = { ready: [], failed: null, directoryOf: () => undefined };
/** An app of one route to read and one to write, and what it does wrong. */
const faulty = (fault: Fault): Suite => ({
  name: "faulty",
  title: "an app with a fault",
  axes: [runtimeAxis],
  server: ({ at }) => ({
    kind: "app",
    runtime: String(at["runtime"]),
    module: fileURLToPath(new URL("./fixtures/faulty-app.ts", import.meta.url)),
    options: { fault },
  }),
  requests: () => ({
    pace: { closed: 1 },
    mix: [{ path: "/hello/{n}", expect: [200] }, { method: "POST", path: "/write", body: '{"n":{n}}', expect: [201] }],
    draws: { n: { kind: "uniform", below: 1_000 } },
  }),
  oracle: () => ({
    alive: {
      name: "it says hello",
      async run(target) {
        await expectReply(target, { path: "/hello/1" }, { status: 200, body: "hello" });
        return 1;
      },
    },
    checks: () => [],
  }),
});

/** Fuzzes the one app of a suite. */
async function fuzz(
  suite: Suite,
  requests: number,
  runtimes: readonly RuntimeName[],
  descriptorsMs?: number,
): Promise<FuzzedApp> {
  const [app] = fuzzApps([suite]);
  return await fuzzApp(app!, {
    descriptorsMs,
    runtimes: await Promise.all(runtimes.map(inspectRuntime)),
    files: NO_FILES,
    requests,
    seed: SEED,
    stopped: () => false,
    onStart: () => {},
    progress: () => {},
  });
}

/** What was found, in one line each. */
const told = ({ faults, corpus }: FuzzedApp) =>
  faults.map(({ runtime, mutation, what, exchange }) =>
    `${runtime}, ${mutation}: ${what}: ` +
    (exchange === null ? "" : JSON.stringify(exchangeAt(corpus, SEED, exchange).bytes.slice(0, 200)))
  );

test("a sound app is found sound on every runtime", async () => {
  const found = await fuzz(faulty("none"), 400, RUNTIME_NAMES);
  assert.deepEqual(told(found), []);
  assert.deepEqual([...found.fuzzed.keys()], RUNTIME_NAMES);
  assert.equal(found.sent, 1_200);
  if (existsSync("/proc/self/status")) {
    for (const [runtime, { descriptorsLeft }] of found.fuzzed) assert.equal(descriptorsLeft, 0, runtime);
  }
});

test("every server of every suite is fuzzed, on every runtime it runs on", () => {
  const apps = fuzzApps(SUITES);
  for (const suite of SUITES) {
    const own = apps.filter((app) => app.suite === suite);
    if (["drivers", "redis", "calls", "starts", "websocket"].includes(suite.name)) {
      assert.deepEqual(own, [], "they need a service, nobody to ask them, or messages in place of requests");
      continue;
    }
    for (const { name, role, binds, values, format } of suite.axes) {
      if (role !== "contrast" || binds !== undefined || values.length === 1) continue;
      for (const value of values) {
        assert.ok(
          own.some(({ title }) => title.split(/[ +]/).includes(format(value))),
          `${suite.name} ${name} ${value}`,
        );
      }
    }
    for (const { title, points } of own) {
      const missing = RUNTIME_NAMES.filter((runtime) => !points.has(runtime));
      assert.deepEqual(missing, title === "frameworks oak" ? ["deno"] : [], title);
    }
  }
});

test("an app that answers a broken percent-encoding with 500 is found", async () => {
  const { faults } = await fuzz(faulty("encoding"), 400, ["bun"]);
  assert.equal(faults.find(({ mutation }) => /^path: .*encoding/.test(mutation))?.what, "answered 500");
});

test("an app that a body makes crash is found, with the request that did it", async () => {
  const { faults, corpus } = await fuzz(faulty("crash"), 1_500, ["node"]);
  const crash = faults.find(({ what }) => /^the server ended with/.test(what))!;
  assert.ok(crash !== undefined, JSON.stringify(faults));
  const before = Array.from({ length: 8 }, (_, n) => exchangeAt(corpus, SEED, Math.max(0, crash.exchange! - n)));
  assert.ok(before.some(({ bytes }) => bytes.includes("\r\n\r\n[[")));
});

test("an app whose answers are no longer right afterwards is found", async () => {
  const { faults } = await fuzz(faulty("forgets"), 300, ["bun"]);
  assert.deepEqual(faults.map(({ mutation }) => mutation), ["the oracle"]);
  assert.match(faults[0]!.what, /^after: GET \/hello\/1: body "forgotten", expected "hello"/);
});

linuxTest("an app that leaves descriptors open is found", async () => {
  const { fuzzed } = await fuzz(faulty("descriptors"), 300, ["deno"], 1_000);
  assert.ok(fuzzed.get("deno")!.descriptorsLeft! > 100);
});

linuxTest("an app whose memory goes on growing is found", async () => {
  const { fuzzed } = await fuzz(faulty("memory"), 400, ["bun"]);
  const { growth, sent } = fuzzed.get("bun")!;
  assert.equal(growth!.leaks, true);
  assert.ok(growth!.bytesPerRequest > 200_000, String(growth!.bytesPerRequest));
  assert.equal(sent, 1_200, "who seems to leak is asked on, to see whether it comes to rest");
});
