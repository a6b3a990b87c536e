import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { listening } from "../../tests/listening.ts";
import { runtime } from "../../tests/testing.ts";
import type { Adapter } from "../../servers/adapter.ts";
import type { RequestPlan } from "../../suites/suite.ts";
import { findProgram } from "../machine/programs.ts";
import { runCertificate } from "../process/run-certificate.ts";
import { scratchFolder } from "../process/scratch-folder.ts";
import { connect } from "./connect.ts";
import type { LoadPlan } from "./generator.ts";
import { whyNot } from "./refuse.ts";
import { GENERATORS } from "./registry.ts";

const tlsTest = findProgram("openssl") === undefined ? test.skip : test;
const NODE = fileURLToPath(new URL("../../node_modules/.bin/node", import.meta.url));
const { serve }: { serve: Adapter } = await import(`../../servers/adapters/${runtime.name}.ts`);

const planOf = (url: string, change: Partial<RequestPlan>): LoadPlan => ({
  targets: [{
    url,
    requests: {
      ...{ pace: { closed: 3 }, mix: [{ method: "POST", path: "/a", body: "hé", expect: [200] }] },
      ...change,
    },
  }],
  ...{ threads: 1, durationMs: 600_000, timeoutMs: 600_000, seed: 1, load: 0 },
});

/** What the generator prints of a load that is ended when `done` says so. */
async function printed(plan: LoadPlan, done: (end: () => void) => void): Promise<string> {
  const folder = scratchFolder("connect");
  for (const [name, text] of Object.entries(connect.input!(plan))) {
    writeFileSync(`${folder.path}/${name}`, String(text));
  }
  const child = spawn(NODE, [connect.module!, ...connect.args(plan, folder.path)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk) => text += chunk);
  done(() => child.kill("SIGINT"));
  await once(child, "close");
  rmSync(folder.path, { recursive: true });
  return text;
}

/** Loads the adapter of this runtime until it has answered so many requests. */
async function loaded(change: Partial<RequestPlan>, requests: number) {
  const { key, cert } = await runCertificate("127.0.0.1");
  const isTls = change.protocol === "https";
  const tls = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  let answered = 0, end = () => {};
  const server = await serve({
    ...{ hostname: "127.0.0.1", port: 0, protocol: change.protocol ?? "http", ...(isTls ? { tls } : {}) },
    async fetch(request) {
      const body = await request.text();
      if (++answered === requests) end();
      return new Response(body, { status: body === "hé" ? 200 : 500 });
    },
  });
  const plan = planOf(server.url, change);
  try {
    const text = await printed(plan, (stop) => end = stop);
    return { told: JSON.parse(text) as Record<string, number>, result: connect.parse(text, plan, {}) };
  } finally {
    await server.close();
  }
}

tlsTest("each connection resumes the TLS session before it, where that is asked for, on every runtime", async () => {
  const { told, result } = await loaded({ protocol: "https", connection: "resumed" }, 60);
  assert.ok(told["opened"]! >= 60 && told["resumed"] === told["opened"]! - 3, JSON.stringify(told));
  assert.ok(result.requests >= 57 && result.bytes! > result.requests * 15);
  assert.deepEqual({ ...result.errors }, { connect: 0, read: 0, timeout: 0, status: 0, write: null });
});

tlsTest("each connection is a whole handshake where nothing is to go on, and none is one without TLS", async () => {
  for (const protocol of ["https", "http"] as const) {
    const { told, result } = await loaded({ protocol, connection: "new" }, 30);
    assert.ok(told["resumed"] === 0 && told["opened"]! >= 30 && result.requests >= 27, JSON.stringify(told));
    assert.equal(result.errors.status, 0);
  }
});

test("connections that are closed without a reply are errors, and no replies", async () => {
  let asked = 0, end = () => {};
  const server = createServer((request) => {
    request.socket.destroy();
    if (++asked === 20) end();
  });
  const { errors, requests } = await listening(server, async (url) => {
    const plan = planOf(url, { connection: "new" });
    return connect.parse(await printed(plan, (stop) => end = stop), plan, {});
  });
  assert.deepEqual([errors.connect, errors.timeout, requests], [0, 0, 0]);
  assert.ok(errors.read! >= 17, JSON.stringify(errors));
});

test("a server that lets no session go on is said to, and nothing is measured", () => {
  const plan = planOf("https://127.0.0.1:1", { protocol: "https", connection: "resumed" });
  const report = (resumed: number) =>
    JSON.stringify({
      ...{ durationUs: 1e6, requests: 100, bytes: 1, opened: 103, resumed },
      ...{ connect: 0, read: 0, timeout: 0, status: 0 },
    });
  assert.equal(connect.parse(report(90), plan, {}).requests, 100);
  assert.throws(
    () => connect.parse(report(89), plan, {}),
    /^Error: the server let 89 of 103 connections go on with an earlier session of TLS$/,
  );
  assert.throws(() => connect.parse("", plan, {}), /^Error: connect printed nothing$/);
});

test("what connect is for no other generator does, and it does nothing else", () => {
  const why = (name: string, change: Partial<RequestPlan>) =>
    whyNot(GENERATORS[name] ?? connect, planOf("", change).targets[0].requests);
  const resumed = { protocol: "https", connection: "resumed" } as const;
  assert.equal(why("connect", resumed), null);
  assert.equal(why("connect", { connection: "new" }), null);
  assert.match(why("connect", {})!, /^connect keeps no connections: --generator wrk$/);
  assert.match(why("connect", { ...resumed, protocol: "http" })!, /^only HTTP\/1\.1 over TLS has sessions/);
  assert.match(why("connect", { ...resumed, protocol: "h2" })!, /^connect does not speak h2/);
  for (const name of ["wrk", "h2load"]) {
    assert.match(why(name, resumed)!, /does not go on with a session of TLS in each connection: --generator connect$/);
  }
});
