import { formatCpuList } from "../cpu-list.ts";
import { type Placement, placeProcesses } from "../placement.ts";
import type { MachineFacts, WatchFacts } from "./facts.ts";
import { about, asRoot, type Finding, writeSetting } from "./finding.ts";
import { LIMITS } from "./limits.ts";
import { isGuest, noneHere } from "./surroundings.ts";
import { percent } from "./texts.ts";

/** Where a run would put its processes when nothing is asked for. */
export function defaultPlacement(facts: MachineFacts): Placement {
  return placeProcesses(facts.topology);
}

/** Which CPUs there are for a run: pinning, cores, siblings, NUMA, isolation. */
export function judgeCpus(facts: MachineFacts, watch: WatchFacts): Finding[] {
  return [pinning(facts), cores(facts), smt(facts, watch), numa(facts), isolation(facts)];
}

function pinning(facts: MachineFacts): Finding {
  const subject = about("pinning", "CPU pinning");
  const { cpus, why } = facts.topology;
  if (cpus !== null) {
    const placement = defaultPlacement(facts);
    return subject.ok(
      `server on CPU ${formatCpuList(placement.serverCpus ?? [])}, generator on CPU ${
        formatCpuList(placement.loadCpus ?? [])
      }`,
    );
  }
  return subject.costs(
    why,
    "server and generator may share a core and move between cores: figures are advisory",
    facts.os === "darwin"
      ? { none: "macOS offers no pinning; measure on Linux for figures that count" }
      : asRoot(facts.root, "apt-get install -y util-linux"),
  );
}

function cores(facts: MachineFacts): Finding {
  const subject = about("cores", "Cores");
  const online = "value" in facts.onlineCpus ? `${facts.onlineCpus.value} online` : facts.onlineCpus.unreadable;
  const { cpus } = facts.topology;
  if (cpus === null) {
    return subject.unknown(online, "a second core for the generator is not proven", { none: facts.topology.why });
  }
  const allowed = `CPU ${formatCpuList(cpus.map((cpu) => cpu.id))} allowed of ${online}`;
  const count = new Set(cpus.map((cpu) => cpu.core)).size;
  if (count >= 2) return subject.ok(`${allowed}, ${count} cores`);
  const more = "value" in facts.onlineCpus && facts.onlineCpus.value > cpus.length;
  return subject.costs(
    `${allowed}, ${count} core`,
    "server and generator take turns on one core: rates are those of both together",
    more
      ? { command: `taskset -c 0-${(facts.onlineCpus as { value: number }).value - 1} bin/bench doctor` }
      : { none: "this machine has one core; measure on a larger one" },
  );
}

function smt(facts: MachineFacts, watch: WatchFacts): Finding {
  const subject = about("smt", "SMT siblings");
  const cost = "a busy sibling takes up to half of a core without showing as foreign CPU time";
  return subject.from(facts.siblings, { cost, mend: noneHere(facts) }, (groups) => {
    const shared = groups.filter((group) => group.length > 1);
    if (shared.length === 0) {
      return isGuest(facts)
        ? subject.unknown("none shown, but a guest sees what its hypervisor shows", cost, noneHere(facts))
        : subject.ok("each core has one CPU");
    }
    const off = writeSetting(facts.root, "off", "/sys/devices/system/cpu/smt/control");
    const mend = isGuest(facts) ? noneHere(facts) : off;
    const placement = defaultPlacement(facts);
    const used = new Set([...placement.serverCpus ?? [], ...placement.loadCpus ?? []]);
    if (placement.pinning === "siblings") {
      return subject.costs(
        `server and generator are siblings (${formatCpuList([...used].sort((a, b) => a - b))})`,
        cost,
        mend,
      );
    }
    const idle = shared.filter((group) => group.some((cpu) => used.has(cpu))).flat().filter((cpu) => !used.has(cpu));
    const list = formatCpuList([...new Set(idle)].sort((a, b) => a - b));
    if ("unreadable" in watch.cpus) return subject.unknown(`sibling CPU ${list}: ${watch.cpus.unreadable}`, cost, mend);
    const busy = watch.cpus.value.filter(({ cpu, others }) => idle.includes(cpu) && others > LIMITS.busyShare.value);
    if (busy.length > 0) {
      return subject.costs(
        busy.map(({ cpu, others }) => `sibling CPU ${cpu} ${percent(others)} busy`).join(", "),
        cost,
        mend,
      );
    }
    return subject.ok(`on; a run leaves sibling CPU ${list} idle, and nobody used it while watched`);
  });
}

function numa(facts: MachineFacts): Finding {
  const subject = about("numa", "NUMA nodes");
  const { cpus, why } = facts.topology;
  if (cpus === null) return subject.unknown(why, "memory of another node is slower", { none: why });
  const nodes = new Set(cpus.map((cpu) => cpu.node)).size;
  if (nodes === 1) return subject.ok("one");
  return subject.from(
    facts.numaBalancing,
    { cost: "the kernel may move memory between nodes during a trial", mend: noneHere(facts) },
    (on) =>
      on
        ? subject.costs(
          `${nodes} nodes, automatic balancing on`,
          "the kernel moves memory between nodes during a trial",
          asRoot(facts.root, "sysctl kernel.numa_balancing=0"),
        )
        : subject.ok(`${nodes} nodes, balancing off; a run stays on one where it can`),
  );
}

function isolation(facts: MachineFacts): Finding {
  const subject = about("isolation", "Isolated CPUs");
  return subject.from(
    facts.isolatedCpus,
    { cost: "the scheduler may put other work on the server's core", mend: noneHere(facts) },
    // Not a cost by itself: what others really took is in "busy" here and in every trial's counters.
    (cpus) => subject.ok(cpus.length === 0 ? "none; what others take is watched instead" : formatCpuList(cpus)),
  );
}
