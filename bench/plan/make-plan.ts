import { shellQuoted } from "../basics/shell.ts";
import { counted } from "../basics/units.ts";
import type { At, Point, RequestPlan, Suite } from "../../suites/suite.ts";
import { issueText } from "../record/issue-text.ts";
import { AA, hasValues, MAIN, pointKey } from "../record/cell.ts";
import type { Cell } from "../record/cell-schema.ts";
import { usageError } from "../basics/errors.ts";
import { everyTwo } from "./families.ts";
import type { UserSpec } from "../record/user-spec.ts";
import { type Plan, planSchema } from "../record/plan.ts";
import { requestKind } from "./ceiling-requests.ts";
import { expectationsFor, planAxes, refuseEqualNames } from "./plan-parts.ts";
import { askSuite, pointsOf, pointText, probeOf, type UnsupportedPoint, type Values } from "./points.ts";
import type { Settled } from "./profile.ts";
import { requestsAt } from "./points.ts";
import { whyNotTogether } from "./why-alone.ts";

/** Everything a plan is made from, other than the suite. */
export interface Choices extends Settled, Pick<Plan["suite"], "module"> {
  /** Hash over the suite's source, if a config brought it. */
  readonly source?: Plan["suite"]["source"];
  /** The servers that the suite was made from, if a command line or a config made it. */
  readonly own?: UserSpec | undefined;
  /** Label of another revision's cells, measured in the same rounds. */
  readonly against?: string | undefined;
}

/**
 * The plan of every combination of the chosen values, those that cannot be listed with their reasons. Cells under the
 * same conditions that may share a core are measured together, one of them twice as A/A; the others alone. Throws a
 * usage error if nothing can be measured.
 */
export async function makePlan(suite: Suite, choices: Choices): Promise<Plan> {
  const { values, rounds, aloneRounds, oneCondition } = choices;
  const { points, unsupported } = sendable(suite, pointsOf(suite, values), choices);
  if (points.length === 0) throw nothingToMeasure(suite, unsupported, choices.module);
  const axes = await planAxes(suite, values);
  const labels = choices.against === undefined ? [choices.label] : [choices.label, choices.against];
  const cells: Cell[] = points.flatMap((point) => labels.map((label) => ({ point: mutable(point), label })));
  const probe = probeOf(suite);
  const conditional = suite.axes.filter(({ role }) => role !== "contrast");
  const conditions = conditional.map(({ name }) => name);
  const isUnder = ({ point }: Cell, at: At) =>
    conditional.every(({ name, inEveryRound }) => inEveryRound || point.at[name] === at[name]);
  const groups = [
    ...Map.groupBy(cells, ({ point }) => JSON.stringify(conditions.map((name) => point.at[name]))).values(),
  ];
  const first = (groups.find((group) => isUnder(group[0]!, probe) && asks(suite, values, group)) ??
    groups.find((group) => asks(suite, values, group)) ?? groups.find(([one]) => isUnder(one!, probe)) ?? groups[0])
    ?.[0];
  const favourites = groups.filter(([one]) => isUnder(one!, first!.point.at));
  const judgedGroups = oneCondition ? favourites : groups;
  const partsOf = new Map(judgedGroups.map((group) => [group, choices.together ? ensemblesIn(suite, group) : []]));
  // The twin is one of the cells that are only compared alone.
  const twice = [...favourites, ...judgedGroups].find((group) =>
    partsOf.get(group)!.length === 0 && (group === favourites[0] || group.length > 1)
  );

  const solo: Plan["solo"] = [];
  const ensembles: Plan["ensembles"] = [];
  const withTwins = [...cells];
  for (const group of groups) {
    const parts = partsOf.get(group) ?? [];
    for (const part of parts) {
      const twin: Cell = { point: twinOf(suite, part.map(({ point }) => point)), label: AA };
      withTwins.push(twin);
      ensembles.push({ purpose: "matrix", cells: [...part, twin].map((cell) => withTwins.indexOf(cell)), rounds });
    }
    const together = new Set(parts.flat());
    for (const cell of group) {
      if (!together.has(cell)) {
        solo.push({ cell: withTwins.indexOf(cell), rounds: partsOf.has(group) ? rounds : aloneRounds });
      }
    }
    if (group === twice) {
      const twin: Cell = { point: twinOf(suite, group.map(({ point }) => point)), label: AA };
      solo.push({ cell: withTwins.push(twin) - 1, rounds });
    }
  }
  return assemblePlan(suite, choices, { axes, cells: withTwins, solo, ensembles, unsupported });
}

