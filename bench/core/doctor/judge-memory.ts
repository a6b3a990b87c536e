import { formatBytes } from "../units.ts";
import type { MachineFacts } from "./facts.ts";
import { about, asRoot, type Finding, writeSetting } from "./finding.ts";
import { LIMITS } from "./limits.ts";
import { noneHere } from "./surroundings.ts";

/** What memory does to a trial: room, swap, huge pages, layout. */
export function judgeMemory(facts: MachineFacts): Finding[] {
  return [room(facts), swap(facts), hugePages(facts), aslr(facts)];
}

function room(facts: MachineFacts): Finding {
  const subject = about("memory", "Memory");
  const cost = "large servers may not fit, and their files not stay in cache";
  return subject.from(facts.memory, { cost, mend: noneHere(facts) }, ({ totalBytes, availableBytes }) => {
    const seen = `${formatBytes(availableBytes)} of ${formatBytes(totalBytes)} available`;
    const mend = { none: "stop what uses it, or measure smaller points" };
    if (availableBytes < LIMITS.memoryBlocks.value) return subject.blocks(seen, "the default points do not fit", mend);
    return availableBytes < LIMITS.memoryCosts.value ? subject.costs(seen, cost, mend) : subject.ok(seen);
  });
}

function swap(facts: MachineFacts): Finding {
  const subject = about("swap", "Swap in use");
  const cost = "a page brought back from disk stops a server for milliseconds";
  const room = "value" in facts.memory ? facts.memory.value.availableBytes / 2 : 0;
  return subject.from(facts.swapUsedBytes, { cost, mend: noneHere(facts) }, (used) => {
    if (used <= LIMITS.swapUsed.value) return subject.ok(used === 0 ? "none" : formatBytes(used));
    return subject.costs(
      formatBytes(used),
      cost,
      facts.os === "linux" && used < room
        ? asRoot(facts.root, "swapoff -a")
        : { none: "memory has no room for it: close what uses memory" },
    );
  });
}

function hugePages(facts: MachineFacts): Finding {
  const subject = about("huge-pages", "Transparent huge pages");
  const cost = "the kernel merges pages in the middle of a trial, and resident memory counts 2 MiB at a time";
  return subject.from(facts.hugePages, { cost, mend: noneHere(facts) }, (mode) => {
    if (mode !== "always") return subject.ok(mode);
    return subject.costs(
      mode,
      cost,
      writeSetting(facts.root, "madvise", "/sys/kernel/mm/transparent_hugepage/enabled"),
    );
  });
}

function aslr(facts: MachineFacts): Finding {
  const subject = about("aslr", "Address randomisation");
  const cost = "every process gets the same layout, so one lucky or unlucky layout passes for the truth";
  return subject.from(facts.aslr, { cost, mend: noneHere(facts) }, (mode) => {
    if (mode === 2) return subject.ok("on: rounds average over layouts");
    return subject.costs(
      mode === 0 ? "off" : "without the heap",
      cost,
      asRoot(facts.root, "sysctl kernel.randomize_va_space=2"),
    );
  });
}
