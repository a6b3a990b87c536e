import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseCpuList } from "../basics/cpu-list.ts";
import type { Cpu } from "../core/placement.ts";
import type { Reading } from "../record/samples.ts";
import { findProgram } from "./child.ts";
import {
  parseCpuTimes,
  parseEndedChildrenTimes,
  parseInterfaceBytes,
  parseInterfaces,
  parseNamedValue,
  parseNetCounter,
  parseSchedstat,
  parseStatTimes,
  parseStatusField,
} from "./linux/proc-text.ts";
import { threadTimes } from "./linux/thread-times.ts";
import type { Machine } from "./machine.ts";

/**
 * Linux, read from /proc and /sys.
 * @param root put before every path, so that made-up trees can be read
 */
export function linuxMachine(root = "/"): Machine {
  const text = (...path: string[]) => readFileSync(join(root, ...path), "utf8");

  const read = <T>(what: string, reader: () => T | undefined): Reading<T> => {
    try {
      const value = reader();
      return value === undefined ? { unreadable: `${what} has an unknown form` } : { value };
    } catch (error) {
      return { unreadable: `${what}: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}` };
    }
  };
  const threads = threadTimes({
    text: (...path) => text("proc", ...path),
    list: (...path) => readdirSync(join(root, "proc", ...path)),
    read,
  });
  const threadsOf = (pid: number) => readdirSync(join(root, "proc", String(pid), "task"));

  /** Threads of a process and of all it has started, each with the process it belongs to. */
  const ownThreadsOf = (pid: number): [string, string][] =>
    threadsOf(pid).flatMap((tid): [string, string][] => {
      const children = read("children", () => text("proc", String(pid), "task", tid, "children"));
      const started = "value" in children ? children.value.split(" ").filter((child) => /^\d+$/.test(child)) : [];
      return [
        [String(pid), tid],
        ...started.flatMap((child) => {
          const own = read("child", () => ownThreadsOf(Number(child)));
          return "value" in own ? own.value : [];
        }),
      ];
    });

  /**
   * What a process and all it has started used by the kernel's ticks, those included that have ended: these are counted by
   * the one that waited for them.
   */
  const treeTicks = (pid: number, threads: readonly [string, string][]): number | undefined => {
    const own = (each: string) => {
      const stat = text("proc", each, "stat");
      const times = parseStatTimes(stat);
      return times === undefined ? undefined : times + (parseEndedChildrenTimes(stat) ?? 0);
    };
    const others = new Set(threads.map(([owner]) => owner).filter((owner) => owner !== String(pid)));
    const leader = own(String(pid));
    if (leader === undefined) return undefined;
    return [...others].reduce((sum, each) => {
      const ticks = read("child", () => own(each));
      return sum + ("value" in ticks ? ticks.value : 0);
    }, leader);
  };

  return {
    os: "linux",

    topology() {
      if (findProgram("taskset") === undefined) return { cpus: null, why: "taskset is not installed" };
      const allowed = read(
        "Cpus_allowed_list",
        () => parseCpuList(parseStatusField(text("proc/self/status"), "Cpus_allowed_list") ?? ""),
      );
      if ("unreadable" in allowed) return { cpus: null, why: allowed.unreadable };
      const cpus = allowed.value.map((id): Cpu => {
        const folder = `sys/devices/system/cpu/cpu${id}`;
        // Without topology files each CPU counts as a core of its own.
        const siblings = read("siblings", () => parseCpuList(text(folder, "topology/thread_siblings_list")));
        const node = read("node", () => {
          const name = readdirSync(join(root, folder)).find((entry) => /^node\d+$/.test(entry));
          return name === undefined ? 0 : Number(name.slice(4));
        });
        return {
          id,
          core: "value" in siblings ? siblings.value[0]! : id,
          node: "value" in node ? node.value : 0,
        };
      });
      return { cpus, why: "" };
    },

    sampleProcess: (pid, switches = false) =>
      read(`/proc/${pid}`, () => {
        const threads = new Map<number, { cpuNs: number; waitNs: number }>();
        let involuntary = 0;
        const own = ownThreadsOf(pid);
        for (const [owner, tid] of own) {
          try {
            const times = parseSchedstat(text("proc", owner, "task", tid, "schedstat"));
            if (times === undefined) return undefined;
            if (switches) {
              const status = text("proc", owner, "task", tid, "status");
              involuntary += Number(parseStatusField(status, "nonvoluntary_ctxt_switches") ?? 0);
            }
            threads.set(Number(tid), times);
          } catch (error) {
            // A thread that ended between listing and reading.
            if (!["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
          }
        }
        const tickNs = treeTicks(pid, own);
        const involuntarySwitches = switches ? involuntary : null;
        return tickNs === undefined ? undefined : { atMs: performance.now(), threads, tickNs, involuntarySwitches };
      }),

    sampleCpus: (links = false) => ({
      cpus: read("/proc/stat", () => {
        const times = parseCpuTimes(text("proc/stat"));
        // What was neither idle nor stolen: nearer to what ran than the times of busy CPUs, which are samples (their sum is
        // off by 3 % of a second's work where a CPU is busy nine tenths of it, idling by a tick).
        const nowNs = 1e6 * performance.now();
        return times &&
          new Map(
            [...times].map((
              [cpu, { idleNs, stealNs, softirqNs }],
            ) => [cpu, { busyNs: nowNs - idleNs - stealNs, stealNs, softirqNs }]),
          );
      }),
      cpusAtMs: performance.now(),
      kernelThreads: read("threads of kthreadd", () => threads.ofKernel()),
      otherThreads: read("threads of others", () => threads.ofOthers(process.pid)),
      links: links
        ? read("/proc/net/dev", () => parseInterfaces(text("proc/net/dev")))
        : { unreadable: "what interfaces carried was not asked for" },
      khz: read("scaling_cur_freq", () => {
        const folder = "sys/devices/system/cpu";
        const own = readdirSync(join(root, folder)).flatMap((name) => /^cpu(\d+)$/.exec(name)?.[1] ?? []);
        return new Map(own.map((id) => [Number(id), Number(text(folder, `cpu${id}`, "cpufreq/scaling_cur_freq"))]));
      }),
    }),

    sampleCounts: () => ({
      passiveOpens: read("PassiveOpens", () => parseNetCounter(text("proc/net/snmp"), "Tcp", "PassiveOpens")),
      listenOverflows: read(
        "ListenOverflows",
        () => parseNetCounter(text("proc/net/netstat"), "TcpExt", "ListenOverflows"),
      ),
      retransmits: read("RetransSegs", () => parseNetCounter(text("proc/net/snmp"), "Tcp", "RetransSegs")),
      loopbackBytes: read("/proc/net/dev", () => parseInterfaceBytes(text("proc/net/dev"), "lo")),
      clockMs: Date.now() - performance.now(),
      swappedPages: read("/proc/vmstat", () => {
        const vmstat = text("proc/vmstat");
        const paged = parseNamedValue(vmstat, "pswpin"), out = parseNamedValue(vmstat, "pswpout");
        return paged === undefined || out === undefined ? undefined : paged + out;
      }),
      throttledNs: read("cgroup cpu.stat", () => {
        const own = /^0::(.*)$/m.exec(text("proc/self/cgroup"))?.[1] ?? "/";
        const us = parseNamedValue(text("sys/fs/cgroup", own, "cpu.stat"), "throttled_usec");
        return us === undefined ? undefined : us * 1000;
      }),
    }),

    threadCpus: (pid) =>
      read(`/proc/${pid}`, () => {
        const lists = new Set<string>();
        for (const [owner, tid] of ownThreadsOf(pid)) {
          try {
            lists.add(parseStatusField(text("proc", owner, "task", tid, "status"), "Cpus_allowed_list") ?? "?");
          } catch (error) {
            if (!["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
          }
        }
        return [...lists];
      }),

    freeMemoryShare: () =>
      read("/proc/meminfo", () => {
        const meminfo = text("proc/meminfo");
        const kib = (name: string) => Number(/^(\d+) kB$/.exec(parseStatusField(meminfo, name) ?? "")?.[1] ?? NaN);
        const share = kib("MemAvailable") / kib("MemTotal");
        return Number.isFinite(share) ? share : undefined;
      }),

    peakRssBytes: (pid) =>
      read("VmHWM", () => {
        const peakOf = (each: string) => {
          const kib = /^(\d+) kB$/.exec(parseStatusField(text("proc", each, "status"), "VmHWM") ?? "")?.[1];
          return kib === undefined ? undefined : Number(kib) * 1024;
        };
        const leader = peakOf(String(pid));
        if (leader === undefined) return undefined;
        const threads = read("children", () => ownThreadsOf(pid));
        const owners = new Set("value" in threads ? threads.value.map(([owner]) => owner) : []);
        owners.delete(String(pid));
        return [...owners].reduce((sum, each) => {
          const peak = read("child", () => peakOf(each));
          return sum + ("value" in peak ? peak.value : 0);
        }, leader);
      }),
  };
}
