import { failure } from "../bench/basics/errors.ts";
import type { Observation } from "../bench/record/observation-record.ts";
import { type HostsWish, onHosts } from "../bench/observe/connect-hosts.ts";
import { equip } from "../bench/observe/equip.ts";
import { prepareFiles } from "../bench/observe/prepare-files.ts";
import type { Hosts } from "../bench/observe/sample-load.ts";
import type { Measurement } from "../bench/self/measurements.ts";
import { measured, middle } from "./measured.ts";
import { overPairs } from "./over-pairs.ts";
import { observeSelf, probeCell, runtimeAxisName, type SelfSite, spreadText } from "../bench/self/self-site.ts";

const WINDOW_MS = 2_000;
const WARMUP = { kind: "fixed", ms: 1_000, loads: 1 } as const;
/** Ways to an agent of this machine, a side each, where no others are given. */
const WAYS = { server: "env LEVELFIELD_SIDE=server", load: "env LEVELFIELD_SIDE=load" };

const of = measured("agents");

/**
 * What measuring through agents changes: the probe with servers and load generator behind a pipe each on this machine, over
 * the same without. Both in turn on each runtime, the order turned each round.
 *
 * @param ways others that lead to agents, such as ssh to this machine
 */
export async function measureAgents(site: SelfSite, ways: HostsWish): Promise<Measurement[]> {
  const { server = WAYS.server, load = WAYS.load, address } = ways;
  return await onHosts({ server, load, address }, (hosts) => measureThrough(hosts, site));
}

async function measureThrough(hosts: Hosts, site: SelfSite): Promise<Measurement[]> {
  const { suite } = site;
  const runtimes = [...site.equipment.runtimes.values()];
  const axis = runtimeAxisName(suite);
  const cellOn = (label: string) => probeCell(suite, { [axis]: label });
  const files = await prepareFiles({
    host: hosts.server,
    dataDirectory: hosts.server.dataFolder(site.dataDirectory),
    specs: runtimes.flatMap(({ label }) => suite.files?.(cellOn(label).point) ?? []),
    onStart: site.interrupts.onStart,
  });
  if (files.failed !== null) throw failure(files.failed, "bench data");
  const through: SelfSite = {
    ...site,
    files,
    equipment: await equip({ generator: site.equipment.tool.generator.name, threads: null }, {}, runtimes, hosts),
  };
  const pairs: { readonly here: Observation; readonly there: Observation }[] = [];
  for (let round = 0; round < site.rounds && !site.interrupts.stopped(); round++) {
    for (const { label } of runtimes) {
      if (site.interrupts.stopped()) break;
      site.say(`agents: ${label}, round ${round + 1} of ${site.rounds}`);
      const cells = [cellOn(label)];
      const once = (on: SelfSite) => observeSelf(on, { cells, round, windowMs: WINDOW_MS, warmup: WARMUP });
      const first = await once(round % 2 === 0 ? site : through);
      const second = await once(round % 2 === 0 ? through : site);
      const [here, there] = round % 2 === 0 ? [first, second] : [second, first];
      const lost = [here, there].find(({ status }) => status !== "ok");
      if (lost === undefined) pairs.push({ here, there });
      else site.say(`a round is lost: ${lost.marks[0]?.text ?? lost.status}`);
    }
  }
  const ratios = (of: (made: Observation) => number) => pairs.map(({ here, there }) => Math.log(of(there) / of(here)));
  const shares = pairs.flatMap(({ there }) => there.counters?.driver_share ?? []);
  const longer = pairs.map(({ here, there }) => (there.wall_ms - here.wall_ms) / 1e3);
  return [
    overPairs("agents", "rate through agents over without", ratios(({ load }) => load!.requests_per_second)),
    overPairs(
      "agents",
      "CPU time per request through agents over without",
      ratios(({ counters }) => counters!.server_cpu_ns_per_request!),
    ),
    of("share of a core that driver and agents use in the window", middle(shares), { most: 0.01 }, spreadText(shares)),
    of("seconds an observation takes longer", middle(longer), { most: 0.5 }, spreadText(longer)),
  ];
}
