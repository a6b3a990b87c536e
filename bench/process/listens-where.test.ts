import assert from "node:assert/strict";
import { createServer, type ListenOptions } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { inTemporaryFolder, linuxTest } from "../../tests/testing.ts";
import { failureText } from "../basics/failures.ts";
import { freePort } from "../machine/listening-ports.ts";
import { listensElsewhere, programPortFinder } from "./listens-where.ts";

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

test("a program is asked at the port in PORT where it listens there, or where nobody can see it", () => {
  assert.deepEqual(programPortFinder(3000)([9229, 3000], 0), { port: 3000 });
  assert.deepEqual(programPortFinder(3000)([], 0), { port: 3000 });
});

test("another port counts once it has stayed the only one, and two say nothing", () => {
  const find = programPortFinder(3000);
  assert.deepEqual(find([9229], 10_000), { port: null }, "what listens besides may come first");
  assert.deepEqual(find([9229], 11_000), { port: null });
  assert.deepEqual(find([8080, 9229], 13_000), { port: null }, "another comes, and counts anew");
  const two = find([8080, 9229], 15_000);
  assert.ok("failure" in two);
  assert.deepEqual(two.failure, { code: "listens-on-several", facts: { ports: [8080, 9229], wanted: 3000 } });
  assert.equal(
    failureText(two.failure),
    "it listens on ports 8080, 9229, and on 3000 of PORT it does not: say which with --port",
  );
  assert.deepEqual(find([8080], 15_000), { port: null });
  assert.deepEqual(find([8080], 17_000), { port: 8080 });
  assert.deepEqual(find([8080, 3000], 17_000), { port: 3000 });
});
