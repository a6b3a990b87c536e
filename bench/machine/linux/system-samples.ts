import type { CountSample, CpuSample } from "../../record/samples.ts";
import { attempt, type FileTree } from "../readings.ts";
import { parseCpuTimes, parseInterfaceBytes, parseInterfaces, parseNamedValue, parseNetCounter } from "./proc-text.ts";
import type { threadTimes } from "./thread-times.ts";

/**
 * Reads what all CPUs did so far.
 *
 * @param links what network interfaces carried, too
 */
export function readCpus({ text, list }: FileTree, threads: ReturnType<typeof threadTimes>, links: boolean): CpuSample {
  return {
    cpus: attempt("/proc/stat", () => {
      const times = parseCpuTimes(text("proc/stat"));
      // Time that was neither idle nor stolen is nearer to the truth than the sampled busy times. Those are off by 3 % of a
      // second's work if a CPU is busy nine tenths of it, idling by a tick.
      const nowNs = 1e6 * performance.now();
      return times &&
        new Map(
          [...times].map(([cpu, { idleNs, diskNs, stealNs, softirqNs }]) =>
            [cpu, { busyNs: nowNs - idleNs - stealNs, diskNs, stealNs, softirqNs }] as const
          ),
        );
    }),
    cpusAtMs: performance.now(),
    kernelThreads: attempt("threads of kthreadd", () => threads.ofKernel()),
    otherThreads: attempt("threads of others", () => threads.ofOthers(process.pid)),
    links: links
      ? attempt("/proc/net/dev", () => parseInterfaces(text("proc/net/dev")))
      : { unreadable: "network interfaces were not requested" },
    khz: attempt("scaling_cur_freq", () => {
      const folder = "sys/devices/system/cpu";
      const ids = list(folder).flatMap((name) => /^cpu(\d+)$/.exec(name)?.[1] ?? []);
      return new Map(ids.map((id) => [Number(id), Number(text(folder, `cpu${id}`, "cpufreq/scaling_cur_freq"))]));
    }),
  };
}

/** Reads what the whole system has counted so far. */
export function readCounts({ text }: FileTree): CountSample {
  const tcp = (file: string, group: string, name: string) =>
    attempt(name, () => parseNetCounter(text("proc/net", file), group, name));
  return {
    passiveOpens: tcp("snmp", "Tcp", "PassiveOpens"),
    listenOverflows: tcp("netstat", "TcpExt", "ListenOverflows"),
    retransmits: tcp("snmp", "Tcp", "RetransSegs"),
    loopbackBytes: attempt("/proc/net/dev", () => parseInterfaceBytes(text("proc/net/dev"), "lo")),
    clockMs: Date.now() - performance.now(),
    swappedPages: attempt("/proc/vmstat", () => {
      const vmstat = text("proc/vmstat");
      const paged = parseNamedValue(vmstat, "pswpin"), out = parseNamedValue(vmstat, "pswpout");
      return paged === undefined || out === undefined ? undefined : paged + out;
    }),
    throttledNs: attempt("cgroup cpu.stat", () => {
      const group = /^0::(.*)$/m.exec(text("proc/self/cgroup"))?.[1] ?? "/";
      const us = parseNamedValue(text("sys/fs/cgroup", group, "cpu.stat"), "throttled_usec");
      return us === undefined ? undefined : us * 1000;
    }),
  };
}
