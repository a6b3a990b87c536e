import assert from "node:assert/strict";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type ServerProcess, startServer, stopServer } from "../bench/host/server-process.ts";
import { inTemporaryFolder } from "./testing.ts";

const linuxTest = existsSync("/proc/self/environ") ? test : test.skip;

const start = (name: string, ...args: string[]) =>
  startServer({
    spec: {
      kind: "service",
      name,
      command: ["{node}", fileURLToPath(new URL(`../servers/services/${name}.ts`, import.meta.url)), ...args],
    },
    runtime: null,
    cpus: null,
  });

/** What a service has left behind; a PostgreSQL may have been where root's folders are not. */
const leftBy = (name: string, pid: number | null) =>
  [...new Set(["/tmp", tmpdir()])].flatMap((folder) => readdirSync(folder)).filter((own) =>
    own.startsWith(`levelfield-${name}-${pid}-`)
  );

/** A service that was stopped had no complaint. */
async function assertEndedWell({ child }: ServerProcess): Promise<void> {
  assert.deepEqual([await child!.ended, child!.stderrTail()], [{ code: 0, signal: null }, ""]);
}

/** What a server answers to bytes, until a text has come. */
function answer(url: string, bytes: string | Uint8Array, last: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    let text = "";
    const socket = connect(Number(port), hostname).setEncoding("latin1").on("error", reject).on("data", (part) => {
      text += part;
      if (text.includes(last)) resolve(text), socket.destroy();
    });
    socket.write(bytes);
  });
}

linuxTest("a PostgreSQL of its own has the tables it was given, tells its settings, and leaves nothing", async () => {
  await inTemporaryFolder(async (folder) => {
    const file = join(folder, "world");
    writeFileSync(file, "id int4\tnote text\n1\ta\n2\tb\\tc\n");
    const server = await start("postgres", "--table", `world=${file}`);
    if ("unsupported" in server) return assert.match(server.unsupported, /postgres/i);
    assert.ok("url" in server, JSON.stringify(server));
    try {
      assert.match(server.service!.version, /^\d+\.\d+$/);
      assert.equal(server.service!.facts["fsync"], "on");
      assert.equal(leftBy("postgres", server.pid).length, 1);
      const parameters = "user\0postgres\0database\0postgres\0\0";
      const length = (n: number) => [n >> 24, n >> 16 & 255, n >> 8 & 255, n & 255];
      const query = "SELECT note FROM world ORDER BY id DESC\0";
      const said = Uint8Array.from([
        ...length(8 + parameters.length),
        ...[0, 3, 0, 0],
        ...new TextEncoder().encode(parameters),
        ...[81, ...length(4 + query.length)],
        ...new TextEncoder().encode(query),
      ]);
      assert.match(await answer(server.url, said, "SELECT 2"), /b\tc[^]*a[^]*SELECT 2/);
    } finally {
      await stopServer(server);
    }
    await assertEndedWell(server);
    assert.deepEqual(leftBy("postgres", server.pid), []);
    assert.equal(existsSync(`/proc/${server.pid}/exe`), false);
  });
});

linuxTest("a Redis of its own has the keys it was given, and leaves nothing", async () => {
  const server = await start("redis", "--keys", "1200", "--value-bytes", "20");
  if ("unsupported" in server) return assert.match(server.unsupported, /redis/i);
  assert.ok("url" in server, JSON.stringify(server));
  try {
    assert.match(server.service!.version, /^\d+\.\d+\.\d+$/);
    assert.equal(server.service!.facts["appendonly"], "no");
    assert.equal(await answer(server.url, "GET key:1199\r\n", "ke\r\n"), "$20\r\nkey:1199:key:1199:ke\r\n");
  } finally {
    await stopServer(server);
  }
  await assertEndedWell(server);
  assert.deepEqual(leftBy("redis", server.pid), []);
});
