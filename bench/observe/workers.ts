import { cpuNs, cpuNsByWorker } from "./counters/cpu-time.ts";
import type { WorkersUse } from "../record/server-schema.ts";
import type { Running } from "./running.ts";
import type { Site } from "./site.ts";

/** The number of readings of workers' CPUs in a load. */
const LOOKS = 6;

/**
 * Reads what the workers of a server have used and counted so far; the function it returns gives the difference since. Null of a server
 * by itself.
 *
 * @param durationMs of the load that follows
 */
export async function readWorkers({ server }: Running, { hosts }: Pick<Site, "hosts">, durationMs: number) {
  const { workers, pid, mark } = server;
  if (workers === undefined || pid === null) return null;
  const { server: host } = hosts;
  const whole = async () => (await host.sample({ pids: [pid], what: "processes" })).processes[0]!;
  const workersHere = await host.workersAt({ control: workers.control, pid, mark });
  const before = await whole();
  const seen = workersHere.map(() => new Set<number>());
  const look = (uses: Awaited<ReturnType<typeof host.workersUse>>) =>
    uses.forEach(({ cpu }, n) => cpu === null ? undefined : seen[n]!.add(cpu));
  let looks: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    looks = host.workersUse(workersHere).then(look, () => {});
  }, durationMs / LOOKS);
  timer.unref();
  return {
    /** @param requests the server was sent meanwhile */
    async end(requests: number): Promise<WorkersUse> {
      clearInterval(timer);
      await looks;
      const [after, uses] = [await whole(), await host.workersUse(workersHere)];
      const used = cpuNsByWorker(before, after, workersHere, workers.by === "parallel" ? "threads" : "processes");
      const counts = new Map(
        (await host.workersAt({ control: workers.control, pid, mark })).map((one) => [one.tid, one.requests]),
      );
      const each = workersHere.map(({ tid, requests: from }, n) => {
        const to = counts.get(tid) ?? null;
        return {
          requests: from === null || to === null ? null : to - from,
          cpu_ns: used.each[n]!,
          cpus: [...seen[n]!].sort((a, b) => a - b),
          bytes: uses[n]!.bytes,
        };
      });
      // A process without a port may be no worker: one that only starts the others is idle.
      const idle = workers.control === null ? each.filter(({ cpu_ns }) => cpu_ns! <= IDLE * 1e6 * durationMs) : [];
      return {
        by: workers.by,
        requests,
        cpu_ns: cpuNs(before, after),
        beside_ns: used.besideNs === null ? null : idle.reduce((sum, { cpu_ns }) => sum + cpu_ns!, used.besideNs),
        each: each.filter((one) => !idle.includes(one)),
      };
    },
    stop: () => clearInterval(timer),
  };
}

/** Busy share of a CPU below which a process that reports nothing is no worker. */
const IDLE = 0.01;
