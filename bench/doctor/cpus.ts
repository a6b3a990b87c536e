import { formatCpuList, parseCpuList } from "../basics/cpu-list.ts";
import { orElse } from "../basics/errors.ts";
import { percent } from "../basics/units.ts";
import { placeProcesses } from "../plan/placement.ts";
import { DOCTOR_LIMITS } from "./doctor-limits.ts";
import {
  type Around,
  asRoot,
  isGuest,
  judgedDoubtful,
  judgedUnknown,
  judgedWell,
  type Linux,
  row,
  seenRow,
  writeSetting,
} from "./row.ts";
import type { WatchFacts } from "./watch.ts";

const FOLDER = "sys/devices/system/cpu";

/** Reads a value of each allowed CPU; undefined if a CPU lacks it. */
function ofEach<T>({ allowed }: Linux, read: (folder: string) => T | undefined): T[] | undefined {
  const values = allowed.map((cpu) => read(`${FOLDER}/cpu${cpu}`));
  return values.length === 0 || values.includes(undefined) ? undefined : values as T[];
}

/** Rows on the CPUs of a run: pinning, siblings. */
export const CPU_ROWS = {
  pinning: seenRow(
    "CPU pinning",
    "server and generator may share a core and move between cores: figures are advisory",
    {
      seen: ({ topology }) => ({ value: placeProcesses(topology) }),
      judge({ serverCpus, loadCpus, note }, around) {
        if (serverCpus !== null) {
          return judgedWell(`server on CPU ${formatCpuList(serverCpus)}, generator on CPU ${formatCpuList(loadCpus)}`);
        }
        return judgedDoubtful(note, around.os === "darwin" ? null : asRoot(around, "apt-get install -y util-linux"));
      },
      shared({ pinning }) {
        if (pinning === "one-cpu") return "server and generator share the only CPU allowed";
        return pinning === "siblings" ? "server and generator share one physical core" : null;
      },
    },
  ),
  smt: row("SMT siblings", "a busy sibling takes up to half of a core without showing as foreign CPU time", {
    linux(from) {
      const groups = ofEach(from, (folder) => parseCpuList(from.files.line(`${folder}/topology/thread_siblings_list`)));
      return groups && [...new Map(groups.map((group) => [group.join(), group])).values()];
    },
    darwin: "macOS does not tell which CPUs share a core to ordinary processes",
    judge: judgeSiblings,
    needed: "SMT siblings",
  }),
};

function judgeSiblings(groups: readonly (readonly number[])[], around: Around, { cpus }: WatchFacts) {
  const shared = groups.filter((group) => group.length > 1);
  if (shared.length === 0) {
    return isGuest(around)
      ? judgedUnknown("none shown, but a guest sees what its hypervisor shows")
      : judgedWell("each core has one CPU");
  }
  const mend = isGuest(around) ? null : writeSetting(around, "off", "/sys/devices/system/cpu/smt/control");
  const placement = placeProcesses(around.topology);
  const used = new Set([...placement.serverCpus ?? [], ...placement.loadCpus ?? []]);
  const listOf = (cpus: Iterable<number>) => formatCpuList([...new Set(cpus)].sort((a, b) => a - b));
  if (placement.pinning === "siblings") {
    return judgedDoubtful(`server and generator are siblings (${listOf(used)})`, mend);
  }
  const idle = shared.filter((group) => group.some((cpu) => used.has(cpu))).flat().filter((cpu) => !used.has(cpu));
  if ("unreadable" in cpus) return judgedUnknown(`sibling CPU ${listOf(idle)}: ${cpus.unreadable}`, mend);
  const busy = cpus.value.filter(({ cpu, others }) => idle.includes(cpu) && others > DOCTOR_LIMITS.busyShare)
    .map(({ cpu, others }) => `sibling CPU ${cpu} ${percent(others)} busy`);
  if (busy.length > 0) return judgedDoubtful(busy.join(", "), mend);
  return judgedWell(`on; a run leaves sibling CPU ${listOf(idle)} idle, and nobody used it while watched`);
}

const gigahertz = (kHz: number) => `${(kHz / 1e6).toFixed(2)} GHz`;

const unsteady = (governors: readonly string[]) => governors.filter((name) => name !== "performance");

/** Rows on the speed of the CPUs: governor and clocks, boost. */
export const SPEED_ROWS = {
  governor: row("Frequency governor", "the clock follows the load, so slow cells run on a slower CPU", {
    linux(from) {
      const names = ofEach(from, (folder) => from.files.line(`${folder}/cpufreq/scaling_governor`));
      const [lows, highs] = ["min", "max"].map((end) =>
        orElse(() => ofEach(from, (folder) => from.files.count(`${folder}/cpufreq/scaling_${end}_freq`)), undefined)
      );
      const range = lows && highs ? { minKHz: Math.min(...lows), maxKHz: Math.max(...highs) } : null;
      return names && { names: [...new Set(names)], range };
    },
    darwin: "macOS does not tell how it governs the clock to ordinary processes",
    judge({ names, range }, around) {
      const clocks = range === null ? [] : [`${gigahertz(range.minKHz)} to ${gigahertz(range.maxKHz)}`];
      const seen = [...names, ...clocks].join(", ");
      if (unsteady(names).length === 0) return judgedWell(seen);
      const mend = writeSetting(around, "performance", "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor");
      const fall = range === null ? 0 : 1 - range.minKHz / range.maxKHz;
      const slower = `the clock follows the load: a CPU may run up to ${percent(fall)} slower than at its best`;
      return judgedDoubtful(seen, mend, fall > DOCTOR_LIMITS.clockRange ? slower : undefined);
    },
    needed: "the governor",
    shared: ({ names }) =>
      unsteady(names).length === 0
        ? null
        : `the governor is ${unsteady(names).join(", ")}, so the clock follows the load`,
  }),
  boost: row("Turbo or boost", "the clock depends on temperature and on what other cores do", {
    linux({ files }) {
      const intel = `${FOLDER}/intel_pstate/no_turbo`, other = `${FOLDER}/cpufreq/boost`;
      return files.has(intel)
        ? { on: files.line(intel) === "0", file: `/${intel}` }
        : { on: files.line(other) === "1", file: `/${other}` };
    },
    darwin: "macOS does not tell whether CPUs boost to ordinary processes",
    judge({ on, file }, around) {
      return on
        ? judgedDoubtful("on", writeSetting(around, file.endsWith("no_turbo") ? "1" : "0", file))
        : judgedWell("off");
    },
    needed: "boost",
    shared: ({ on }) => on ? "boost is on, so the clock depends on heat and neighbours" : null,
  }),
};
