import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { withServer } from "../../tests/server-client.ts";
import { PATIENCE_MS } from "../../tests/patience.ts";
import { inTemporaryFolder, until } from "../../tests/testing.ts";
import { localHost } from "../pipe/local-host.ts";
import { inspectGenerator } from "../observe/equip.ts";
import { startLoad } from "../observe/load-process.ts";
import type { LoadPlan, SentSoFar } from "./generator.ts";
import { inProcess } from "./in-process.ts";

const APP = fileURLToPath(new URL("../../servers/calls/app.ts", import.meta.url));

/** Starts a load on a server of calls, with what it tells on the way. */
const withLoad = (
  change: Partial<LoadPlan>,
  work: (load: Awaited<ReturnType<typeof startLoad>>, told: SentSoFar[], pid: number) => Promise<void>,
) =>
  inTemporaryFolder(async (folder) => {
    const calls = join(folder, "calls.mjs");
    writeFileSync(calls, "export const add = (n) => n + 1; export const inputs = [1, 2];");
    const options = JSON.stringify({ calls, call: "add", atOnce: 1 });
    await withServer(["--module", APP, "--options", options], async ({ ready }) => {
      const host = localHost(), told: SentSoFar[] = [];
      const requests = { calls: true, pace: { closed: 1 }, mix: [{ path: "/results", expect: [200] }] } as const;
      const plan: LoadPlan = {
        targets: [{ url: ready.url, requests }],
        threads: 1,
        durationMs: 500,
        timeoutMs: PATIENCE_MS,
        seed: 1,
        load: 0,
        watched: true,
        ...change,
      };
      const site = {
        hosts: { load: host },
        tool: await inspectGenerator(inProcess),
        placement: { loadCpus: null },
        priority: { nice: null },
        onStart: () => {},
      };
      const load = await startLoad(site, plan, (sent) => told.push(sent));
      try {
        await work(load, told, ready.pid);
      } finally {
        await load.end();
        await load.result;
      }
    });
  });

test("calls of a server are counted, told on the way, and add up over the slots", async () => {
  await withLoad({}, async ({ result }, told) => {
    const made = await result;
    assert.ok(!("failed" in made), JSON.stringify(made));
    const [thread] = made.threads;
    assert.ok(made.requests > 0 && made.durationUs > 400_000);
    assert.equal(thread!.slots.reduce((sum, one) => sum + one, 0), made.requests);
    assert.equal(thread!.slots.length, Math.ceil(made.durationUs / made.slotUs));
    assert.deepEqual(thread!.sent, [made.requests]);
    assert.equal(told.at(-1)!.requests, made.requests);
    assert.ok(
      told.every(({ requests, atUs }, n) => n === 0 || requests > told[n - 1]!.requests && atUs > told[n - 1]!.atUs),
    );
  });
});

test("a load ends when it is told to, also while its server stands still", async () => {
  await withLoad({ durationMs: 60_000 }, async ({ result, end }, told, pid) => {
    await until(() => told.length >= 3);
    process.kill(pid, "SIGSTOP");
    try {
      await end();
      const made = await result;
      assert.ok(!("failed" in made) && made.requests >= told[2]!.requests, JSON.stringify(made));
    } finally {
      process.kill(pid, "SIGCONT");
    }
  });
});

test("a load on a server that takes no call from the start ends when it is told to", async () => {
  const asked = Promise.withResolvers<void>();
  const silent = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => asked.resolve());
  });
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const requests = { calls: true, pace: { closed: 1 }, mix: [{ path: "/results", expect: [200] }] } as const;
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  try {
    await withLoad({ targets: [{ url, requests }], durationMs: 4 * PATIENCE_MS }, async ({ result, end }) => {
      await asked.promise;
      await end();
      const made = await result;
      assert.ok(!("failed" in made), JSON.stringify(made));
      assert.equal(made.requests, 0);
    });
  } finally {
    silent.close();
  }
});

test("a load that is told to end while its caller still starts reports that nothing was called", async () => {
  await withLoad({ durationMs: 60_000 }, async ({ result, end }) => {
    await end();
    const made = await result;
    assert.ok(!("failed" in made), JSON.stringify(made));
  });
});

test("a server that is not there is an error of a connection", async () => {
  const requests = { calls: true, pace: { closed: 1 }, mix: [{ path: "/results", expect: [200] }] } as const;
  await withLoad({ targets: [{ url: "http://127.0.0.1:1", requests }] }, async ({ result }) => {
    const made = await result;
    assert.ok(!("failed" in made), JSON.stringify(made));
    assert.deepEqual([made.requests, made.errors.connect], [0, 1]);
  });
});
