/** Rounds and windows of a plan that has a time: both follow from what its rounds cost and vary by so far. */
import { cellKey } from "../record/cell.ts";
import type { Observation } from "../record/observation-record.ts";
import type { Plan } from "../record/plan.ts";
import { allocate, type Allocation, efficientMs, type RoundCosts, type RoundsAhead } from "../statistics/allocation.ts";
import { moderatedTimes } from "../statistics/blocks.ts";
import { studentTQuantile } from "../statistics/distributions.ts";
import { log } from "../statistics/logarithms.ts";
import { costOf } from "../statistics/slices.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { familyLevel } from "../statistics/verdict.ts";
import { mean } from "../statistics/variation.ts";
import { comparedPairs } from "./families.ts";
import { SETTLE_TOGETHER_MS, turnsTakeMs } from "./lengths.ts";
import { isInAll, windowTogetherMs } from "./schedule.ts";

/** Bounds of a server's counted time in a round, in ms. Shorter windows hold a garbage collection of one server, or none. */
const COUNTED_MS = { least: 500, most: 10_000 } as const;

/**
 * Milliseconds of a window in which a server varies by as much as from round to round besides, until rounds have shown it.
 * In 17 kept runs of seven servers and more, four rounds each at least, it was 1.9 s in the middle, in the least 0.3 s; in
 * three, rounds varied by no more than their windows.
 */
const USUAL_MS = 1_900;
const USUAL = { within: 1, between: 1 / USUAL_MS };
/** Its weight, in degrees of freedom. */
const USUAL_WEIGHT = 4;

/** Share of its time by which a run may end late, so that a remainder is not left unused. */
const LATE = 0.1;

/** Time of an observation that no part of it counts: oracle, readings, stopping; in ms for each server. */
const BESIDES_MS = 250;

/** The total of rounds, the counted time of each server in later ones in ms, and the costs behind both. */
type Allotment = Allocation & RoundCosts;

/**
 * Returns the allotment of a plan with a time by the lines of complete rounds; null before the first one, and for a plan
 * without a time. It follows from the plan and these lines alone.
 */
export function allotment(plan: Plan, lines: readonly Observation[]): Allotment | null {
  const rounds = [
    ...Map.groupBy(lines.filter(({ kind }) => kind === "ensemble"), ({ round }) => round).values(),
  ];
  if (plan.timed === undefined || rounds.length === 0) return null;
  const ok = rounds.filter((ofRound) => ofRound.every(({ status }) => status === "ok"));
  const made = ok.map((ofRound) => mean(ofRound.map((line) => windowMsOf(plan, line) / line.members.length)));
  const leftMs = plan.timed.ms - lines.reduce((sum, { wall_ms }) => sum + wall_ms, 0);
  const variance = ok.length === 0 ? USUAL : varianceOf(ok.flat());
  const found = allotted(plan, plan.timed, { ...timeOf(plan, rounds, lines), ...variance }, { made, leftMs });
  // A lost round is repeated within the time, so the total is one more.
  return { ...found, rounds: found.rounds + rounds.length - ok.length };
}

/**
 * Returns the allotment before anything is measured: by what rounds usually cost and vary by.
 *
 * @param roundMs expected time of a round of nothing but ensembles, and of all that is measured alone
 */
export function firstAllotment(
  plan: Plan,
  timed: NonNullable<Plan["timed"]>,
  { roundMs, aloneMs }: { readonly roundMs: number; readonly aloneMs: number },
): Allotment {
  const fixedMs = plan.ensembles.reduce(
    (left, { cells: { length } }) => left - turnsTakeMs(windowTogetherMs(plan.ensemble_ms, length), length),
    roundMs,
  );
  const costs = { fixedMs, perCountedMs: perCountedMs(plan), ...USUAL };
  return allotted(plan, timed, costs, { made: [], leftMs: timed.ms - aloneMs });
}

/**
 * After the first look at verdicts windows fill the time. Until then they are half as long as tells most for the time, so that
 * a large difference is known soon. That takes at most an eighth more time for the same variance, whatever starts cost.
 */
function allotted(
  plan: Plan,
  { ms, most_rounds, window_ms, looks }: NonNullable<Plan["timed"]>,
  costs: RoundCosts,
  { made, leftMs }: Pick<RoundsAhead, "made" | "leftMs">,
): Allotment {
  const { least, most } = window_ms === undefined ? COUNTED_MS : { least: window_ms, most: window_ms };
  const found = allocate(costs, {
    ...{ leftMs, lateMs: LATE * ms, made, rounds: [plan.rounds, most_rounds], countedMs: [least, most] },
    reach: reachOf(plan, looks?.length ?? 1),
  });
  const isBeforeLook = made.length < (looks?.[0] ?? 0);
  const wanted = isBeforeLook ? Math.min(found.countedMs, Math.max(least, efficientMs(costs) / 2)) : found.countedMs;
  return { ...costs, ...found, countedMs: Math.max(least, Math.floor(wanted / 100) * 100) };
}

const windowMsOf = ({ ensemble_ms }: Plan, { members, counted_ms }: Observation) =>
  windowTogetherMs(counted_ms ?? ensemble_ms, members.length);

const perCountedMs = ({ ensembles }: Plan) =>
  ensembles.reduce((sum, { cells: { length } }) => sum + turnsTakeMs(length, length), 0);

