import { formatCpuList, parseCpuList } from "../basics/cpu-list.ts";
import { percent } from "../basics/units.ts";
import { placeProcesses } from "../plan/placement.ts";
import { DOCTOR_LIMITS } from "./doctor-limits.ts";
import {
  type Around,
  asRoot,
  costs,
  isGuest,
  type Linux,
  noneHere,
  ok,
  row,
  seenRow,
  unknown,
  writeSetting,
} from "./row.ts";
import type { WatchFacts } from "./watch.ts";

const FOLDER = "sys/devices/system/cpu";

/** Reads a value of each allowed CPU; undefined if one of them has none. */
export function ofEach<T>({ allowed }: Linux, read: (folder: string) => T | undefined): T[] | undefined {
  const values = allowed.map((cpu) => read(`${FOLDER}/cpu${cpu}`));
  return values.length === 0 || values.includes(undefined) ? undefined : values as T[];
}

/** Rows on the CPUs of a run: pinning, siblings. */
export const CPUS = {
  pinning: seenRow(
    "CPU pinning",
    "server and generator may share a core and move between cores: figures are advisory",
    {
      seen: ({ topology }) => ({ value: placeProcesses(topology) }),
      judge({ serverCpus, loadCpus, note }, around) {
        if (serverCpus !== null) {
          return ok(`server on CPU ${formatCpuList(serverCpus)}, generator on CPU ${formatCpuList(loadCpus)}`);
        }
        const none = { none: "macOS offers no pinning; measure on Linux for figures that count" };
        return costs(note, around.os === "darwin" ? none : asRoot(around, "apt-get install -y util-linux"));
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
  const none = noneHere(around);
  const shared = groups.filter((group) => group.length > 1);
  if (shared.length === 0) {
    return isGuest(around)
      ? unknown("none shown, but a guest sees what its hypervisor shows", none)
      : ok("each core has one CPU");
  }
  const mend = isGuest(around) ? none : writeSetting(around, "off", "/sys/devices/system/cpu/smt/control");
  const placement = placeProcesses(around.topology);
  const used = new Set([...placement.serverCpus ?? [], ...placement.loadCpus ?? []]);
  const listOf = (cpus: Iterable<number>) => formatCpuList([...new Set(cpus)].sort((a, b) => a - b));
  if (placement.pinning === "siblings") return costs(`server and generator are siblings (${listOf(used)})`, mend);
  const idle = shared.filter((group) => group.some((cpu) => used.has(cpu))).flat().filter((cpu) => !used.has(cpu));
  if ("unreadable" in cpus) return unknown(`sibling CPU ${listOf(idle)}: ${cpus.unreadable}`, mend);
  const busy = cpus.value.filter(({ cpu, others }) => idle.includes(cpu) && others > DOCTOR_LIMITS.busyShare)
    .map(({ cpu, others }) => `sibling CPU ${cpu} ${percent(others)} busy`);
  if (busy.length > 0) return costs(busy.join(", "), mend);
  return ok(`on; a run leaves sibling CPU ${listOf(idle)} idle, and nobody used it while watched`);
}
