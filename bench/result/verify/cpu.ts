import type { Loaded, Member, Observation } from "../../record/observation-record.ts";
import type { RunRecord } from "../../record/run-record.ts";
import { type Claim, momentNs, readingsNs, TICK_NS } from "./claim.ts";

type Counters = NonNullable<Loaded["counters"]>;

/** CPUs a run's servers had: as many as shares are divided by, and as many as they could be on at once. */
export const serverCpus = ({ placement: { server_cpus: cpus }, machine }: RunRecord) => ({
  divisor: cpus?.length ?? 1,
  most: cpus?.length ?? machine.cpus,
});

/** Shares of a window in which no CPU can be busy for longer than it is. */
const OF_ONE_CPU = [
  "server_thread_share",
  "generator_share",
  "server_wait_share",
  "steal_share",
  "softirq_share",
  "server_kernel_share",
  "core_share",
  "server_foreign_share",
  "generator_foreign_share",
] as const;

/** Busy shares have to fit a window, each other and what was found beside them. */
export function shareFaults(loaded: Loaded, run: RunRecord, claim: Claim): void {
  const { counters } = loaded;
  if (counters === null || counters.share_window_ns === null) return;
  const { divisor, most } = serverCpus(run);
  const slack = readingsNs(loaded) / counters.share_window_ns;
  for (const name of OF_ONE_CPU) {
    const share = counters[name] ?? null;
    claim(share === null || share <= 1 + slack, `${name} is more than all of a CPU`);
  }
  const { server_share: server, core_share: core, server_thread_share: thread } = counters;
  const kernel = counters.server_kernel_share ?? 0;
  claim(server === null || server * divisor <= most + slack, "its servers used more CPUs than they had");
  claim(
    server === null || thread === null || thread <= server * divisor * (1 + 1e-9),
    "a server's thread was busier than all its threads",
  );
  if (server === null || core === null) return;
  claim(core >= server - slack, "its servers were busier than their cores");
  const foreign = counters.server_foreign_share;
  if (foreign === null) return;
  const left = core - server - kernel;
  claim(foreign <= Math.max(0, left) + 1e-9, "others used more of the servers' cores than was left of them");
  // Soft interrupts of waiting cores are nobody's, and a generator on the same cores is no other.
  const { server_cpus, load_cpus } = run.placement;
  const apart = !(server_cpus ?? []).some((cpu) => load_cpus?.includes(cpu));
  const nobodys = Math.max(0, 1 - server) * (counters.softirq_share ?? 1);
  claim(
    !apart || foreign >= left - nobodys - 1e-9,
    "the servers' cores were busy with nobody's work",
  );
}

/** CPU time servers used while shares were read, least and most: soft interrupts kept apart are in the share alone. */
function innerNs(counters: Counters, divisor: number): readonly [least: number, most: number] | null {
  const { server_share, share_window_ns: window, softirq_in_cpu_time, softirq_share } = counters;
  if (server_share === null || window === null) return null;
  const most = server_share * window * divisor;
  const apart = softirq_in_cpu_time === false ? (softirq_share ?? 1) * window * divisor : 0;
  return [Math.max(0, most - apart) * (1 - 1e-9), most * (1 + 1e-9)];
}

/** What a part may be too long by: it was told in ticks only where a thread ended, and is then a whole number of them. */
const roundedNs = (parts: readonly number[]) => 2 * TICK_NS * parts.filter((ns) => ns > 0 && ns % TICK_NS === 0).length;

/** CPU time a load's servers can have used at most: what they did while shares were read, and all CPUs from there to the outer readings. */
function longestNs(loaded: Loaded, servers: number, innerNs: number | null, cpus: number): number {
  const { load, counters } = loaded;
  const window = counters!.cpu_window_ns ?? null;
  if (window === null) {
    // How far apart the readings were is not told: after the end servers still answer what is under way, and clear up.
    const after = load!.connections * servers * (counters!.server_cpu_ns_per_request ?? 0) + servers * momentNs(loaded);
    return cpus * (1e3 * load!.duration_us + after);
  }
  const outer = innerNs === null ? window : Math.max(0, window - counters!.share_window_ns!);
  return (innerNs ?? 0) + cpus * (outer + momentNs(loaded)) + 2 * TICK_NS * servers;
}

