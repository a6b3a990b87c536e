/** Runs for a board of many: reference runs as other machines could have made them at other times, sealed anew. */
import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Observation } from "../bench/record/observation-record.ts";
import { REFERENCE } from "../bench/result/reference-name.ts";
import type { RunRecord } from "../bench/record/run-record.ts";
import { PACKED } from "../bench/host/find-runs.ts";
import { packed, packOf } from "../bench/host/pack-run.ts";
import { listRuns, readRun, type StoredRun } from "../bench/host/read-run.ts";
import { PROJECT_ROOT } from "../bench/host/runtimes.ts";
import { writeSealedRun } from "./write-run.ts";

/** So many kinds of CPU are made up. */
const KINDS = 40;

/** Each of so many runs is damaged after it was sealed. */
const DAMAGED_EVERY = 100;

const HOUR_MS = 3_600_000;

/** The reference runs of this project; none in an installed package. */
export function referenceRuns(): StoredRun[] {
  const results = join(PROJECT_ROOT, "results");
  return listRuns(results).filter((name) => name.startsWith(REFERENCE)).map((name) => readRun(join(results, name)));
}

/**
 * Writes one run into a folder of runs: a reference in turn, of a made-up machine, some hours later, recomputed and sealed.
 * Every second one is packed.
 *
 * @returns whether it holds: some are damaged
 */
export function writeBoardRun(folder: string, references: readonly StoredRun[], number: number): boolean {
  const made = varied(references[number % references.length]!, number);
  const path = writeSealedRun(join(folder, made.run.run), made);
  const holds = number % DAMAGED_EVERY !== DAMAGED_EVERY - 1;
  if (!holds) appendFileSync(join(path, "summary.json"), " ");
  if (number % 2 === 1) {
    writeFileSync(`${path}${PACKED}`, packed(packOf(path)));
    rmSync(path, { recursive: true });
  }
  return holds;
}

function varied({ run, lines }: StoredRun, number: number): { run: RunRecord; lines: Observation[] } {
  const kind = number % KINDS;
  const later = (time: string) => new Date(Date.parse(time) + number * HOUR_MS).toISOString();
  const name = `made-up-${String(number).padStart(4, "0")}`;
  return {
    run: {
      ...run,
      run: name,
      started_at: later(run.started_at),
      finished_at: run.finished_at === null ? null : later(run.finished_at),
      machine: { ...run.machine, cpu_kind: `made-up-${kind}`, cpu_model: `Made up ${kind}` },
    },
    lines: lines.map((line) => ({ ...line, started_at: later(line.started_at) })),
  };
}
