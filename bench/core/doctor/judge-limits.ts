import { valueOf } from "../../record/samples.ts";
import type { MachineFacts } from "./facts.ts";
import { about, asRoot, type Finding, noneHere } from "./finding.ts";
import { LIMITS } from "./limits.ts";

/** What the system grants connections and files: ports, backlog, open files, hardware counters. */
export function judgeLimits(facts: MachineFacts): Finding[] {
  const none = noneHere(facts);
  const darwin = facts.os === "darwin";
  return [
    about("ports", "Free ports", "connections fail when no port is left")
      .from(facts.ports, none, ({ first, last }, { ok, costs, blocks, unknown }) => {
        const count = last - first + 1;
        const held = valueOf(facts.timeWait);
        const seen = `${count} (${first} to ${last}), ${held ?? "an unknown number of"} in TIME_WAIT`;
        const free = count - (held ?? 0);
        const wider = darwin ? "net.inet.ip.portrange.first=32768" : `net.ipv4.ip_local_port_range="32768 60999"`;
        const mend = count < LIMITS.portsCost.value
          ? asRoot(facts.root, `sysctl ${wider}`)
          : { command: "sleep 60 && bin/bench doctor" };
        if (free < LIMITS.portsBlock.value) return blocks(seen, mend);
        if (free < LIMITS.portsCost.value) return costs(seen, mend);
        return "value" in facts.timeWait ? ok(seen) : unknown(`${seen}: ${facts.timeWait.unreadable}`, none);
      }),
    about("backlog", "Listen backlog", "connections opened in one burst are dropped and come a second late")
      .from(facts.listenBacklog, none, (most, { ok, costs }) => {
        if (most >= LIMITS.listenBacklog.value) return ok(`up to ${most}`);
        const name = darwin ? "kern.ipc.somaxconn" : "net.core.somaxconn";
        return costs(`up to ${most}`, asRoot(facts.root, `sysctl ${name}=4096`));
      }),
    about("open-files", "Open files", "connections fail when no file descriptor is left")
      .from(facts.openFiles, none, (most, { ok, costs, blocks }) => {
        const seen = most === Infinity ? "no limit" : `up to ${most} a process`;
        const mend = { command: "ulimit -n 4096" };
        if (most < LIMITS.filesBlock.value) return blocks(seen, mend);
        return most < LIMITS.filesCost.value ? costs(seen, mend) : ok(seen);
      }),
    // Nothing is measured with them, so a machine without loses nothing but a way to look deeper.
    about("hardware-counters", "Hardware counters", "nothing: no figure rests on them")
      .from(facts.hardwareCounters, none, (there, { ok }) => {
        return ok(there ? "there for perf" : "none; no figure rests on them");
      }),
  ];
}
