/** What a call of a module's `work` costs by itself, in a process that does nothing else: one number on standard output. */
import { setImmediate } from "node:timers";
import { pathToFileURL } from "node:url";
import { median } from "../bench/statistics/median.ts";

const WARM_US = 700_000;
const WINDOW_US = 200_000;
const WINDOWS = 5;
const BATCH = 20;

/** CPU time of the whole process, microseconds a call, over at least so much of it: in turns, as a server's requests come. */
async function costOver(leastUs: number, work: () => number): Promise<number> {
  const before = process.cpuUsage();
  for (let calls = BATCH, seen = 0;; calls += BATCH) {
    seen += await new Promise<number>((resolve) => setImmediate(() => resolve(callsOf(work))));
    const { user, system } = process.cpuUsage(before);
    // What was done is looked at, so that no engine leaves it out.
    if (user + system >= leastUs && seen !== Infinity) return (user + system) / calls;
  }
}

function callsOf(work: () => number): number {
  let last = 0;
  for (let n = 0; n < BATCH; n++) last = work();
  return last;
}

const { work } = await import(pathToFileURL(process.argv[2]!).href) as { work(): number };
await costOver(WARM_US, work);
const costs: number[] = [];
for (let n = 0; n < WINDOWS; n++) costs.push(await costOver(WINDOW_US, work));
process.stdout.write(`${median(costs)}\n`);
