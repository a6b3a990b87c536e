import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { wayOn, WORKER_WAYS, type WorkerWay } from "../../servers/workers/ways.ts";
import { here } from "../../tests/record-apps.ts";
import { PATIENCE_MS } from "../../tests/patience.ts";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { localHost } from "../pipe/local-host.ts";
import { type ProcessSample, valueOf } from "../record/samples.ts";
import type { WorkersUse } from "../record/server-schema.ts";
import type { Running } from "./running.ts";
import { readWorkers } from "./workers.ts";

const WORK = "let sum = 0; const work = () => { for (let n = 0; n < 1e6; n++) sum += Math.sqrt(n); };";
const APP = `${WORK} export default { fetch() { work(); return new Response("done"); } };`;
const PROGRAM = `import { createServer } from "node:http"; ${WORK}
  createServer((_, response) => { work(); response.end("done"); }).listen(Number(process.env.PORT), "127.0.0.1");`;
const REQUESTS = 50;
/** The kernel tells user and system time in ticks of 10 ms, each cut off at both readings: with one of grace, of a process. */
const TICKS_NS = 3 * 10e6;

interface Seen {
  readonly use: WorkersUse;
  /** By the kernel's count in the readings the use was made of: all processes, and the one that was started. */
  readonly ticksNs: number;
  readonly starterNs: number;
  /** To the nanosecond, of threads that were still there. */
  readonly livingNs: number;
  readonly processes: number;
}

/** Says at a control port what a worker says there, as any user of the machine may, and waits until it is hung up on. */
const saysItIsWorker = (control: number) =>
  new Promise<void>((resolve) =>
    void connect(control, "127.0.0.1").on("error", () => {}).on("close", () => resolve())
      .write(`${JSON.stringify({ pid: process.pid, tid: process.pid, ready: { schema: "levelfield.ready/2" } })}\n`)
  );

/** What workers of an app or program did when it was asked so often, each time over a new connection. */
const used = (kind: "app" | "command", workers: { count: number; by: WorkerWay }, requests = REQUESTS) =>
  inTemporaryFolder(async (folder): Promise<Seen> => {
    const module = join(folder, "app.mjs");
    writeFileSync(module, kind === "app" ? APP : PROGRAM);
    const host = localHost();
    const samples: ProcessSample[] = [];
    const seeing = Object.assign(Object.create(host), {
      async sample(wish: Parameters<typeof host.sample>[0]) {
        const read = await host.sample(wish);
        samples.push(valueOf(read.processes[0]!)!);
        return read;
      },
    });
    const spec = kind === "app"
      ? { kind, runtime: here.label, module, workers } as const
      : { kind, runtime: here.label, command: [module], ready: "/", stop: "SIGTERM", workers } as const;
    const server = await host.serve({ spec, runtime: here, cpus: null, readyMs: PATIENCE_MS });
    assert.ok("url" in server, JSON.stringify(server));
    try {
      const control = server.workers!.control!;
      await saysItIsWorker(control);
      assert.equal((await host.workersAt({ control, pid: server.pid! })).length, workers.count);
      const reading = await readWorkers({ server } as unknown as Running, { hosts: { server: seeing } } as never, 600);
      const left = Array.from({ length: requests }, (_, n) => n);
      await Promise.all(Array.from({ length: 10 }, async () => {
        while (left.pop() !== undefined) {
          // Servers close a connection that others kept waiting for some seconds.
          const client = host.client(server.url, PATIENCE_MS);
          assert.equal((await client.send("GET", "/")).status, 200);
          client.close();
        }
      }));
      const use = await reading!.end(requests);
      const [from, to] = samples as [ProcessSample, ProcessSample];
      const ofStarter = ({ processes }: ProcessSample) => processes!.get(server.pid!)!.tickNs;
      return {
        use,
        ticksNs: to.tickNs - from.tickNs,
        starterNs: ofStarter(to) - ofStarter(from),
        livingNs: [...to.threads].reduce(
          (sum, [tid, { cpuNs }]) => sum + cpuNs - (from.threads.get(tid)?.cpuNs ?? 0),
          0,
        ),
        processes: to.processes!.size,
      };
    } finally {
      await host.stop(server);
      await host.close();
    }
  });

const WAYS = WORKER_WAYS.filter((by) => wayOn(here.name, by) === true);

/** What workers tell, and what is reported next to them, sums up to the whole. */
function assertWhole({ use, ticksNs, starterNs, livingNs, processes }: Seen, count: number): void {
  const { by, each, requests, cpu_ns, beside_ns } = use;
  const told = JSON.stringify({ use, ticksNs, starterNs, livingNs, processes });
  assert.equal(each.length, count, told);
  const sum = (of: (worker: WorkersUse["each"][number]) => number | null) =>
    each.reduce((all, one) => all + of(one)!, 0);
  assert.equal(sum((worker) => worker.requests), requests, told);
  for (const worker of each) assert.ok(worker.requests === 0 || worker.cpu_ns! > 0, told);
  const parts = sum((worker) => worker.cpu_ns) + beside_ns!;
  for (const whole of [cpu_ns!, ticksNs]) assert.ok(Math.abs(parts - whole) <= TICKS_NS * processes, told);
  assert.ok(parts >= livingNs, told);
  // Where workers are processes nothing else is next to them.
  if (by !== "parallel") assert.ok(Math.abs(beside_ns! - starterNs) <= TICKS_NS, told);
}

for (const by of WAYS) {
  test(`requests of one and of two workers by ${by} are counted exactly, and their CPU time and what is beside it is that of the server`, async () => {
    for (const count of [1, 2]) assertWhole(await used("app", { count, by }), count);
  });

  test(`so it is of a program's, by ${by}`, { skip: by === "parallel" }, async () => {
    assertWhole(await used("command", { count: 2, by }), 2);
  });
}

test("a worker that was handed no connection is told with its nothing", async () => {
  const { each } = (await used("app", { count: 2, by: "reuse-port" }, 1)).use;
  assert.deepEqual(each.map(({ requests }) => requests).sort(), [0, 1]);
});
