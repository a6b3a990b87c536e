import type { MachineFacts } from "./facts.ts";
import { about, asRoot, type Finding } from "./finding.ts";
import { LIMITS } from "./limits.ts";
import { noneHere } from "./surroundings.ts";

/** What the system grants connections and files: ports, backlog, open files, hardware counters. */
export function judgeLimits(facts: MachineFacts): Finding[] {
  return [ports(facts), backlog(facts), openFiles(facts), hardwareCounters(facts)];
}

function ports(facts: MachineFacts): Finding {
  const subject = about("ports", "Free ports");
  const cost = "connections fail when no port is left";
  return subject.from(facts.ports, { cost, mend: noneHere(facts) }, ({ first, last }) => {
    const count = last - first + 1;
    const held = "value" in facts.timeWait ? facts.timeWait.value : null;
    const seen = `${count} (${first} to ${last}), ${held ?? "an unknown number of"} in TIME_WAIT`;
    const free = count - (held ?? 0);
    const wider = facts.os === "darwin"
      ? asRoot(facts.root, "sysctl net.inet.ip.portrange.first=32768")
      : asRoot(facts.root, `sysctl net.ipv4.ip_local_port_range="32768 60999"`);
    const mend = count < LIMITS.portsCost.value ? wider : { command: "sleep 60 && bin/bench doctor" };
    if (free < LIMITS.portsBlock.value) return subject.blocks(seen, cost, mend);
    if (free < LIMITS.portsCost.value) return subject.costs(seen, cost, mend);
    if ("unreadable" in facts.timeWait) {
      return subject.unknown(`${seen}: ${facts.timeWait.unreadable}`, cost, noneHere(facts));
    }
    return subject.ok(seen);
  });
}

function backlog(facts: MachineFacts): Finding {
  const subject = about("backlog", "Listen backlog");
  const cost = "connections opened in one burst are dropped and come a second late";
  return subject.from(facts.listenBacklog, { cost, mend: noneHere(facts) }, (most) => {
    if (most >= LIMITS.listenBacklog.value) return subject.ok(`up to ${most}`);
    const name = facts.os === "darwin" ? "kern.ipc.somaxconn" : "net.core.somaxconn";
    return subject.costs(`up to ${most}`, cost, asRoot(facts.root, `sysctl ${name}=4096`));
  });
}

function openFiles(facts: MachineFacts): Finding {
  const subject = about("open-files", "Open files");
  const cost = "connections fail when no file descriptor is left";
  return subject.from(facts.openFiles, { cost, mend: noneHere(facts) }, (most) => {
    const seen = most === Infinity ? "no limit" : `up to ${most} a process`;
    const mend = { command: "ulimit -n 4096" };
    if (most < LIMITS.filesBlock.value) return subject.blocks(seen, cost, mend);
    return most < LIMITS.filesCost.value ? subject.costs(seen, cost, mend) : subject.ok(seen);
  });
}

function hardwareCounters(facts: MachineFacts): Finding {
  const subject = about("hardware-counters", "Hardware counters");
  return subject.from(
    facts.hardwareCounters,
    { cost: "nothing: no figure rests on them", mend: noneHere(facts) },
    // Nothing is measured with them, so a machine without loses nothing but a way to look deeper.
    (there) => subject.ok(there ? "there for perf" : "none; no figure rests on them"),
  );
}
