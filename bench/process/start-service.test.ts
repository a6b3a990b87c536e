import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { PATIENCE_MS } from "../../tests/patience.ts";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { findProgram } from "../machine/programs.ts";
import { countsAt } from "./workers.ts";
import { startServer, stopServer } from "./start-server.ts";

const linuxTest = existsSync("/proc/self/environ") && findProgram("setsid") !== undefined ? test : test.skip;

/** A service of a few words of JavaScript. */
async function started(code: string, readyMs = PATIENCE_MS) {
  return await inTemporaryFolder(async (folder) => {
    const file = join(folder, "service.mjs");
    writeFileSync(file, code);
    const spec = { kind: "service", name: "made-up", command: ["{node}", file] } as const;
    return await startServer({ spec, runtime: null, cpus: null, readyMs });
  });
}

const LISTENS =
  'import { createServer } from "node:net"; const n = createServer((s) => s.end(`{"messages":3,"why":"no"}`));';
const READY = '(port) => `{"event":"ready","port":${port},"version":"1","facts":{"a":"b"},"counts":${port}}`';

linuxTest("a service says where it listens and what it is, tells its counts, and ends with its server", async () => {
  const server = await started(
    `${LISTENS} n.listen(0, process.env.HOST, () => console.log((${READY})(n.address().port)));`,
  );
  assert.ok("url" in server, JSON.stringify(server));
  const { service } = server;
  assert.deepEqual(service, {
    event: "ready",
    port: Number(new URL(server.url).port),
    version: "1",
    facts: { a: "b" },
    counts: service!.port,
  });
  assert.deepEqual(await countsAt(service!.counts!), { messages: 3 });
  await stopServer(server);
  assert.equal(existsSync(`/proc/${server.pid}/exe`), false);
  assert.equal(await countsAt(service!.counts!), null, "nobody tells any more");
});

linuxTest("a service that cannot be is unsupported, and one that fails says its own last words", async () => {
  const line = '{"event":"unsupported","message":"it is not installed"}';
  assert.deepEqual(await started(`console.log('${line}'); setInterval(() => {}, 1e3);`), {
    unsupported: 'service "made-up": it is not installed',
  });
  const dies = await started('console.error("no place on the disk"); process.exit(7);');
  assert.ok("failed" in dies);
  assert.equal(dies.failed.code, "service-failed");
  assert.equal(dies.failed.text, 'service "made-up": ended with exit 7: no place on the disk');
  const n = createServer().listen(0, "127.0.0.1");
  const odd = await started('console.log("hello"); setInterval(() => {}, 1e3);');
  assert.ok("failed" in odd);
  assert.match(odd.failed.text, /"hello" does not say that it is ready/);
  const nearly = await started(
    'console.log(\'{"event":"ready","port":"x","env":{"A":"secret"}}\'); setInterval(() => {}, 1e3);',
  );
  assert.ok("failed" in nearly);
  assert.match(nearly.failed.text, /its line of JSON does not say that it is ready/);
  assert.ok(!JSON.stringify(nearly).includes("secret"));
  const { port } = n.address() as { port: number };
  const other = await started(`console.log((${READY})(${port})); setInterval(() => {}, 1e3);`);
  n.close();
  assert.ok("failed" in other);
  assert.equal(
    other.failed.text,
    `service "made-up": port ${port} is held by process ${process.pid}, which it did not start`,
  );
  const slow = await started("setInterval(() => {}, 1e3);", 300);
  assert.ok("failed" in slow);
  assert.match(slow.failed.text, /not ready after 0.3 s/);
});
