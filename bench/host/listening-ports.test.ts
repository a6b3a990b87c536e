import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { freePort, isFree, listeningPorts, strangerOn } from "./listening-ports.ts";

const linuxTest = existsSync("/proc/net/tcp") ? test : test.skip;

async function listenOn(port: number): Promise<{ server: Server; port: number; close: () => Promise<unknown> }> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  const close = () => new Promise((closed) => server.close(closed));
  return { server, port: (server.address() as AddressInfo).port, close };
}

linuxTest("the ports a process listens on are read from the system, and who is a stranger there", async () => {
  const { port, close } = await listenOn(0);
  assert.ok(listeningPorts([process.pid]).includes(port));
  assert.equal(strangerOn(port, () => [process.pid]), undefined);
  assert.equal(strangerOn(port, () => []), process.pid);
  await close();
  assert.ok(!listeningPorts([process.pid]).includes(port));
  assert.equal(strangerOn(port, () => assert.fail("nobody listens there")), undefined);
});

test("a free port is none that is in use, and none that the system gives out by itself", async () => {
  const port = await freePort("127.0.0.1");
  const { close } = await listenOn(port);
  assert.equal(await isFree(port, "127.0.0.1"), false);
  for (let n = 0; n < 50; n++) {
    const other = await freePort("127.0.0.1");
    assert.notEqual(other, port);
    assert.ok(other < 32_768, `${other}`);
  }
  await close();
  assert.equal(await isFree(port, "127.0.0.1"), true);
});
