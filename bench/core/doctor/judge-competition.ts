import { counted } from "../../basics/units.ts";
import { valueOf } from "../../record/samples.ts";
import type { MachineFacts, WatchFacts } from "./facts.ts";
import { about, type Finding, noneHere, percent } from "./finding.ts";
import { LIMITS } from "./limits.ts";

/** The largest share stolen of one CPU while watched. */
export function watchedSteal(watch: WatchFacts): number | null {
  return "value" in watch.cpus ? Math.max(0, ...watch.cpus.value.map(({ steal }) => steal)) : null;
}

/** Who else uses this machine: steal, load, pressure, busy processes, quota, hypervisor, container. */
export function judgeCompetition(facts: MachineFacts, watch: WatchFacts): Finding[] {
  const none = noneHere(facts);
  return [
    about("steal", "Stolen CPU time", "the hypervisor gives the CPU to others in the middle of a trial")
      .from(facts.stealShare, none, (sinceBoot, { ok, costs }) => {
        const now = watchedSteal(watch);
        const watched = now === null ? "not watched" : `${percent(now)} now`;
        const seen = `${percent(sinceBoot)} of busy time since boot, ${watched}`;
        const much = sinceBoot > LIMITS.stealSinceBoot.value || (now ?? 0) > LIMITS.stealWatched.value;
        return much ? costs(seen, none) : ok(seen);
      }),
    about("load", "Load average", "something else has been running, and may run into a trial")
      .from(facts.loadAverage, none, (load, { ok, costs }) => {
        const seen = `${load.toFixed(2)} over one minute`;
        return load <= LIMITS.loadAverage.value ? ok(seen) : costs(seen, { command: "sleep 60 && bin/bench doctor" });
      }),
    about("pressure", "Pressure", "tasks wait for CPU, disk or memory")
      .from(facts.pressure, none, ({ cpu, io, memory }, { ok, costs }) => {
        const seen = `cpu ${percent(cpu)}, io ${percent(io)}, memory ${percent(memory)} over 10 s`;
        const calm = Math.max(cpu, io, memory) <= LIMITS.pressure.value;
        return calm ? ok(seen) : costs(seen, { command: "sleep 15 && bin/bench doctor" });
      }),
    about("busy", "Busy processes", "they take CPU time and caches from a trial")
      .from(watch.busy, { none: "no list of processes here" }, (processes, { ok, costs }) => {
        const taking = processes.filter(({ share }) => share > LIMITS.busyShare.value);
        if (taking.length === 0) return ok(`none above ${percent(LIMITS.busyShare.value)} of a CPU`);
        const seen = taking.slice(0, 4).map(({ name, pid, share }) => `${name} (${pid}) ${percent(share)}`).join(", ");
        const more = taking.length > 4 ? ` and ${taking.length - 4} more` : "";
        return costs(seen + more, { none: "stop them or wait for them: only you know what they are for" });
      }),
    about("quota", "CPU quota", "the kernel halts server and generator whenever the quota is used up")
      .from(facts.cpuQuota, none, (cpus, { ok, costs }) => {
        if (cpus === null) return ok("none");
        const outside = valueOf(facts.container) !== null
          ? "start the container with --cpuset-cpus in place of --cpus"
          : "start it outside the control group that limits it, or with AllowedCPUs in place of CPUQuota";
        return costs(`${counted(Number(cpus.toFixed(2)), "CPU's worth", "CPUs' worth")} of time`, { none: outside });
      }),
    about(
      "virtual-machine",
      "Virtual machine",
      "clock, siblings and neighbours cannot be seen, and a virtual CPU may move between real ones",
    ).from(facts.virtualMachine, { none: "this CPU does not tell" }, (name, { ok, costs }) => {
      if (name === null) return ok("none");
      return costs(name, { none: "measure on bare metal for figures that count on their own" });
    }),
    about("container", "Container", "what runs in other containers shows only as load and steal")
      .from(facts.container, { none: "nothing tells" }, (kind, { ok, unknown }) => {
        if (kind === null) return ok("none");
        const docker = kind === "docker" || kind === "podman";
        const outside = docker ? `start it with "${kind} run --pid=host"` : "measure outside the container";
        return unknown(`${kind}: processes outside it cannot be seen`, { none: outside });
      }),
  ];
}
