import type { DoctorFacts, MachineFacts, WatchFacts } from "./facts.ts";

const GIB = 2 ** 30;

/** For tests: a machine of one's own with four cores and eight CPUs, everything read and quiet. */
export const QUIET_MACHINE: MachineFacts = {
  os: "linux",
  root: false,
  topology: { cpus: [0, 1, 2, 3, 4, 5, 6, 7].map((id) => ({ id, core: id % 4, node: 0 })), why: "" },
  onlineCpus: { value: 8 },
  siblings: { value: [[0, 4], [1, 5], [2, 6], [3, 7]] },
  isolatedCpus: { value: [] },
  numaBalancing: { value: false },
  governors: { value: ["performance"] },
  boost: { value: { on: false, switch: "/sys/devices/system/cpu/cpufreq/boost" } },
  clockRangeKHz: { value: { min: 1_200_000, max: 3_400_000 } },
  power: { value: { source: "mains", saving: false } },
  clocksource: { value: { current: "tsc", available: ["tsc", "hpet"] } },
  stealShare: { value: 0 },
  loadAverage: { value: 0.05 },
  pressure: { value: { cpu: 0, io: 0.01, memory: 0 } },
  cpuQuota: { value: null },
  memory: { value: { totalBytes: 32 * GIB, availableBytes: 28 * GIB } },
  swapUsedBytes: { value: 0 },
  hugePages: { value: "madvise" },
  aslr: { value: 2 },
  ports: { value: { first: 32768, last: 60999 } },
  timeWait: { value: 3 },
  listenBacklog: { value: 4096 },
  openFiles: { value: 20_000 },
  hardwareCounters: { value: true },
  virtualMachine: { value: null },
  container: { value: null },
};

/** For tests: a second in which nothing else ran and the canary kept its speed. */
export const QUIET_WATCH: WatchFacts = {
  watchedMs: 1_000,
  canary: { value: { cpu: 3, wallMs: Array(50).fill(20), cpuMs: Array(50).fill(20) } },
  busy: { value: [{ pid: 77, name: "sshd", share: 0.001 }] },
  cpus: { value: [0, 1, 2, 3, 4, 5, 6, 7].map((cpu) => ({ cpu, others: 0.001, steal: 0 })) },
};

/** For tests: {@link QUIET_MACHINE} with everything a run needs. */
export const QUIET: DoctorFacts = {
  machine: QUIET_MACHINE,
  watch: QUIET_WATCH,
  tools: [{
    name: "node",
    version: { value: "26.10.0" },
    pinned: { versions: ["26.10.0"], by: "pinned by package-lock.json" },
    install: "npm ci",
  }],
  folders: [
    { name: "data", path: "/x/.data", freeBytes: { value: 50 * GIB }, writable: true, disk: { value: "ssd" } },
    { name: "results", path: "/x/results", freeBytes: { value: 50 * GIB }, writable: true, disk: { value: "ssd" } },
  ],
};

/** For tests: a machine that tells nothing of itself. */
export function silentMachine(os: "linux" | "darwin"): MachineFacts {
  const unreadable = { unreadable: "not told" };
  const silent = Object.fromEntries(Object.keys(QUIET_MACHINE).map((name) => [name, unreadable]));
  return { ...silent, os, root: false, topology: QUIET_MACHINE.topology } as unknown as MachineFacts;
}
