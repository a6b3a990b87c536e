/**
 * The canary: a fixed piece of integer work, repeated, each time measured in wall time and CPU time. Prints `ready` and its
 * process id, then one line of JSON. The doctor starts it as a separate process, so that it can be pinned.
 * The first repeats adapt the amount of work to the requested CPU time and let the compiler settle; they do not count.
 */

const [pieceMs, totalMs] = process.argv.slice(2, 4).map(Number) as [number, number];

/** Integer arithmetic that no compiler can shorten and no cache miss disturbs. */
function work(turns: number): number {
  let state = 0x9e3779b9;
  for (let i = 0; i < turns; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
  }
  return state;
}

function time(turns: number): { wallMs: number; cpuMs: number; state: number } {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const state = work(turns);
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs, cpuMs: (user + system) / 1000, state };
}

let turns = 100_000;
for (let settled = 0; settled < 5;) {
  const { cpuMs } = time(turns);
  if (cpuMs > pieceMs / 2) settled++;
  if (settled < 5) turns = Math.ceil(turns * Math.min(8, Math.max(0.5, pieceMs / Math.max(cpuMs, 0.01))));
}
process.stdout.write(`ready ${process.pid}\n`);
const wallMs: number[] = [], cpuMs: number[] = [];
const start = performance.now();
while (performance.now() - start < totalMs) {
  const took = time(turns);
  wallMs.push(took.wallMs);
  cpuMs.push(took.cpuMs);
}
process.stdout.write(JSON.stringify({ wallMs, cpuMs }) + "\n");
