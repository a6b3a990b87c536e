/** All forgeries that `bench verify` promises to find (SECURITY.md), and those that it does not find. */
import assert from "node:assert/strict";
import { observationRecord } from "../../bench/record/observation-record.ts";
import { runRecord } from "../../bench/record/run-record.ts";
import { rawFaults } from "../../bench/result/verify.ts";
import type { Evidence, Forger, Forgery } from "./forgery.ts";
import { ofOne, ofReasons, ofSeveral } from "./loads.ts";
import { foreignLines, moved, unplanned, untimely } from "./order.ts";
import { ofWarmups } from "./warmups.ts";

const FORGERS: readonly Forger[] = [moved, unplanned, untimely, ofOne, ofSeveral, ofReasons, ofWarmups];

const forgeriesOf = (own: Evidence, other: Evidence): Forgery[] => [
  ...FORGERS.flatMap((forger) => [...forger(own)]),
  ...foreignLines(own, other),
];

/** A run with its name. */
export type NamedRun = Evidence & { readonly name: string };

/** Names of all forgeries of runs, and a line for each that no fault names. */
export interface Missed {
  readonly names: ReadonlySet<string>;
  readonly missed: readonly string[];
}

/** Forges runs in every way there is. Throws where two forgeries have one name, or one could not be read as a run. */
export function missedIn(runs: readonly NamedRun[]): Missed {
  const names = new Set<string>();
  const missed: string[] = [];
  for (const [n, own] of runs.entries()) {
    for (const { name, run, lines, found } of forgeriesOf(own, runs[(n + 1) % runs.length]!)) {
      const where = `${own.name}: ${name}`;
      assert.ok(!names.has(where), `two forgeries have one name: ${where}`);
      names.add(where);
      const changed = lines.filter((line) => !own.lines.includes(line));
      const readable = changed.every((line) => observationRecord.safeParse(line).success) &&
        runRecord.safeParse({ ...run, plan: own.run.plan }).success;
      // One that cannot be read is none.
      assert.ok(readable, `${where} cannot be read`);
      const faults = rawFaults(run, lines);
      if (!faults.some((fault) => found.test(fault))) missed.push(`${where}: ${faults.slice(0, 2).join("; ")}`);
    }
  }
  return { names, missed };
}