/** What a load cost its servers has to fit its length, and the shares that were read inside. */
export function costFaults(loaded: Loaded, servers: number, run: RunRecord, claim: Claim): void {
  const { load, counters } = loaded;
  const cpuNs = counters?.server_cpu_ns ?? null;
  if (load === null || counters === null || cpuNs === null) return;
  const { divisor, most } = serverCpus(run);
  const inner = innerNs(counters, divisor);
  claim(cpuNs <= longestNs(loaded, servers, inner?.[1] ?? null, most), "its servers used more CPU time than there was");
  const window = counters.cpu_window_ns ?? Infinity;
  claim(window >= 1e3 * load.duration_us - momentNs(loaded), "its CPU time was read over less than its load");
  claim(inner === null || cpuNs >= inner[0] - 2 * TICK_NS * servers, "its CPU time is less than the shares inside it");
}

/** The CPU time of one server is told twice, and its parts hold the stretch shares were read over. */
export function ownCost({ counters }: Loaded, { cpu_ns, parts }: Member, run: RunRecord, claim: Claim): void {
  const cpuNs = counters?.server_cpu_ns ?? null;
  claim((cpu_ns === null) === (cpuNs === null), "its CPU time is told once and left out once");
  if (counters === null || cpuNs === null || cpu_ns === null) return;
  const [head, tail] = parts ?? [];
  const pieces = head === undefined || tail === undefined ? [cpuNs, cpuNs, cpuNs] : [
    head.cpu_ns,
    tail.cpu_ns,
    cpu_ns - head.cpu_ns - tail.cpu_ns,
  ];
  const slack = head === undefined ? 2 * TICK_NS * pieces.length : roundedNs(pieces);
  claim(cpu_ns >= cpuNs - slack && cpu_ns <= cpuNs + slack, "its server's CPU time is not the one that was counted");
  const inner = innerNs(counters, serverCpus(run).divisor);
  if (inner === null || head === undefined || tail === undefined) return;
  const most = head.cpu_ns + tail.cpu_ns;
  claim(most >= inner[0] - 2 * TICK_NS, "its parts used less CPU time than the shares inside them");
  claim(
    tail.cpu_ns <= inner[1] + 2 * TICK_NS + roundedNs([tail.cpu_ns]),
    "its last part used more than the shares it is in",
  );
}

/** Times by which a part of a turn may be longer against the other than planned: a driver that waits for its own turn comes late. */
const LATE = 3;

/** What each of several servers used is the share of their core, taken apart. */
export function togetherCost({ counters, load, members }: Observation, run: RunRecord, claim: Claim): void {
  const used = members.flatMap(({ cpu_ns, lead_in }) => cpu_ns === null ? [] : cpu_ns + (lead_in?.cpu_ns ?? 0));
  if (counters === null || used.length === 0) return;
  if (members.some(({ requests, cpu_ns }) => requests !== null && cpu_ns === null)) return;
  const sum = used.reduce((a, b) => a + b, 0);
  const inner = innerNs(counters, serverCpus(run).divisor);
  const rounded = roundedNs(
    members.flatMap(({ cpu_ns, parts }) =>
      parts === null
        ? [TICK_NS, TICK_NS].slice(0, cpu_ns === null ? 0 : 2)
        : [parts[0].cpu_ns, parts[1].cpu_ns, cpu_ns! - parts[0].cpu_ns - parts[1].cpu_ns]
    ),
  );
  claim(inner === null || sum >= inner[0] - rounded, "its servers used less CPU time than the share of their cores");
  claim(inner === null || sum <= inner[1] + rounded, "its servers used more CPU time than the share of their cores");
  const all = counters.server_cpu_ns;
  claim(all === null || all >= sum - rounded - 1, "the window used more CPU time than the load it is part of");
  const { turn_ms: turn, lead_in_ms: leadIn } = load ?? {};
  if (turn === undefined || leadIn === undefined) return;
  const planned = leadIn / turn;
  const fits = members.every(({ cpu_ns, lead_in }) => {
    if (cpu_ns === null || lead_in === undefined) return true;
    const found = lead_in.cpu_ns / cpu_ns;
    return found >= planned / LATE && found <= planned * LATE;
  });
  claim(fits, "a server used another share of its CPU time before its turns counted than turns have of it");
}
