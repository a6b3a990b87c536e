import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createServer, type ListenOptions } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { freePort } from "../machine/listening-ports.ts";
import { failureText } from "../basics/failures.ts";
import { listensElsewhere } from "./listens-elsewhere.ts";

const linuxTest = existsSync("/proc/net/unix") ? test : test.skip;
const hasIpv6 = Object.values(networkInterfaces()).flat().some((one) => one?.address === "::1");

/** Where this process is seen to listen in place of a port while it listens as told. */
async function seen(at: ListenOptions, port: number): Promise<string | null> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(at, listening));
  try {
    const elsewhere = listensElsewhere([process.pid], "127.0.0.1", port);
    return elsewhere && failureText(elsewhere);
  } finally {
    await new Promise((closed) => server.close(closed));
  }
}

linuxTest("a server that listens elsewhere is told where, and which option helps", async () => {
  const [port, other] = [await freePort("127.0.0.1"), await freePort("127.0.0.1")];
  assert.equal(
    await seen({ port: other, host: "127.0.0.1" }, port),
    `it listens on port ${other} instead of ${port}: --port ${other} if it always does`,
  );
  assert.equal(
    await seen({ port, host: hasIpv6 ? "::1" : "127.0.0.2" }, port),
    `it listens on ${hasIpv6 ? "[::1]" : "127.0.0.2"} and not on 127.0.0.1: ` +
      "have it listen on process.env.HOST, or put {host} in its words",
  );
  assert.equal(await seen({ port, host: "127.0.0.1" }, port), null);
  assert.equal(await seen({ port, host: "0.0.0.0" }, port), null);
  await inTemporaryFolder(async (folder) => {
    const path = join(folder, "a.sock");
    assert.equal(
      await seen({ path }, port),
      `it listens on the socket ${path}: have it listen on a port, as PORT says`,
    );
  });
});
