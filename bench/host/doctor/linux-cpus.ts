import { parseCpuList } from "../../basics/cpu-list.ts";
import { attempt } from "./attempt.ts";
import type { Files } from "./files.ts";

const CPUS = "sys/devices/system/cpu";

/** What Linux says of its CPUs and their clocks, of those allowed where it matters. */
export function linuxCpus(files: Files, allowed: readonly number[]) {
  const ofEach = <T>(read: (cpu: number) => T | undefined): T[] | undefined => {
    const values = allowed.map(read);
    return values.length === 0 || values.includes(undefined) ? undefined : values as T[];
  };
  return {
    onlineCpus: attempt("the list of CPUs online", () => parseCpuList(files.text(`${CPUS}/online`))?.length),
    siblings: attempt("the list of siblings", () => {
      const groups = ofEach((cpu) => parseCpuList(files.text(`${CPUS}/cpu${cpu}/topology/thread_siblings_list`)));
      return groups && [...new Map(groups.map((group) => [group.join(), group])).values()];
    }),
    isolatedCpus: attempt("the list of isolated CPUs", () => {
      const list = files.text(`${CPUS}/isolated`);
      return list === "" ? [] : parseCpuList(list);
    }),
    numaBalancing: attempt("NUMA balancing", () => files.text("proc/sys/kernel/numa_balancing") !== "0"),
    governors: attempt("cpufreq/scaling_governor", () => {
      const names = ofEach((cpu) => files.text(`${CPUS}/cpu${cpu}/cpufreq/scaling_governor`));
      return names && [...new Set(names)];
    }),
    boost: attempt("cpufreq/boost", () => {
      const intel = `${CPUS}/intel_pstate/no_turbo`, other = `${CPUS}/cpufreq/boost`;
      return files.has(intel)
        ? { on: files.text(intel) === "0", switch: `/${intel}` }
        : { on: files.text(other) === "1", switch: `/${other}` };
    }),
    clockRangeKHz: attempt("cpufreq/scaling_max_freq", () => {
      const lows = ofEach((cpu) => files.count(`${CPUS}/cpu${cpu}/cpufreq/scaling_min_freq`));
      const highs = ofEach((cpu) => files.count(`${CPUS}/cpu${cpu}/cpufreq/scaling_max_freq`));
      return lows && highs && { min: Math.min(...lows), max: Math.max(...highs) };
    }),
    clocksource: attempt("the clock source", () => {
      const folder = "sys/devices/system/clocksource/clocksource0";
      const available = files.text(`${folder}/available_clocksource`).split(/\s+/);
      return { current: files.text(`${folder}/current_clocksource`), available };
    }),
  };
}
