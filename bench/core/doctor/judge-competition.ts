import type { MachineFacts, WatchFacts } from "./facts.ts";
import { about, type Finding } from "./finding.ts";
import { LIMITS } from "./limits.ts";
import { noneHere } from "./surroundings.ts";
import { percent } from "./texts.ts";

/** Who else uses this machine: steal, load, pressure, busy processes, quota, hypervisor, container. */
export function judgeCompetition(facts: MachineFacts, watch: WatchFacts): Finding[] {
  return [
    steal(facts, watch),
    load(facts),
    pressure(facts),
    busy(watch),
    quota(facts),
    virtual(facts),
    container(facts),
  ];
}

/** The largest share stolen of one CPU while watched. */
export function watchedSteal(watch: WatchFacts): number | null {
  return "value" in watch.cpus ? Math.max(0, ...watch.cpus.value.map(({ steal }) => steal)) : null;
}

function steal(facts: MachineFacts, watch: WatchFacts): Finding {
  const subject = about("steal", "Stolen CPU time");
  const cost = "the hypervisor gives the CPU to others in the middle of a trial";
  return subject.from(facts.stealShare, { cost, mend: noneHere(facts) }, (sinceBoot) => {
    const now = watchedSteal(watch);
    const seen = `${percent(sinceBoot)} of busy time since boot, ${
      now === null ? "not watched" : `${percent(now)} now`
    }`;
    const much = sinceBoot > LIMITS.stealSinceBoot.value || (now ?? 0) > LIMITS.stealWatched.value;
    return much ? subject.costs(seen, cost, noneHere(facts)) : subject.ok(seen);
  });
}

function load(facts: MachineFacts): Finding {
  const subject = about("load", "Load average");
  const cost = "something else has been running, and may run into a trial";
  return subject.from(facts.loadAverage, { cost, mend: noneHere(facts) }, (load) => {
    const seen = `${load.toFixed(2)} over one minute`;
    if (load <= LIMITS.loadAverage.value) return subject.ok(seen);
    return subject.costs(seen, cost, { command: "sleep 60 && bin/bench doctor" });
  });
}

function pressure(facts: MachineFacts): Finding {
  const subject = about("pressure", "Pressure");
  const cost = "tasks wait for CPU, disk or memory";
  return subject.from(facts.pressure, { cost, mend: noneHere(facts) }, ({ cpu, io, memory }) => {
    const seen = `cpu ${percent(cpu)}, io ${percent(io)}, memory ${percent(memory)} over 10 s`;
    if (Math.max(cpu, io, memory) <= LIMITS.pressure.value) return subject.ok(seen);
    return subject.costs(seen, cost, { command: "sleep 15 && bin/bench doctor" });
  });
}

function busy(watch: WatchFacts): Finding {
  const subject = about("busy", "Busy processes");
  const cost = "they take CPU time and caches from a trial";
  return subject.from(watch.busy, { cost, mend: { none: "no list of processes here" } }, (processes) => {
    const taking = processes.filter(({ share }) => share > LIMITS.busyShare.value);
    if (taking.length === 0) return subject.ok(`none above ${percent(LIMITS.busyShare.value)} of a CPU`);
    const seen = taking.slice(0, 4).map(({ name, pid, share }) => `${name} (${pid}) ${percent(share)}`).join(", ");
    const more = taking.length > 4 ? ` and ${taking.length - 4} more` : "";
    return subject.costs(seen + more, cost, { none: "stop them or wait for them: only you know what they are for" });
  });
}

function quota(facts: MachineFacts): Finding {
  const subject = about("quota", "CPU quota");
  const cost = "the kernel halts server and generator whenever the quota is used up";
  return subject.from(facts.cpuQuota, { cost, mend: noneHere(facts) }, (cpus) => {
    if (cpus === null) return subject.ok("none");
    const inside = "value" in facts.container && facts.container.value !== null;
    return subject.costs(
      `${Number(cpus.toFixed(2))} CPUs' worth of time`,
      cost,
      inside
        ? { none: "start the container with --cpuset-cpus in place of --cpus" }
        : { none: "start it outside the control group that limits it, or with AllowedCPUs in place of CPUQuota" },
    );
  });
}

function virtual(facts: MachineFacts): Finding {
  const subject = about("virtual-machine", "Virtual machine");
  const cost = "clock, siblings and neighbours cannot be seen, and a virtual CPU may move between real ones";
  return subject.from(facts.virtualMachine, { cost, mend: { none: "this CPU does not tell" } }, (name) => {
    if (name === null) return subject.ok("none");
    return subject.costs(name, cost, { none: "measure on bare metal for figures that count on their own" });
  });
}

function container(facts: MachineFacts): Finding {
  const subject = about("container", "Container");
  const cost = "what runs in other containers shows only as load and steal";
  return subject.from(facts.container, { cost, mend: { none: "nothing tells" } }, (kind) => {
    if (kind === null) return subject.ok("none");
    const docker = kind === "docker" || kind === "podman";
    return subject.unknown(
      `${kind}: processes outside it cannot be seen`,
      cost,
      docker ? { none: `start it with "${kind} run --pid=host"` } : { none: "measure outside the container" },
    );
  });
}
