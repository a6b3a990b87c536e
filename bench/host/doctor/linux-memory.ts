import type { MachineFacts } from "../../core/doctor/facts.ts";
import { attempt } from "./attempt.ts";
import type { Files } from "./files.ts";

/** One line of /proc/meminfo, in bytes. */
export function parseMeminfo(text: string, name: string): number | undefined {
  const kib = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1];
  return kib === undefined ? undefined : Number(kib) * 1024;
}

/** What Linux says of memory. */
export function linuxMemory(files: Files): Pick<MachineFacts, "memory" | "swapUsedBytes" | "hugePages" | "aslr"> {
  return {
    memory: attempt("/proc/meminfo", () => {
      const text = files.text("proc/meminfo");
      const totalBytes = parseMeminfo(text, "MemTotal"), availableBytes = parseMeminfo(text, "MemAvailable");
      return totalBytes === undefined || availableBytes === undefined ? undefined : { totalBytes, availableBytes };
    }),
    swapUsedBytes: attempt("swap in /proc/meminfo", () => {
      const text = files.text("proc/meminfo");
      const total = parseMeminfo(text, "SwapTotal"), free = parseMeminfo(text, "SwapFree");
      return total === undefined || free === undefined ? undefined : total - free;
    }),
    hugePages: attempt(
      "the mode of transparent huge pages",
      () => /\[(\w+)\]/.exec(files.text("sys/kernel/mm/transparent_hugepage/enabled"))?.[1],
    ),
    aslr: attempt("randomize_va_space", () => files.count("proc/sys/kernel/randomize_va_space")),
  };
}