/** Returns the time of a round, from the last one. Cells measured alone in every round count with their own time. */
function timeOf(
  plan: Plan,
  rounds: readonly (readonly Observation[])[],
  lines: readonly Observation[],
): Pick<RoundCosts, "fixedMs" | "perCountedMs"> {
  const last = rounds.at(-1)!;
  const inAll = new Set(plan.solo.filter((one) => isInAll(plan, one)).map(({ cell }) => cellKey(plan.cells[cell]!)));
  const solo = lines.filter(({ kind, round, members: [first] }) =>
    kind === "solo" && round === last[0]!.round && inAll.has(cellKey(first!.cell))
  );
  return {
    fixedMs: last.reduce((sum, line) => sum + besidesMs(line, plan), 0) +
      solo.reduce((sum, { wall_ms }) => sum + wall_ms, 0),
    perCountedMs: perCountedMs(plan),
  };
}

/** Milliseconds of an observation outside its window, as if nothing had been measured alone. */
function besidesMs(line: Observation, plan: Plan): number {
  const { members, wall_ms } = line, servers = members.length;
  if (line.alone) {
    return members.reduce(
      (sum, { server, warmup }) => sum + (server?.startup_ms ?? 0) + (warmup?.duration_us ?? 0) / 1e3,
      servers * (SETTLE_TOGETHER_MS + BESIDES_MS),
    );
  }
  return Math.max(0, wall_ms - turnsTakeMs(windowMsOf(plan, line), servers));
}

/** Counted milliseconds of a server: in its turn it has the core for itself and fills it. */
const countedIn = ({ cpu_ns }: { readonly cpu_ns: number | null }) => (cpu_ns ?? 0) / 1e6;

/**
 * Returns what log costs vary by inside windows and from round to round besides. What is common to all servers of a load
 * cancels in their ratios, so it is left out.
 */
export function varianceOf(together: readonly Observation[]): Pick<RoundCosts, "within" | "between"> {
  const inside = together.map(changesIn).filter((changes) => changes.length > 1);
  const insideDegrees = inside.reduce((sum, changes) => sum + changes.length - 1, 0);
  const within = insideDegrees === 0 ? 0 : inside.flat().reduce((sum, square) => sum + square, 0) / insideDegrees;
  const rounds = [...Map.groupBy(together, ({ members }) => JSON.stringify(members.map(({ cell }) => cell))).values()]
    .map(residualsOf);
  const degrees = rounds.reduce((sum, one) => sum + one.degrees, 0);
  const beyond = rounds.reduce((sum, one) => sum + one.squares - within * one.shares, 0);
  return { within, between: Math.max(0, (beyond + USUAL_WEIGHT * within / USUAL_MS) / (degrees + USUAL_WEIGHT)) };
}

/** Squares of how each server's cost changed inside a window against the others, times the milliseconds it is known by. */
function changesIn({ members }: Observation): number[] {
  const changes = members.flatMap(({ parts, marks }) => {
    if (parts === null || marks.length > 0) return [];
    const [head, tail] = parts;
    if (Math.min(head.requests, tail.requests, head.cpu_ns, tail.cpu_ns) <= 0) return [];
    const change = log(costOf(tail)!) - log(costOf(head)!);
    return [{ change, knownMs: 1 / (1 / countedIn(head) + 1 / countedIn(tail)) }];
  });
  // Servers measured one after the other have no windows together.
  if (changes.length === 0) return [];
  const common = mean(changes.map(({ change }) => change));
  return changes.map(({ change, knownMs }) => (change - common) ** 2 * knownMs);
}

/**
 * Returns the sum of squares that servers and rounds leave of log costs, its degrees of freedom, and the part of a window
 * of one millisecond's variance that it holds. Rounds that lack a server are left out.
 */
function residualsOf(rounds: readonly Observation[]) {
  const known = rounds.map(({ members }) => members).filter((members) =>
    members.every(({ cpu_ns_per_request, marks }) => cpu_ns_per_request !== null && marks.length === 0)
  );
  const logs = known.map((members) => members.map(({ cpu_ns_per_request }) => log(cpu_ns_per_request!)));
  const servers = logs[0]?.length ?? 0;
  if (logs.length < 2 || servers < 2) return { squares: 0, degrees: 0, shares: 0 };
  const ofServers = Array.from({ length: servers }, (_, n) => mean(logs.map((round) => round[n]!)));
  const all = mean(ofServers);
  const squares = logs.reduce((sum, round) => {
    const ofRound = mean(round);
    return sum + round.reduce((some, each, n) => some + (each - ofServers[n]! - ofRound + all) ** 2, 0);
  }, 0);
  const degrees = (servers - 1) * (logs.length - 1);
  return { squares, degrees, shares: degrees * mean(known.flat().map((member) => 1 / countedIn(member))) };
}

/** Half an interval after so many rounds, in standard errors, plus the distance that the wanted power needs. */
function reachOf(plan: Plan, looks: number): (rounds: number) => number {
  const pairs = plan.ensembles.reduce((sum, one) => sum + comparedPairs(plan, one).length, 0);
  const { levelEach } = familyLevel(looks * pairs);
  const times = Math.min(2, moderatedTimes(Math.min(...plan.ensembles.map(({ cells }) => cells.length))));
  return (rounds) => {
    const degrees = Math.max(1, Math.floor((rounds - 1) * times + 1e-9));
    return studentTQuantile((1 + levelEach) / 2, degrees) + studentTQuantile(thresholds.power.value, degrees);
  };
}
