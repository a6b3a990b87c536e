import { valueOf } from "../../record/samples.ts";
import { formatBytes } from "../../basics/units.ts";
import type { MachineFacts } from "./facts.ts";
import { about, asRoot, type Finding, noneHere, writeSetting } from "./finding.ts";
import { LIMITS } from "./limits.ts";

/** What memory does to a trial: room, swap, huge pages, layout. */
export function judgeMemory(facts: MachineFacts): Finding[] {
  const none = noneHere(facts);
  return [
    about("memory", "Memory", "large servers may not fit, and their files not stay in cache")
      .from(facts.memory, none, ({ totalBytes, availableBytes }, { ok, costs, blocks }) => {
        const seen = `${formatBytes(availableBytes)} of ${formatBytes(totalBytes)} available`;
        const mend = { none: "stop what uses it, or measure smaller points" };
        if (availableBytes < LIMITS.memoryBlocks.value) return blocks(seen, mend, "the default points do not fit");
        return availableBytes < LIMITS.memoryCosts.value ? costs(seen, mend) : ok(seen);
      }),
    about("swap", "Swap in use", "a page brought back from disk stops a server for milliseconds")
      .from(facts.swapUsedBytes, none, (used, { ok, costs }) => {
        if (used <= LIMITS.swapUsed.value) return ok(used === 0 ? "none" : formatBytes(used));
        const fits = facts.os === "linux" && used < (valueOf(facts.memory)?.availableBytes ?? 0) / 2;
        const mend = fits
          ? asRoot(facts.root, "swapoff -a")
          : { none: "memory has no room for it: close what uses memory" };
        return costs(formatBytes(used), mend);
      }),
    about(
      "huge-pages",
      "Transparent huge pages",
      "the kernel merges pages in the middle of a trial, and resident memory counts 2 MiB at a time",
    ).from(facts.hugePages, none, (mode, { ok, costs }) => {
      const file = "/sys/kernel/mm/transparent_hugepage/enabled";
      return mode === "always" ? costs(mode, writeSetting(facts.root, "madvise", file)) : ok(mode);
    }),
    about(
      "aslr",
      "Address randomisation",
      "every process gets the same layout, so one lucky or unlucky layout passes for the truth",
    ).from(facts.aslr, none, (mode, { ok, costs }) => {
      if (mode === 2) return ok("on: rounds average over layouts");
      return costs(
        mode === 0 ? "off" : "without the heap",
        asRoot(facts.root, "sysctl kernel.randomize_va_space=2"),
      );
    }),
  ];
}
