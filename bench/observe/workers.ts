import { cpuNs } from "../core/cpu-time.ts";
import type { WorkersUse } from "../record/worker-schema.ts";
import type { Running } from "./running.ts";
import type { Site } from "./site.ts";

/** Looks at where workers run, in one load. */
const LOOKS = 6;

/**
 * Reads what the workers of a server have used and counted so far; what this gives tells what they did since. Null of a server
 * by itself.
 *
 * @param durationMs of the load that follows
 */
export async function readWorkers({ server }: Running, { hosts }: Pick<Site, "hosts">, durationMs: number) {
  const { workers, pid, mark } = server;
  if (workers === undefined || pid === null) return null;
  const { server: host } = hosts;
  const whole = () => host.sample({ pids: [pid], what: "processes" });
  const told = await host.workersAt({ control: workers.control, pid, mark });
  const [before, treeBefore] = [await host.workersUse(told), await whole()];
  const seen = told.map(() => new Set<number>());
  const look = (uses: Awaited<ReturnType<typeof host.workersUse>>) =>
    uses.forEach(({ cpu }, n) => cpu === null ? undefined : seen[n]!.add(cpu));
  let looks: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    looks = host.workersUse(told).then(look, () => {});
  }, durationMs / LOOKS);
  timer.unref();
  return {
    /** @param requests the server was sent meanwhile */
    async end(requests: number): Promise<WorkersUse> {
      clearInterval(timer);
      await looks;
      const [after, treeAfter] = [await host.workersUse(told), await whole()];
      const counts = new Map(
        (await host.workersAt({ control: workers.control, pid, mark })).map((one) => [one.tid, one.requests]),
      );
      const each = told.map(({ tid, requests: from }, n) => {
        const to = counts.get(tid) ?? null;
        const [used, now] = [before[n]!, after[n]!];
        return {
          requests: from === null || to === null ? null : to - from,
          cpu_ns: used.cpuNs === null || now.cpuNs === null ? null : Math.max(0, now.cpuNs - used.cpuNs),
          cpus: [...seen[n]!].sort((a, b) => a - b),
          bytes: now.bytes,
        };
      });
      return {
        by: workers.by,
        requests,
        cpu_ns: cpuNs(treeBefore.processes[0]!, treeAfter.processes[0]!),
        // A process that nobody asks may be no worker: one that starts the others does no work.
        each: workers.control === null ? each.filter(({ cpu_ns }) => (cpu_ns ?? 0) > IDLE * 1e6 * durationMs) : each,
      };
    },
    stop: () => clearInterval(timer),
  };
}

/** Busy share of a CPU below which a process that cannot be asked is no worker. */
const IDLE = 0.01;
