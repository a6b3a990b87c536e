import type { MachineFacts } from "../../core/doctor/facts.ts";
import { linuxMachine } from "../linux.ts";
import { attempt, numberIn } from "./attempt.ts";
import { type Files, filesBelow } from "./files.ts";
import { linuxCpus } from "./linux-cpus.ts";
import { linuxLoad } from "./linux-load.ts";
import { linuxPlace } from "./linux-place.ts";
import { linuxQuota } from "./linux-quota.ts";

/**
 * Everything Linux says of itself at once, from /proc and /sys alone: no program is started, nothing is waited for.
 *
 * @param root put before every path, so that made-up trees can be read
 */
export function linuxFacts(root = "/", env: Readonly<Record<string, string | undefined>> = process.env): MachineFacts {
  const files = filesBelow(root);
  const topology = linuxMachine(root).topology();
  const allowed = topology.cpus?.map(({ id }) => id) ?? [];
  return {
    os: "linux",
    root: process.getuid?.() === 0,
    topology,
    ...linuxCpus(files, allowed),
    ...linuxLoad(files, allowed),
    cpuQuota: linuxQuota(files),
    ...memoryFacts(files),
    ...limitFacts(files),
    ...linuxPlace(files, env),
  };
}

/** What Linux says of memory. */
function memoryFacts(files: Files) {
  /** Bytes of two lines of /proc/meminfo. */
  const meminfo = (one: string, other: string): readonly [number, number] | undefined => {
    const text = files.text("proc/meminfo");
    const [a, b] = [one, other].map((name) => numberIn(text, new RegExp(`^${name}:\\s+(\\d+) kB$`, "m")));
    return a === undefined || b === undefined ? undefined : [a * 1024, b * 1024];
  };
  return {
    memory: attempt("/proc/meminfo", () => {
      const found = meminfo("MemTotal", "MemAvailable");
      return found && { totalBytes: found[0], availableBytes: found[1] };
    }),
    swapUsedBytes: attempt("swap in /proc/meminfo", () => {
      const found = meminfo("SwapTotal", "SwapFree");
      return found && found[0] - found[1];
    }),
    hugePages: attempt(
      "the mode of transparent huge pages",
      () => /\[(\w+)\]/.exec(files.text("sys/kernel/mm/transparent_hugepage/enabled"))?.[1],
    ),
    aslr: attempt("randomize_va_space", () => files.count("proc/sys/kernel/randomize_va_space")),
  };
}

/** What Linux grants connections and files. */
function limitFacts(files: Files) {
  return {
    ports: attempt("ip_local_port_range", () => {
      const match = /^(\d+)\s+(\d+)$/.exec(files.text("proc/sys/net/ipv4/ip_local_port_range"));
      return match === null ? undefined : { first: Number(match[1]), last: Number(match[2]) };
    }),
    timeWait: attempt("/proc/net/sockstat", () => numberIn(files.text("proc/net/sockstat"), /^TCP:.*\btw (\d+)/m)),
    listenBacklog: attempt("somaxconn", () => files.count("proc/sys/net/core/somaxconn")),
    openFiles: attempt("/proc/self/limits", () => {
      const soft = /^Max open files\s+(\d+|unlimited)/m.exec(files.text("proc/self/limits"))?.[1];
      return soft === undefined ? undefined : soft === "unlimited" ? Infinity : Number(soft);
    }),
    hardwareCounters: attempt(
      "the list of event sources",
      () => files.list("sys/bus/event_source/devices").some((name) => /^(cpu|cpu_\w+|armv\d.*)$/.test(name)),
    ),
  };
}
