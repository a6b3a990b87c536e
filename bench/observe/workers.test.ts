import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { wayOn, WORKER_WAYS, type WorkerWay } from "../../servers/workers/ways.ts";
import { here } from "../../tests/record-apps.ts";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { localHost } from "../host/local-host.ts";
import type { WorkersUse } from "../record/worker-schema.ts";
import type { Running } from "./running.ts";
import { readWorkers } from "./workers.ts";

const WORK = "let sum = 0; const work = () => { for (let n = 0; n < 4e5; n++) sum += Math.sqrt(n); };";
const APP = `${WORK} export default { fetch() { work(); return new Response("done"); } };`;
const PROGRAM = `import { createServer } from "node:http"; ${WORK}
  createServer((_, response) => { work(); response.end("done"); }).listen(Number(process.env.PORT), "127.0.0.1");`;
const REQUESTS = 200;

/** What workers of an app or program did when it was asked over so many connections, each from its own client. */
const used = (kind: "app" | "command", workers: { count: number; by: WorkerWay }, connections = 10) =>
  inTemporaryFolder(async (folder): Promise<WorkersUse> => {
    const module = join(folder, "app.mjs");
    writeFileSync(module, kind === "app" ? APP : PROGRAM);
    const host = localHost();
    const spec = kind === "app"
      ? { kind, runtime: here.label, module, workers } as const
      : { kind, runtime: here.label, command: [module], ready: "/", stop: "SIGTERM", workers } as const;
    const server = await host.serve({ spec, runtime: here, cpus: null });
    assert.ok("url" in server, JSON.stringify(server));
    try {
      const reading = await readWorkers({ server } as unknown as Running, { hosts: { server: host } } as never, 600);
      const clients = Array.from({ length: connections }, () => host.client(server.url, 60_000));
      await Promise.all(clients.map(async (client) => {
        for (let n = 0; n < REQUESTS / connections; n++) assert.equal((await client.send("GET", "/")).status, 200);
        client.close();
      }));
      return await reading!.end(REQUESTS);
    } finally {
      await host.stop(server);
      await host.close();
    }
  });

const WAYS = WORKER_WAYS.filter((by) => wayOn(here.name, by) === true);

/** What workers tell sums up to the whole. Threads have others beside them that serve all: collectors of garbage, say. */
function assertWhole({ by, each, requests, cpu_ns }: WorkersUse, count: number): void {
  const told = JSON.stringify({ each, requests, cpu_ns });
  assert.equal(each.length, count, told);
  const sum = (of: (worker: WorkersUse["each"][number]) => number | null) =>
    each.reduce((all, one) => all + of(one)!, 0);
  assert.equal(sum((worker) => worker.requests), requests, told);
  const cpu = sum((worker) => worker.cpu_ns) / cpu_ns!;
  assert.ok(cpu > (by === "parallel" ? 0.9 : 0.99) && cpu < 1.01, `${cpu}: ${told}`);
}

for (const by of WAYS) {
  test(`requests of one and of two workers by ${by} are counted exactly, and their CPU time is that of the server`, async () => {
    for (const count of [1, 2]) assertWhole(await used("app", { count, by }), count);
  });

  test(`so it is of a program's, by ${by}`, { skip: by === "parallel" }, async () => {
    assertWhole(await used("command", { count: 2, by }), 2);
  });
}

test("a worker that was handed no connection is told with its nothing", async () => {
  const { each } = await used("app", { count: 2, by: "reuse-port" }, 1);
  assert.deepEqual(each.map(({ requests }) => requests).sort(), [0, REQUESTS]);
});
