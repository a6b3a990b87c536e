import { detectRuntime, RUNTIME_NAMES } from "../../servers/runtime.ts";
import { programsOfUser } from "../record/served-text.ts";
import type { Grade } from "../record/finding.ts";
import type { Plan } from "../record/plan.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Served } from "../record/server-schema.ts";
import { describeProject } from "../runs/provenance.ts";
import type { Link } from "../pipe/look-around.ts";
import type { Revision } from "../sources/revision.ts";
import type { ReadyFiles } from "./prepare-files.ts";
import { nowText } from "./sample-load.ts";
import type { Equipment, Tool } from "./site.ts";
import type { Hosts } from "./sample-load.ts";

/** A load generator as stored in results. */
function describeTool({ generator, generatorVersion, sha256 }: Tool): RunRecord["generator"] {
  return { name: generator.name, version: generatorVersion, sha256 };
}

const linkRecord = ({ name, bitsPerSecond }: Link) => ({ name, bits_per_second: bitsPerSecond });

/** Which host was which; nothing where none was named. */
export async function describeHosts(
  { server, load, service, apart, servicesOn, link, serviceLink }: Hosts,
): Promise<Pick<RunRecord, "hosts">> {
  if (link === undefined) return {};
  const [servers, loads] = [(await server.facts()).machine, (await load.facts()).machine];
  const bound = JSON.stringify(servers.topology) !== JSON.stringify(loads.topology);
  return {
    hosts: {
      server: server.command,
      load: load.command,
      address: link.address,
      link: linkRecord(link),
      ...(serviceLink === undefined ? {} : {
        service: {
          host: service.command,
          address: serviceLink.address,
          link: linkRecord(serviceLink),
          ...(servicesOn.servers || servicesOn.load ? {} : { machine: (await service.facts()).machine }),
        },
      }),
      ...(apart ? { load_machine: loads } : bound ? { load_topology: loads.topology } : {}),
    },
  };
}

/** Returns the program that served as one of a run's runtimes; nothing for other programs. */
function runtimeServed({ name, version, sha256, from }: Served): RunRecord["runtimes"] {
  const known = RUNTIME_NAMES.find((each) => each === name);
  if (known === undefined || version === null || sha256 === null) return [];
  const label = from === "pinned" ? name : `${name}@${version}`;
  const origin = { pinned: "npm", path: "path", elsewhere: "file" } as const;
  return [{ name, label, wanted: name, version, sha256, origin: origin[from] }];
}

interface RunStart {
  readonly name: string;
  readonly plan: Plan;
  readonly equipment: Equipment & { readonly tools: readonly Tool[] };
  readonly files: readonly ReadyFiles[];
  readonly grade: Grade;
  /** The other revision; undefined if there is none. */
  readonly against: Pick<Revision, "ref" | "commit" | "label"> | undefined;
}

/** Returns the record of a run that is about to start: its plan, machines and tools. */
export async function describeRun({ name, plan, equipment, files, grade, against }: RunStart): Promise<RunRecord> {
  const { placement, priority, tool, threads, wrk, hosts, tools } = equipment;
  const runtimes = [...equipment.runtimes.values()];
  const { machine } = await hosts.server.facts();
  const hashes = await hosts.server.hashes(runtimes.map(({ file }) => file));
  const driver = detectRuntime();
  const served = programsOfUser(plan.suite.own);
  return {
    schema: "levelfield.run/4",
    run: name,
    started_at: nowText(),
    finished_at: null,
    state: "running",
    levelfield: await describeProject(plan.suite.module),
    ...(against === undefined ? {} : { against: { ref: against.ref, commit: against.commit, label: against.label } }),
    plan,
    generator_threads: threads,
    placement: {
      pinning: placement.pinning,
      server_cpus: placement.serverCpus && [...placement.serverCpus],
      load_cpus: placement.loadCpus && [...placement.loadCpus],
      note: placement.note,
    },
    priority: { nice: priority.nice, why: priority.nice === null ? priority.why : null },
    grade: { grade: grade.grade, reasons: [...grade.reasons] },
    machine,
    ...(await describeHosts(hosts)),
    runtimes: served?.flatMap(runtimeServed) ??
      runtimes.map(({ name, label, wanted, version, revision, origin }, n) => ({
        name,
        label,
        wanted,
        version,
        sha256: hashes[n]!,
        ...(revision === undefined ? {} : { revision }),
        origin,
      })),
    generator: describeTool(tool),
    ...(tool.generator === wrk.generator ? {} : { warmed_by: describeTool(wrk) }),
    ...(tools.length === 0 ? {} : { further_generators: tools.map(describeTool) }),
    driver: { runtime: driver.name, version: driver.version },
    files: files.map(({ title, spec, sha256, diskBytes }) => ({
      title,
      request: { ...spec.request },
      sha256,
      disk_bytes: diskBytes,
    })),
  };
}
