import { formatBytes } from "../basics/units.ts";
import { numberIn } from "../machine/readings.ts";
import { wholeNumber } from "./cpus.ts";
import { parseMemoryUse, parseSwapUse } from "../machine/darwin.ts";
import { DOCTOR_LIMITS } from "./doctor-limits.ts";
import { asRoot, blocks, costs, type Linux, ok, row, writeSetting } from "./row.ts";

function meminfo({ files }: Linux, name: string): number | undefined {
  const kib = numberIn(files.line("proc/meminfo"), new RegExp(`^${name}:\\s+(\\d+) kB$`, "m"));
  return kib === undefined ? undefined : kib * 1024;
}

const HUGE_PAGES = "sys/kernel/mm/transparent_hugepage/enabled";

/** Rows on memory: room, swap, huge pages, layout. */
export const MEMORY = {
  memory: row("Memory", "large servers may not fit, and their files not stay in cache", {
    linux(from) {
      const totalBytes = meminfo(from, "MemTotal"), availableBytes = meminfo(from, "MemAvailable");
      return totalBytes === undefined || availableBytes === undefined ? undefined : { totalBytes, availableBytes };
    },
    darwin({ ask, setting }) {
      const totalBytes = wholeNumber(setting("hw.memsize")), availableBytes = parseMemoryUse(ask("vm_stat", []));
      return totalBytes === undefined || availableBytes === undefined ? undefined : { totalBytes, availableBytes };
    },
    judge({ totalBytes, availableBytes }) {
      const seen = `${formatBytes(availableBytes)} of ${formatBytes(totalBytes)} available`;
      const none = { none: "stop what uses it, or measure smaller points" };
      if (availableBytes < DOCTOR_LIMITS.memoryBlocks) return blocks(seen, none, "the default points do not fit");
      return availableBytes < DOCTOR_LIMITS.memoryCosts ? costs(seen, none) : ok(seen);
    },
  }),
  swap: row("Swap in use", "a page brought back from disk stops a server for milliseconds", {
    linux(from) {
      const total = meminfo(from, "SwapTotal"), free = meminfo(from, "SwapFree");
      if (total === undefined || free === undefined) return undefined;
      return { usedBytes: total - free, roomBytes: meminfo(from, "MemAvailable") ?? 0 };
    },
    darwin({ setting }) {
      const usedBytes = parseSwapUse(setting("vm.swapusage"));
      // No command frees it at once.
      return usedBytes === undefined ? undefined : { usedBytes, roomBytes: 0 };
    },
    judge({ usedBytes, roomBytes }, around) {
      if (usedBytes <= DOCTOR_LIMITS.swapUsed) return ok(usedBytes === 0 ? "none" : formatBytes(usedBytes));
      const none = { none: "memory has no room for it: close what uses memory" };
      return costs(formatBytes(usedBytes), usedBytes < roomBytes / 2 ? asRoot(around, "swapoff -a") : none);
    },
  }),
  "huge-pages": row(
    "Transparent huge pages",
    "the kernel merges pages in the middle of a trial, and resident memory counts 2 MiB at a time",
    {
      linux: ({ files }) => /\[(\w+)\]/.exec(files.line(HUGE_PAGES))?.[1],
      darwin: "macOS merges no pages by itself",
      judge: (mode, around) =>
        mode === "always" ? costs(mode, writeSetting(around, "madvise", `/${HUGE_PAGES}`)) : ok(mode),
    },
  ),
  aslr: row(
    "Address randomisation",
    "every process gets the same layout, so one lucky or unlucky layout passes for the truth",
    {
      linux: ({ files }) => files.count("proc/sys/kernel/randomize_va_space"),
      // Built in since 10.7 and not to be turned off for the whole system.
      darwin: () => 2,
      judge(mode, around) {
        if (mode === 2) return ok("on: rounds average over layouts");
        return costs(mode === 0 ? "off" : "without the heap", asRoot(around, "sysctl kernel.randomize_va_space=2"));
      },
    },
  ),
};
