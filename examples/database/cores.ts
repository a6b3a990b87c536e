import { existsSync, readFileSync } from "node:fs";

/** Which CPU each part of the measurement is pinned to. */
export interface Cores {
  readonly server: number;
  readonly load: number;
  readonly database: number;
  /** What the database shares its core with; null where it has one of its own. */
  readonly shared: "the load generator" | "everything else" | null;
}

/** The CPUs this process may use, one of each physical core: two threads of a core are not two cores. */
function physicalCores(): number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync("/proc/self/status", "utf8"))![1]!;
  const seen = new Set<string>();
  return list.split(",").flatMap((range) => {
    const [first, last = first] = range.split("-").map(Number) as [number, number?];
    return Array.from({ length: last! - first! + 1 }, (_, n) => first! + n);
  }).filter((cpu) => {
    const file = `/sys/devices/system/cpu/cpu${cpu}/topology/thread_siblings_list`;
    const siblings = existsSync(file) ? readFileSync(file, "utf8").trim() : String(cpu);
    return !seen.has(siblings) && seen.add(siblings);
  });
}

/**
 * With three cores and more each part has its own. With two the database is on the load generator's, which has time to
 * spare while it waits for it; the server under test shares with nobody.
 */
export function chooseCores(): Cores {
  const [first, second, third] = physicalCores() as [number, number?, number?];
  if (second === undefined) return { server: first, load: first, database: first, shared: "everything else" };
  return third === undefined
    ? { server: second, load: first, database: first, shared: "the load generator" }
    : { server: second, load: first, database: third, shared: null };
}
