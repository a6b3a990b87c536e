/** The forgeries that `bench verify` promises to find (SECURITY.md), one of each kind, and those that it does not find. */
import assert from "node:assert/strict";
import { fnv1aOf } from "../../bench/basics/fnv.ts";
import { observationRecord } from "../../bench/record/observation-record.ts";
import { runRecord } from "../../bench/record/run-record.ts";
import { rawFaults } from "../../bench/result/verify.ts";
import type { Evidence, Forger, Forgery } from "./forgery.ts";
import { reasonForgeries, sharedLoadForgeries, soloLoadForgeries } from "./loads.ts";
import { foreignLineForgeries, movedLines, unplannedSteps, untimelyLines } from "./order.ts";
import { warmupForgeries } from "./warmups.ts";

const FORGERS: readonly Forger[] = [
  movedLines,
  unplannedSteps,
  untimelyLines,
  soloLoadForgeries,
  sharedLoadForgeries,
  reasonForgeries,
  warmupForgeries,
];

const forgeriesOf = (evidence: Evidence, other: Evidence): Forgery[] => [
  ...FORGERS.flatMap((forger) => [...forger(evidence)]),
  ...foreignLineForgeries(evidence, other),
];

type NamedRun = Evidence & { readonly name: string };

interface Forged {
  readonly where: string;
  readonly evidence: Evidence;
  readonly forgery: Forgery;
}

/** Forges runs in every way there is. Throws where two forgeries have one name. */
export function* forgedFrom(runs: readonly NamedRun[]): Generator<Forged> {
  const names = new Set<string>();
  for (const [n, evidence] of runs.entries()) {
    for (const forgery of forgeriesOf(evidence, runs[(n + 1) % runs.length]!)) {
      const where = `${evidence.name}: ${forgery.name}`;
      assert.ok(!names.has(where), `two forgeries have one name: ${where}`);
      names.add(where);
      yield { where, evidence, forgery };
    }
  }
}

/** Chooses one forgery of each kind, whichever run and line it is of: always the same ones, spread over all runs. */
export function oneOfEachKind(forged: Iterable<Forged>): Forged[] {
  const ranked = [...forged].map((one) => ({ one, rank: fnv1aOf(one.where) })).toSorted((a, b) => a.rank - b.rank);
  const kinds = new Set<string>();
  return ranked.map(({ one }) => one).filter(({ forgery }) => {
    const kind = forgery.name.replaceAll(/\d+/g, "N");
    return !kinds.has(kind) && kinds.add(kind);
  });
}

/** A line for each forgery that no fault names. Throws where one could not be read as a run. */
export function missedAmong(forged: Iterable<Forged>): string[] {
  const missed: string[] = [];
  for (const { where, evidence, forgery: { run, lines, found } } of forged) {
    const changed = lines.filter((line) => !evidence.lines.includes(line));
    const readable = changed.every((line) => observationRecord.safeParse(line).success) &&
      runRecord.safeParse({ ...run, plan: evidence.run.plan }).success;
    // One that cannot be read is none.
    assert.ok(readable, `${where} cannot be read`);
    const faults = rawFaults(run, lines);
    if (!faults.some((fault) => found.test(fault))) missed.push(`${where}: ${faults.slice(0, 2).join("; ")}`);
  }
  return missed;
}
