import { AA, MAIN, subjectName } from "../plan.ts";
import { compare, type RoundPair } from "../statistics/compare.ts";
import { type NoiseFloor, noiseFloor } from "../statistics/noise-floor.ts";
import type { DuetRecord } from "./duet-record.ts";
import type { RunRecord } from "./run-record.ts";
import type { TrialRecord } from "./trial-record.ts";

const LEVEL = 0.95;

/** A trial's rate in requests a second; null unless it is ok. */
export const rateOf = (trial: TrialRecord) => trial.status === "ok" ? trial.load!.requests_per_second : null;

/** One pair of values a round; null where a round has no valid one. */
export function pairRounds<T extends { readonly round: number }>(
  a: readonly T[],
  b: readonly T[],
  value: (item: T) => number | null,
): RoundPair[] {
  const rounds = [...new Set([...a, ...b].map((item) => item.round))].sort((x, y) => x - y);
  const of = (items: readonly T[], round: number) => {
    const item = items.find((candidate) => candidate.round === round);
    return item === undefined ? null : value(item);
  };
  return rounds.map((round) => ({ round, a: of(a, round), b: of(b, round) }));
}

/** The duets of two subjects, each round as CPU time per request of a and b, in the order asked for. */
export function duetRounds(duets: readonly DuetRecord[], a: string, b: string): RoundPair[] {
  return duets.flatMap((duet) => {
    const names = [subjectName(duet.a), subjectName(duet.b)];
    const turned = names[0] === b && names[1] === a && a !== b;
    if (!turned && (names[0] !== a || names[1] !== b)) return [];
    const value = (side: DuetRecord["a"]) => duet.status === "ok" ? side.cpu_ns_per_request : null;
    const [first, second] = [value(duet.a), value(duet.b)];
    return [{ round: duet.round, a: turned ? second : first, b: turned ? first : second }];
  });
}

/** The noise floor of the run's A/A duets. */
export function duetFloor(duets: readonly DuetRecord[]): NoiseFloor {
  const pairs = new Map<string, [string, string]>();
  for (const { a, b } of duets) {
    if (a.label !== AA && b.label !== AA) continue;
    const names: [string, string] = [subjectName(a), subjectName(b)];
    pairs.set(names.join(), names);
  }
  return noiseFloor([...pairs.values()].map(([a, b]) => compare(duetRounds(duets, a, b), "lower", LEVEL)));
}

/** The noise floor of the run's A/A trials. */
export function soloFloor(run: RunRecord, trials: readonly TrialRecord[]): NoiseFloor {
  const again = trials.filter((trial) => trial.label === AA);
  const base = run.plan.subjects.find((subject) => subject.label !== AA)?.label ?? MAIN;
  const names = [...new Set(again.map((trial) => subjectName({ cell: trial.cell, label: base })))];
  return noiseFloor(names.map((name) => {
    const main = trials.filter((trial) => subjectName(trial) === name);
    const twin = again.filter((trial) => subjectName({ cell: trial.cell, label: base }) === name);
    return compare(pairRounds(main, twin, rateOf), "higher", LEVEL);
  }));
}
