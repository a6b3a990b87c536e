import { join } from "node:path";
import { parseBoundedJson } from "../basics/bounded-json.ts";
import type { Plan } from "../record/plan.ts";
import type { RunRecord } from "../record/run-record.ts";
import { readPlainFile } from "../files/plain-file.ts";

interface FoundReference {
  readonly name: string;
  /** A note that it is of another kind of CPU; null if it is of this one. */
  readonly note: string | null;
}

/** The first suite's reference run among the sorted names in a folder: of a kind of CPU, else of any. */
export function findReference(results: string, runs: readonly string[], kind: string): FoundReference | undefined {
  const exact = `${REFERENCE}-${kind}`;
  if (runs.includes(exact)) return { name: exact, note: null };
  const name = runs.find((each) => each.startsWith(`${REFERENCE}-`) && isReference(results, each));
  if (name === undefined) return undefined;
  return {
    name,
    note: `there is no "${exact}": taking "${name}", of another kind of CPU, whose ratios need not hold here`,
  };
}

/** Returns true if a folder has the name that a reference run of its first suite must have. */
function isReference(results: string, name: string): boolean {
  try {
    const run = readPlainFile(join(results, name, "run.json")).toString("utf8");
    const { plan, machine } = parseBoundedJson(run) as { plan: Plan; machine: RunRecord["machine"] };
    // Names of other suites' runs hold the suite, see referenceName.
    return plan.preset === null && name === `${REFERENCE}-${machine.cpu_kind}`;
  } catch {
    // A damaged run is skipped; if the user names it, the error gives the reason.
    return false;
  }
}

/** The word for a reference run on the command line, and the first one of every such run's folder name. */
export const REFERENCE = "reference";

/** Returns true for the folder of a run that is kept: a reference, or the run of an audit. It is never the newest run. */
export const isKept = (name: string): boolean => name.startsWith(REFERENCE) || name.startsWith("audit-");
