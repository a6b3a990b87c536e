import { counted } from "../../basics/units.ts";
import { formatCpuList } from "../../basics/cpu-list.ts";
import { type Placement, placeProcesses } from "../placement.ts";
import { valueOf } from "../../record/samples.ts";
import type { MachineFacts, WatchFacts } from "./facts.ts";
import { about, asRoot, type Finding, isGuest, noneHere, percent, writeSetting } from "./finding.ts";
import { LIMITS } from "./limits.ts";

/** Where a run would put its processes when nothing is asked for. */
export function defaultPlacement(facts: MachineFacts): Placement {
  return placeProcesses(facts.topology);
}

/** Which CPUs there are for a run: pinning, cores, siblings, NUMA, isolation. */
export function judgeCpus(facts: MachineFacts, watch: WatchFacts): Finding[] {
  return [
    pinning(facts),
    cores(facts),
    smt(facts, watch),
    numa(facts),
    // Not a cost by itself: what others really took is in "busy" here and in every trial's counters.
    about("isolation", "Isolated CPUs", "the scheduler may put other work on the server's core")
      .from(facts.isolatedCpus, noneHere(facts), (cpus, { ok }) => {
        return ok(cpus.length === 0 ? "none; what others take is watched instead" : formatCpuList(cpus));
      }),
  ];
}

function pinning(facts: MachineFacts): Finding {
  const { ok, costs } = about(
    "pinning",
    "CPU pinning",
    "server and generator may share a core and move between cores: figures are advisory",
  );
  const { serverCpus, loadCpus } = defaultPlacement(facts);
  if (serverCpus !== null) {
    return ok(`server on CPU ${formatCpuList(serverCpus)}, generator on CPU ${formatCpuList(loadCpus)}`);
  }
  return costs(
    facts.topology.why,
    facts.os === "darwin"
      ? { none: "macOS offers no pinning; measure on Linux for figures that count" }
      : asRoot(facts.root, "apt-get install -y util-linux"),
  );
}

function cores({ onlineCpus, topology: { cpus, why } }: MachineFacts): Finding {
  const { ok, costs, unknown } = about(
    "cores",
    "Cores",
    "server and generator take turns on one core: rates are those of both together",
  );
  const all = valueOf(onlineCpus);
  const online = "value" in onlineCpus ? `${all} online` : onlineCpus.unreadable;
  if (cpus === null) return unknown(online, { none: why }, "a second core for the generator is not proven");
  const allowed = `CPU ${formatCpuList(cpus.map((cpu) => cpu.id))} allowed of ${online}`;
  const count = new Set(cpus.map((cpu) => cpu.core)).size;
  if (count >= 2) return ok(`${allowed}, ${counted(count, "core")}`);
  const mend = all !== null && all > cpus.length
    ? { command: `taskset -c 0-${all - 1} bin/bench doctor` }
    : { none: "this machine has one core; measure on a larger one" };
  return costs(`${allowed}, ${count} core`, mend);
}

function smt(facts: MachineFacts, watch: WatchFacts): Finding {
  const none = noneHere(facts);
  return about("smt", "SMT siblings", "a busy sibling takes up to half of a core without showing as foreign CPU time")
    .from(facts.siblings, none, (groups, { ok, costs, unknown }) => {
      const shared = groups.filter((group) => group.length > 1);
      if (shared.length === 0) {
        return isGuest(facts)
          ? unknown("none shown, but a guest sees what its hypervisor shows", none)
          : ok("each core has one CPU");
      }
      const mend = isGuest(facts) ? none : writeSetting(facts.root, "off", "/sys/devices/system/cpu/smt/control");
      const placement = defaultPlacement(facts);
      const used = new Set([...placement.serverCpus ?? [], ...placement.loadCpus ?? []]);
      const listOf = (cpus: Iterable<number>) => formatCpuList([...new Set(cpus)].sort((a, b) => a - b));
      if (placement.pinning === "siblings") return costs(`server and generator are siblings (${listOf(used)})`, mend);
      const idle = shared.filter((group) => group.some((cpu) => used.has(cpu))).flat().filter((cpu) => !used.has(cpu));
      const list = listOf(idle);
      if ("unreadable" in watch.cpus) return unknown(`sibling CPU ${list}: ${watch.cpus.unreadable}`, mend);
      const busy = watch.cpus.value.filter(({ cpu, others }) => idle.includes(cpu) && others > LIMITS.busyShare.value)
        .map(({ cpu, others }) => `sibling CPU ${cpu} ${percent(others)} busy`);
      if (busy.length > 0) return costs(busy.join(", "), mend);
      return ok(`on; a run leaves sibling CPU ${list} idle, and nobody used it while watched`);
    });
}

function numa(facts: MachineFacts): Finding {
  const numa = about("numa", "NUMA nodes", "the kernel may move memory between nodes during a trial");
  const { cpus, why } = facts.topology;
  if (cpus === null) return numa.unknown(why, { none: why }, "memory of another node is slower");
  const nodes = new Set(cpus.map((cpu) => cpu.node)).size;
  if (nodes === 1) return numa.ok("one");
  return numa.from(facts.numaBalancing, noneHere(facts), (on, { ok, costs }) => {
    if (!on) return ok(`${nodes} nodes, balancing off; a run stays on one where it can`);
    const off = asRoot(facts.root, "sysctl kernel.numa_balancing=0");
    return costs(`${nodes} nodes, automatic balancing on`, off, "the kernel moves memory between nodes during a trial");
  });
}
