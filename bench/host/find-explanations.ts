import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { orElse } from "../basics/or-else.ts";
import { cellKey } from "../record/cell.ts";
import { type Explanation, explanationSchema } from "../record/explanation-schema.ts";
import type { RunRecord } from "../record/run-record.ts";
import { readJson } from "./read-run.ts";

/** Folder of explanations, beside those of runs. */
export const EXPLANATIONS = "explanations";

/** The newest that are looked at, and that are taken. */
const LOOKED_AT = 100;
const TAKEN = 6;

/** Explanations of a run's own cells on its kind of CPU, the newest of each. What cannot be read is passed over. */
export function findExplanations(runPath: string, run: Pick<RunRecord, "plan" | "machine">): Explanation[] {
  const known = new Set(run.plan.cells.map(cellKey));
  const found = new Map<string, Explanation>();
  for (const explanation of newestIn(join(dirname(runPath), EXPLANATIONS))) {
    const cells = explanation.cells.map(({ cell }) => cellKey(cell));
    const key = cells.toSorted().join();
    const own = cells.every((cell) => known.has(cell)) && explanation.machine.cpu_model === run.machine.cpu_model;
    if (own && !found.has(key)) found.set(key, explanation);
    if (found.size === TAKEN) break;
  }
  return [...found.values()];
}

function* newestIn(folder: string): Generator<Explanation> {
  for (const name of namesIn(folder).sort().reverse().slice(0, LOOKED_AT)) {
    try {
      yield readJson(join(folder, name, "explanation.json"), explanationSchema);
    } catch {
      // Of another version, half-written, or no explanation at all.
    }
  }
}

function namesIn(folder: string): string[] {
  return orElse(() => readdirSync(folder), []);
}