/** True if cells differ in the first contrast with several values, so that its first question is answered by them. */
function asks({ axes }: Suite, values: Values, group: readonly Cell[]): boolean {
  const first = axes.find(({ role, name }) => role === "contrast" && values[name]!.length > 1);
  return first !== undefined && new Set(group.map(({ point }) => point.at[first.name])).size > 1;
}

/** Points whose requests the generator can send; the others cannot be, like those the suite itself refuses. */
function sendable(
  suite: Suite,
  { points, unsupported }: { readonly points: Point[]; readonly unsupported: readonly UnsupportedPoint[] },
  { whyNotSent }: Choices,
) {
  const answers = points.map((point) => ({ point, reason: whyNotSent(requestsAt(suite, point)) }));
  return {
    points: answers.flatMap(({ point, reason }) => reason === null ? [point] : []),
    unsupported: [
      ...unsupported,
      ...answers.flatMap(({ point, reason }) => reason === null ? [] : [{ point, reason }]),
    ],
  };
}

/**
 * Most servers on one core at once, the A/A twin not counted. Twelve were tried and agreed with trios and duets within
 * 3 %; beyond this a server's turns are so short, and rounds so long, that splitting is cheaper.
 */
const MOST_TOGETHER = 15;

/**
 * Groups cells under the same conditions: all that may share a core are one ensemble. If they are too many, those that
 * differ only in the first contrast axis are, so that at least this question has its answer.
 */
export function ensemblesIn(suite: Suite, group: readonly Cell[]): Cell[][] {
  const sets: Cell[][] = [];
  for (const cell of group) {
    if (whyNotTogether(suite, cell.point, cell.point) !== null) continue;
    const set = sets.find((members) =>
      members.every((other) => whyNotTogether(suite, other.point, cell.point) === null)
    );
    if (set === undefined) sets.push([cell]);
    else set.push(cell);
  }
  const contrasts = suite.axes.filter(({ role }) => role === "contrast").map(({ name }) => name);
  return sets.flatMap((set) => {
    if (set.length <= MOST_TOGETHER) return [set];
    const shared = ({ point }: Cell) => JSON.stringify(contrasts.slice(1).map((name) => point.at[name]));
    return [...Map.groupBy(set, shared).values()].flatMap((part) => {
      const points = [...Map.groupBy(part, ({ point }) => pointKey(point)).values()];
      return chunks(points, Math.max(1, Math.floor(MOST_TOGETHER / points[0]!.length))).map((some) => some.flat());
    });
  }).filter((set) => set.length > 1);
}

/** Splits a list into chunks of about equal length, each at most so long. */
function chunks<T>(items: readonly T[], most: number): T[][] {
  const parts = Math.ceil(items.length / most);
  const size = Math.ceil(items.length / parts);
  return Array.from({ length: parts }, (_, n) => items.slice(n * size, (n + 1) * size));
}

/**
 * The plan of points compared together on one core, the first of them twice for the noise floor. Throws a usage error
 * if they cannot be.
 */
export async function makeDuetPlan(suite: Suite, choices: Choices, points: readonly At[]): Promise<Plan> {
  const named = points.map((at): Point => ({ suite: suite.name, at }));
  for (const point of named) {
    const answer = askSuite(suite, point, "supports", () => suite.supports?.(point) ?? true);
    if (answer !== true) throw nothingToMeasure(suite, [{ point, reason: answer }], choices.module);
  }
  for (const [a, b] of [...everyTwo(named), [named[0]!, named[0]!] as const]) {
    const apart = whyNotTogether(suite, a, b);
    if (apart === null) continue;
    throw usageError(
      `suite "${suite.name}": ${pointText(suite, a.at)} and ${
        pointText(suite, b.at)
      } cannot be compared on one core: ${apart}`,
      "bench run compares their solo rates",
    );
  }
  const axes = await planAxes(suite, choices.values);
  const cells: Cell[] = [{ point: mutable(named[0]!), label: MAIN }, { point: mutable(named[0]!), label: AA }];
  for (const point of named) {
    if (!cells.some((cell) => samePoint(cell.point, point))) cells.push({ point: mutable(point), label: MAIN });
  }
  return assemblePlan(suite, choices, {
    axes,
    cells,
    solo: [],
    ensembles: [{ purpose: "pair", cells: cells.map((_, place) => place), rounds: choices.rounds }],
    unsupported: [],
  });
}

/**
 * Returns a plan from its cells and their measurements. Throws a usage error if two cells would have one name, or if
 * the run would be too large to be read again.
 */
