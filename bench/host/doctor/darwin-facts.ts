import type { MachineFacts } from "../../core/doctor/facts.ts";
import type { Reading } from "../../record/samples.ts";
import type { Ask } from "./ask.ts";
import { attempt } from "./attempt.ts";
import { parseBattery, parseMemoryUse, parsePowerMode, parseSwapUse, parseSysctl } from "./darwin-text.ts";

const NAMES = [
  "hw.logicalcpu",
  "hw.memsize",
  "kern.hv_vmm_present",
  "vm.loadavg",
  "vm.swapusage",
  "net.inet.ip.portrange.first",
  "net.inet.ip.portrange.last",
  "kern.ipc.somaxconn",
];

/** Everything macOS says of itself to everybody. What it keeps to itself reads as unreadable, with the reason. */
export function darwinFacts(ask: Ask): MachineFacts {
  const settings = attempt("sysctl", () => parseSysctl(ask("sysctl", NAMES)));
  /** One setting of the one answer of sysctl. */
  const setting = <T>(name: string, parse: (text: string) => T | undefined): Reading<T> =>
    "unreadable" in settings ? settings : attempt(`sysctl ${name}`, () => {
      const text = settings.value.get(name);
      if (text === undefined) throw new Error("is not there");
      return parse(text);
    });
  const count = (text: string) => /^\d+$/.test(text) ? Number(text) : undefined;
  const hidden = (what: string) => ({ unreadable: `macOS does not tell ${what} to ordinary processes` });
  return {
    os: "darwin",
    root: process.getuid?.() === 0,
    topology: { cpus: null, why: "macOS cannot pin processes to cores" },
    onlineCpus: setting("hw.logicalcpu", count),
    siblings: hidden("which CPUs share a core"),
    isolatedCpus: { unreadable: "macOS isolates no CPUs" },
    numaBalancing: { unreadable: "macOS has no NUMA settings" },
    governors: hidden("how it governs the clock"),
    boost: hidden("whether CPUs boost"),
    clockRangeKHz: hidden("clocks"),
    power: attempt("pmset", () => {
      const source = parseBattery(ask("pmset", ["-g", "batt"]));
      const saving = parsePowerMode(ask("pmset", ["-g"]));
      return source === undefined ? undefined : { source, saving };
    }),
    // The one clock of macOS, read in user space.
    clocksource: { value: { current: "mach_absolute_time", available: ["mach_absolute_time"] } },
    stealShare: { unreadable: "macOS counts no stolen time" },
    loadAverage: setting("vm.loadavg", (text) => {
      const first = /\d+[.,]\d+/.exec(text)?.[0];
      return first === undefined ? undefined : Number(first.replace(",", "."));
    }),
    pressure: { unreadable: "macOS has no pressure figures" },
    // There are no control groups: nothing can halt a process by quota.
    cpuQuota: { value: null },
    memory: attempt("vm_stat", () => {
      const availableBytes = parseMemoryUse(ask("vm_stat", []));
      const total = setting("hw.memsize", count);
      if ("unreadable" in total) throw new Error(total.unreadable);
      return availableBytes === undefined ? undefined : { totalBytes: total.value, availableBytes };
    }),
    swapUsedBytes: setting("vm.swapusage", parseSwapUse),
    hugePages: { unreadable: "macOS merges no pages by itself" },
    // Built in since 10.7 and not to be turned off for the whole system.
    aslr: { value: 2 },
    ports: attempt("sysctl net.inet.ip.portrange", () => {
      const first = setting("net.inet.ip.portrange.first", count), last = setting("net.inet.ip.portrange.last", count);
      return "value" in first && "value" in last ? { first: first.value, last: last.value } : undefined;
    }),
    timeWait: attempt("netstat", () => ask("netstat", ["-an", "-p", "tcp"]).match(/\bTIME_WAIT\b/g)?.length ?? 0),
    listenBacklog: setting("kern.ipc.somaxconn", count),
    openFiles: attempt("ulimit", () => {
      const text = ask("sh", ["-c", "ulimit -n"]).trim();
      return text === "unlimited" ? Infinity : count(text);
    }),
    hardwareCounters: hidden("hardware counters"),
    virtualMachine: setting("kern.hv_vmm_present", (text) => text === "0" ? null : "a virtual machine of macOS"),
    // Containers on macOS are Linux in a virtual machine: a process that sees macOS is in none.
    container: { value: null },
  };
}
