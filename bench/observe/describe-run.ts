import { detectRuntime } from "../../servers/runtime.ts";
import type { Grade } from "../core/doctor/grade.ts";
import type { Plan } from "../core/plan.ts";
import type { RunRecord } from "../core/result/run-record.ts";
import { describeMachine, describeProject } from "../host/provenance.ts";
import type { Revision } from "../host/revision.ts";
import { fileSha256 } from "../host/runtimes.ts";
import type { ReadyFiles } from "./prepare-files.ts";
import { nowText } from "./sample-load.ts";
import type { Equipment, Tool } from "./site.ts";

/** A load generator as results keep it. */
export function describeTool({ generator, program, lead, generatorVersion }: Tool): RunRecord["generator"] {
  return { name: generator.name, version: generatorVersion, sha256: fileSha256(lead[0] ?? program) };
}

/** Writes down what a run is about to measure, on what and with what. */
export async function describeRun(
  name: string,
  plan: Plan,
  equipment: Equipment,
  files: readonly ReadyFiles[],
  grade: Grade,
  against: Pick<Revision, "ref" | "commit" | "label"> | undefined,
): Promise<RunRecord> {
  const { placement, priority, runtimes, generator, threads, wrk } = equipment;
  const driver = detectRuntime();
  return {
    schema: "levelfield.run/3",
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
    machine: describeMachine(),
    runtimes: [...runtimes.values()].map(({ name, label, wanted, version, file, origin }) => ({
      name,
      label,
      wanted,
      version,
      sha256: fileSha256(file),
      origin,
    })),
    generator: describeTool(equipment),
    ...(generator === wrk.generator ? {} : { warmed_by: describeTool(wrk) }),
    driver: { runtime: driver.name, version: driver.version },
    files: files.map(({ title, spec, sha256, diskBytes }) => ({
      title,
      request: { ...spec.request },
      sha256,
      disk_bytes: diskBytes,
    })),
  };
}
