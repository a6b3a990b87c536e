import { counted, percent } from "../basics/units.ts";
import { firstFew } from "../basics/visible.ts";
import { valueOf } from "../record/samples.ts";
import { parseCpuTimes } from "../machine/linux/proc-text.ts";
import { type FileTree, numberIn } from "../machine/readings.ts";
import { DOCTOR_LIMITS } from "./doctor-limits.ts";
import { linuxQuota } from "./linux-quota.ts";
import { judgedDoubtful, judgedWell, row, seenRow } from "./row.ts";
import type { WatchFacts } from "./watch.ts";

/** Returns the largest share stolen of one CPU while watched; null without a watch. */
function watchedSteal(watch?: WatchFacts): number | null {
  const cpus = watch && valueOf(watch.cpus);
  return cpus ? Math.max(0, ...cpus.map(({ steal }) => steal)) : null;
}

/** Returns the shares of the last 10 s in which a task waited, 0 to 1; null if the kernel does not count them, which is common. */
function pressureIn(files: FileTree): { readonly cpu: number; readonly io: number; readonly memory: number } | null {
  const [cpu, io, memory] = ["cpu", "io", "memory"].map((kind) =>
    numberIn(files.lineOr(`proc/pressure/${kind}`), /^some avg10=(\d+(?:\.\d+)?)/m)
  );
  if (cpu === undefined || io === undefined || memory === undefined) return null;
  return { cpu: cpu / 100, io: io / 100, memory: memory / 100 };
}

/** Rows on other work on this machine: steal, load, busy processes, quota. */
export const LOAD_ROWS = {
  steal: row("Stolen CPU time", "the hypervisor gives the CPU to others in the middle of a trial", {
    // The stolen share of the time that allowed CPUs were busy or stolen since boot, 0 to 1.
    linux({ files, allowed }) {
      const cpus = parseCpuTimes(files.line("proc/stat"));
      if (cpus === undefined) return undefined;
      let busy = 0, stolen = 0;
      for (const [cpu, { busyNs, stealNs }] of cpus) {
        if (allowed.length > 0 && !allowed.includes(cpu)) continue;
        busy += busyNs;
        stolen += stealNs;
      }
      return busy + stolen === 0 ? 0 : stolen / (busy + stolen);
    },
    darwin: "macOS counts no stolen time",
    judge(sinceBoot, _, watch) {
      const now = watchedSteal(watch);
      const seen = `${percent(sinceBoot)} of busy time since boot, ${
        now === null ? "not watched" : `${percent(now)} now`
      }`;
      const much = sinceBoot > DOCTOR_LIMITS.stealSinceBoot || (now ?? 0) > DOCTOR_LIMITS.stealWatched;
      return much ? judgedDoubtful(seen) : judgedWell(seen);
    },
    needed: "steal",
    shared(sinceBoot, _, watch) {
      const now = watchedSteal(watch) ?? 0;
      const reasons = [
        ...(sinceBoot > DOCTOR_LIMITS.stealSinceBoot
          ? [`${percent(sinceBoot)} of busy time was stolen since boot`]
          : []),
        ...(now > DOCTOR_LIMITS.stealWatched ? [`${percent(now)} stolen while watched`] : []),
      ];
      return reasons.length === 0 ? null : reasons.join(", ");
    },
  }),
  load: row("Load", "other work makes tasks wait, and may run into a trial", {
    linux({ files }) {
      const average = numberIn(files.line("proc/loadavg"), /^(\d+\.\d+)/);
      return average === undefined ? undefined : { average, pressure: pressureIn(files) };
    },
    darwin({ setting }) {
      const average = numberIn(setting("vm.loadavg").replaceAll(",", "."), /(\d+\.\d+)/);
      return average === undefined ? undefined : { average, pressure: null };
    },
    judge({ average, pressure }) {
      const waited = pressure === null
        ? []
        : [`waiting for CPU ${percent(pressure.cpu)}, io ${percent(pressure.io)}, memory ${percent(pressure.memory)}`];
      const seen = [`${average.toFixed(2)} over one minute`, ...waited].join("; ");
      if (average > DOCTOR_LIMITS.loadAverage) return judgedDoubtful(seen);
      const most = pressure === null ? 0 : Math.max(pressure.cpu, pressure.io, pressure.memory);
      return most <= DOCTOR_LIMITS.pressure ? judgedWell(seen) : judgedDoubtful(seen);
    },
    needed: "the load average",
    shared({ average, pressure }) {
      const reasons = [
        ...(average > DOCTOR_LIMITS.loadAverage ? [`a load average of ${average.toFixed(2)}`] : []),
        ...(pressure !== null && pressure.cpu > DOCTOR_LIMITS.pressure
          ? [`tasks waited for a CPU ${percent(pressure.cpu)} of the last 10 s`]
          : []),
      ];
      return reasons.length === 0 ? null : reasons.join(", ");
    },
  }),
  busy: seenRow("Busy processes", "they take CPU time and caches from a trial", {
    seen: (_, watch) => watch?.busy ?? null,
    judge(processes) {
      const taking = processes.filter(({ share }) => share > DOCTOR_LIMITS.busyShare);
      if (taking.length === 0) return judgedWell(`none above ${percent(DOCTOR_LIMITS.busyShare)} of a CPU`);
      const seen = taking.map(({ name, pid, share }) => `${name} (${pid}) ${percent(share)}`);
      return judgedDoubtful(firstFew(seen));
    },
    needed: "busy processes",
    shared([most]) {
      if (most === undefined || most.share <= DOCTOR_LIMITS.busyShare) return null;
      return `${most.name} uses ${percent(most.share)} of a CPU`;
    },
  }),
  quota: row("CPU quota", "the kernel halts server and generator whenever the quota is used up", {
    linux: ({ files }) => linuxQuota(files),
    // There are no control groups: nothing can halt a process by quota.
    darwin: () => null,
    judge: (cpus) =>
      cpus === null
        ? judgedWell("none")
        : judgedDoubtful(`${counted(Number(cpus.toFixed(2)), "CPU's worth", "CPUs' worth")} of time`),
    needed: "the CPU quota",
    shared: (cpus) => cpus === null ? null : `a CPU quota of ${Number(cpus.toFixed(2))}`,
  }),
};
