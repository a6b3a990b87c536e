import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { orElse } from "../basics/errors.ts";
import type { Cell, PlanAxis } from "../record/cell-schema.ts";
import { cellKey } from "../record/cell.ts";
import { type Explanation, explanationSchema } from "../record/explanation-schema.ts";
import type { RunRecord } from "../record/run-record.ts";
import { lookAt } from "../files/plain-file.ts";
import { cellSource, type SuiteSource } from "../result/suite-identity.ts";
import { readJson } from "./read-run.ts";

/** The folder of explanations, next to those of runs. */
export const EXPLANATIONS = "explanations";

/** The most that are looked at, the newest first, and the most that are taken. */
const LOOKED_AT = 100;
const TAKEN = 6;

/** SHA-256 of the source of a cell outside this project, in hexadecimal; null for a cell of this project alone. */
export function sourceOfCell(suite: SuiteSource, axes: readonly PlanAxis[], cell: Cell): string | null {
  const source = cellSource(suite, axes, cell);
  return source === null ? null : createHash("sha256").update(source).digest("hex");
}

/** Returns the newest explanations of a run's cells on its kind of CPU; unreadable or incomparable ones are skipped. */
export function findExplanations(runPath: string, run: Pick<RunRecord, "plan" | "machine">): Explanation[] {
  const { suite, axes, cells } = run.plan;
  const known = new Map(cells.map((cell) => [cellKey(cell), sourceOfCell(suite, axes, cell)]));
  const found = new Map<string, Explanation>();
  for (const explanation of newestIn(join(dirname(runPath), EXPLANATIONS))) {
    const key = explanation.cells.map(({ cell }) => cellKey(cell)).toSorted().join();
    const same = explanation.cells.every(({ cell, source = null }) => known.get(cellKey(cell)) === source);
    const comparable = same && explanation.machine.cpu_model === run.machine.cpu_model;
    if (comparable && !found.has(key)) found.set(key, explanation);
    if (found.size === TAKEN) break;
  }
  return [...found.values()];
}

function* newestIn(folder: string): Generator<Explanation> {
  // Links are skipped: one would lead to another user's folders.
  for (const name of namesIn(folder).sort().reverse().slice(0, LOOKED_AT)) {
    // It may be of another version, half-written, or no explanation at all.
    const found = orElse(() => readJson(join(folder, name, "explanation.json"), explanationSchema), null);
    if (found !== null) yield found;
  }
}

function namesIn(folder: string): string[] {
  if (lookAt(folder)?.isDirectory() !== true) return [];
  const entries = orElse(() => readdirSync(folder, { withFileTypes: true }), []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}
