import { detectRuntime } from "../../servers/runtime.ts";
import { loadStore } from "../../stores/registry.ts";
import type { Grade } from "../core/doctor/grade.ts";
import { cellsOf, type Plan } from "../core/plan.ts";
import { planRecord } from "../core/result/plan-of-run.ts";
import type { RunRecord } from "../core/result/run-record.ts";
import type { Revision } from "../host/revision.ts";
import { describeMachine, describeProject } from "../host/provenance.ts";
import { fileSha256 } from "../host/runtimes.ts";
import type { Equipment } from "./equip.ts";
import type { PreparedPart } from "./prepare-data.ts";

/** Writes down what a run is about to measure, on what and with what. */
export async function describeRun(
  name: string,
  plan: Plan,
  equipment: Equipment,
  parts: readonly PreparedPart[],
  grade: Grade,
  against: Pick<Revision, "ref" | "commit" | "label"> | undefined,
): Promise<RunRecord> {
  const { placement, runtimes, generator, program, generatorVersion, threads } = equipment;
  const driver = detectRuntime();
  const storeNames = [...new Set(cellsOf(plan).map((cell) => cell.store))];
  const stores = await Promise.all(storeNames.map(loadStore));
  return {
    schema: "levelfield.run/1",
    run: name,
    started_at: new Date().toISOString(),
    finished_at: null,
    state: "running",
    levelfield: await describeProject(),
    ...(against === undefined ? {} : { against: { ref: against.ref, commit: against.commit, label: against.label } }),
    plan: planRecord(plan, threads),
    placement: {
      pinning: placement.pinning,
      server_cpus: placement.serverCpus && [...placement.serverCpus],
      load_cpus: placement.loadCpus && [...placement.loadCpus],
      note: placement.note,
    },
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
    stores: stores.map(({ name, title, complexity, durability }) => ({ name, title, complexity, durability })),
    generator: { name: generator.name, version: generatorVersion, sha256: fileSha256(program) },
    driver: { runtime: driver.name, version: driver.version },
    data_sets: parts.filter((part) => part.part === "dataset").map((part) => ({
      size: part.size,
      seed: plan.dataSeed,
      sha256: part.sha256!,
    })),
  };
}
