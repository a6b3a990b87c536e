/** A pool of a real PostgreSQL in which each request holds a connection and waits for a second one. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { silenceText } from "../bench/judge/waiting.ts";
import { waitsOf } from "../bench/machine/peers.ts";
import { findProgram } from "../bench/machine/programs.ts";
import { thisMachine } from "../bench/machine/this-machine.ts";
import { startServer, stopServer } from "../bench/process/start-server.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { fileURLToPath } from "node:url";
import { isServiceHere } from "./service-here.ts";
import { until } from "./testing.ts";

const serviceTest = isServiceHere("postgres") ? test : test.skip;

/** Takes all connections of a pool, and has as many requests wait for one more, or for a lock. */
const program = (second: string) => `
  const { Pool } = require("pg");
  const pool = new Pool({ host: "127.0.0.1", port: ${"${PORT}"}, user: "postgres", database: "postgres", max: 5 });
  const request = async () => {
    const one = await pool.connect();
    await one.query("begin");
    if (--left === 0) console.log("all are held");
    ${second}
  };
  let left = 5;
  for (let n = 0; n < 5; n++) request();
`;

serviceTest("a pool that waits for itself is told from a database that is waited for", async () => {
  const server = await startServer({
    spec: {
      kind: "service",
      name: "postgres",
      command: ["{node}", fileURLToPath(new URL("../servers/services/postgres.ts", import.meta.url))],
    },
    runtime: null,
    cpus: null,
  });
  assert.ok("url" in server, JSON.stringify(server));
  const { port, env } = server.service!;
  const said = async (second: string, isThere: (text: string) => boolean) => {
    const script = program(second).replace("${PORT}", String(port));
    const child = spawn(findProgram("node")!, ["-e", script], {
      ...{ cwd: PROJECT_ROOT, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] },
    });
    const ended = once(child, "close").then(() => assert.fail("it has ended"));
    try {
      await Promise.race([once(child.stdout!, "data"), ended]);
      let text = "";
      await until(async () => isThere(text = silenceText((await waitsOf(thisMachine(), child.pid!, undefined))!, 0)));
      return text;
    } finally {
      child.kill("SIGKILL");
      await ended.catch(() => {});
    }
  };
  try {
    const open = `and 5 connections that it opened to 127.0.0.1:${port} carry nothing`;
    const pool = await said("await pool.connect();", (text) => text.includes("5 connections"));
    assert.ok(
      pool.includes(`${open} (there they are "idle in transaction"): its requests wait for a free connection`),
      pool,
    );
    const locked = await said(
      "await one.query('select pg_advisory_xact_lock(1)');",
      (text) => text.includes("waiting"),
    );
    assert.match(locked, /"SELECT waiting".*: its requests wait for what is there$/);
  } finally {
    await stopServer(server);
  }
});
