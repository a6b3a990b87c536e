/** What servers without replies wait for, by real processes and sockets. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { listening } from "../../tests/listening.ts";
import { findProgram } from "./programs.ts";
import { peersAmong, type Waits, waitsOf } from "./peers.ts";
import { thisMachine } from "./this-machine.ts";
import { linuxTest } from "../../tests/testing.ts";

/** Looks at a process of Node that runs a script once it says that it is ready. */
async function looked(script: string): Promise<Waits> {
  const child = spawn(findProgram("node")!, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close").then(() => assert.fail("it has ended"));
  try {
    await Promise.race([once(child.stdout!, "data"), ended]);
    return (await waitsOf(thisMachine(), child.pid!, undefined))!;
  } finally {
    ended.catch(() => {});
    child.kill("SIGKILL");
  }
}

linuxTest("connections of an idle pool carry nothing, those of a server's clients are none of it", async () => {
  const database = createServer(() => {});
  await listening(database, async (_, port) => {
    const { busy, peers } = await looked(`
      const net = require("node:net");
      let open = 0;
      const server = net.createServer().listen(0, "127.0.0.1", () => {
        net.connect(server.address().port, "127.0.0.1");
        for (let n = 0; n < 3; n++) net.connect(${port}, "127.0.0.1", () => ++open === 3 && console.log("ready"));
      });`);
    assert.ok(busy < 1);
    assert.deepEqual(peers.filter(({ to }) => to === `127.0.0.1:${port}`), [
      { to: `127.0.0.1:${port}`, connections: 3, states: [] },
    ]);
  });
});

linuxTest("a server that computes uses its core, and has no such connections", async () => {
  const { busy, peers } = await looked("console.log(1); setTimeout(() => { for (;;); }, 1)");
  assert.ok(busy > 0, String(busy));
  assert.deepEqual(peers, []);
});

test("processes that name a client's port in their titles say what they do for it", () => {
  const sockets = [4711, 4712, 4713].map((port) => ({
    port,
    remote: port === 4713 ? "0100007F:18EB" : "0100007F:1538",
  }));
  const titles = [
    "postgres: u db 127.0.0.1(4711) idle",
    "postgres: u db 127.0.0.1(4712) UPDATE waiting",
    "node (4713) idle",
  ];
  assert.deepEqual(peersAmong(sockets, titles), [
    { to: "127.0.0.1:5432", connections: 2, states: ["UPDATE waiting", "idle"] },
    { to: "127.0.0.1:6379", connections: 1, states: [] },
  ]);
});