export function assemblePlan(
  suite: Suite,
  choices: Choices,
  made: Pick<Plan, "axes" | "cells" | "solo" | "ensembles"> & {
    readonly unsupported: readonly UnsupportedPoint[];
  },
): Plan {
  const { module, source, own, spareRounds, replyMs, restMs, warmup, generator, threads, seed } = choices;
  refuseEqualNames(suite, made.axes, made.cells);
  const plan: Plan = {
    schema: "levelfield.plan/2",
    suite: {
      name: suite.name,
      title: suite.title,
      ...(suite.subject === undefined ? {} : { subject: suite.subject }),
      module,
      ...(source === undefined ? {} : { source }),
      ...(own === undefined ? {} : { own }),
    },
    ...made,
    ...(made.ensembles.length > 0 ? { together_first: true as const } : {}),
    ...(choices.like ? { like: true as const } : {}),
    alone_rounds: choices.aloneRounds,
    ceilings: ceilingsOf(suite, made.cells),
    unsupported: made.unsupported.map(({ point, reason }) => ({ point: mutable(point), reason })),
    rounds: choices.rounds,
    ...(spareRounds === undefined ? {} : { spare_rounds: spareRounds }),
    duration_ms: choices.durationMs,
    ensemble_ms: choices.ensembleMs,
    warmup,
    generator,
    ...(suite.unit === undefined ? {} : { unit: suite.unit }),
    ...(replyMs === undefined ? {} : { reply_ms: replyMs }),
    ...(restMs === undefined ? {} : { rest_ms: restMs }),
    threads,
    seed,
    profile: choices.profile,
    preset: choices.preset,
    expectations: expectationsFor(suite, made.cells.map(({ point }) => point)),
  };
  return readablePlan(suite, plan);
}

/** Returns a plan that can be read again. Throws a usage error for any other: what is not read again is not begun. */
export function readablePlan(suite: Pick<Suite, "name">, plan: Plan): Plan {
  const { error } = planSchema.safeParse(plan);
  if (error === undefined) return plan;
  throw usageError(
    `suite "${suite.name}": this cannot be planned: ${issueText(error)}`,
    "choose fewer values or rounds",
  );
}

const mutable = ({ suite, at }: Point): Cell["point"] => ({ suite, at: { ...at } });
const samePoint = (a: Point, b: Point) => hasValues(a.at, b.at);

function nothingToMeasure(suite: Suite, unsupported: readonly UnsupportedPoint[], module: string | null) {
  const [first] = unsupported;
  const more = unsupported.length > 1 ? `, nor at any other of the ${counted(unsupported.length, "point")}` : "";
  return usageError(
    `suite "${suite.name}" cannot be measured at ${pointText(suite, first!.point.at)}${more}: ${first!.reason}`,
    `bench list ${shellQuoted(module ?? suite.name)} shows what can be measured`,
  );
}

/**
 * Returns the point measured twice: the suite's probe if it is measured, else one from the middle that may share a core
 * with itself.
 */
function twinOf(suite: Suite, points: readonly Point[]): Cell["point"] {
  const probe = { suite: suite.name, at: probeOf(suite) };
  const fit = points.filter((point) => whyNotTogether(suite, point, point) === null);
  const from = fit.length > 0 ? fit : points;
  const contrasts = suite.axes.filter(({ role }) => role === "contrast").map(({ name }) => name);
  const likeness = ({ at }: Point) => contrasts.filter((name) => at[name] === probe.at[name]).length;
  return mutable(
    from.find((point) => samePoint(point, probe)) ??
      from.find((point) => likeness(point) === contrasts.length) ?? from[Math.floor(from.length / 2)]!,
  );
}

/** The ceilings of cells by kind of request; the cell with the most draws represents its kind. */
function ceilingsOf(suite: Suite, cells: readonly Cell[]): Plan["ceilings"] {
  // The null server speaks plain HTTP/1.1 over kept connections, so it is no ceiling for other protocols, rates or
  // calls.
  const sent = cells.map(({ point }, place) => ({ place, requests: requestsAt(suite, point) }))
    .filter(({ requests }) =>
      !requests.calls && (requests.connection ?? "kept") === "kept" && (requests.protocol ?? "http") === "http" &&
      "closed" in requests.pace
    );
  return [...Map.groupBy(sent, ({ requests }) => requestKind(requests)).values()].map((group) => ({
    cell: group.reduce((best, one) => drawnFrom(one.requests) > drawnFrom(best.requests) ? one : best).place,
    stands_for: group.map(({ place }) => place),
  }));
}

const drawnFrom = ({ draws = {} }: RequestPlan) =>
  Object.values(draws).reduce((sum, draw) => sum + ("below" in draw ? draw.below : 0), 0);
