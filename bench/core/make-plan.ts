import type { At, Point, RequestPlan, Suite } from "../../suites/suite.ts";
import { optionName } from "./axis-options.ts";
import { AA, cellName, MAIN, matches } from "./cell.ts";
import type { Cell, PlanAxis } from "./cell-schema.ts";
import { usageError } from "./errors.ts";
import { everyTwo, familiesOf } from "./families.ts";
import type { Plan, PlanExpectation } from "./plan.ts";
import { askSuite, pointsOf, pointText, probeOf, type UnsupportedPoint, type Values } from "./points.ts";
import { requestKind } from "./request-kind.ts";
import type { Settled } from "./settle.ts";

/** What makes a plan, besides the suite. */
export interface Choices {
  readonly settled: Settled;
  /** Path of the suite's module where it is not one of this project's. */
  readonly module: string | null;
  readonly seed: number;
  readonly generator: string;
}

/** What makes the plan of a matrix. */
export interface MatrixChoices extends Choices {
  /** Label of the cells. */
  readonly label: string;
  /** Label of another revision's cells, measured beside. */
  readonly against?: string | undefined;
  /** Contrast axes whose values are compared together on one core; empty for none. */
  readonly contrasts: readonly string[];
  /** Whether labels of one point are compared that way. */
  readonly labels: boolean;
}

/** The contrast axes that are compared together on one core unless others are asked for: the first. */
export function firstContrast({ axes }: Suite): string[] {
  return axes.filter(({ role }) => role === "contrast").slice(0, 1).map(({ name }) => name);
}

/**
 * The plan of every combination of the chosen values, those that cannot be listed with their reasons, and one cell again
 * as the A/A twin. Throws a usage error where nothing can be measured.
 */
export async function makePlan(suite: Suite, choices: MatrixChoices): Promise<Plan> {
  const { values, ensembleMs } = choices.settled;
  const { points, unsupported } = pointsOf(suite, values);
  if (points.length === 0) throw nothingToMeasure(suite, unsupported, choices.module);
  const axes = await planAxes(suite, values);
  const twin = twinOf(suite, points);
  const labels = choices.against === undefined ? [choices.label] : [choices.label, choices.against];
  const cells: Cell[] = points.flatMap((point) => labels.map((label) => ({ point: mutable(point), label })));
  const again: Cell = { point: mutable(twin), label: AA };
  cells.push(again);

  const ensembles: Plan["ensembles"] = [];
  const join = (purpose: Plan["ensembles"][number]["purpose"], a: Cell, b: Cell) => {
    if (whyApart(suite, a.point, b.point) === null) {
      ensembles.push({ purpose, cells: [cells.indexOf(a), cells.indexOf(b)] });
    }
  };
  if (ensembleMs > 0 && (choices.contrasts.length > 0 || choices.labels)) {
    join("aa", cells.find(({ point }) => samePoint(point, twin))!, again);
    for (const family of familiesOf(axes, cells)) {
      const wanted = family.kind === "label" ? choices.labels : choices.contrasts.includes(family.axis!);
      if (wanted) { for (const [a, b] of everyTwo(family.cells)) join(family.kind, a, b); }
    }
  }
  return assemble(suite, choices, { axes, cells, solo: cells.map((_, place) => place), ensembles, unsupported });
}

/**
 * The plan of two points compared together on one core, and the first one twice for the noise floor. Throws a usage error
 * where they cannot be.
 */
export async function makeDuetPlan(suite: Suite, choices: Choices, pair: readonly [At, At]): Promise<Plan> {
  const [a, b] = pair.map((at): Point => ({ suite: suite.name, at })) as [Point, Point];
  for (const point of [a, b]) {
    const answer = askSuite(suite, point, "supports", () => suite.supports?.(point) ?? true);
    if (answer !== true) throw nothingToMeasure(suite, [{ point, reason: answer }], choices.module);
  }
  const apart = whyApart(suite, a, b) ?? whyApart(suite, a, a);
  if (apart !== null) {
    throw usageError(
      `suite "${suite.name}": ${pointText(suite, a.at)} and ${
        pointText(suite, b.at)
      } cannot be compared on one core: ${apart}`,
      "bench run compares their solo rates",
    );
  }
  const axes = await planAxes(suite, choices.settled.values);
  const same = samePoint(a, b);
  const cells: Cell[] = [{ point: mutable(a), label: MAIN }, { point: mutable(a), label: AA }];
  if (!same) cells.push({ point: mutable(b), label: MAIN });
  return assemble(suite, choices, {
    axes,
    cells,
    solo: [],
    ensembles: [{ purpose: "aa", cells: [0, 1] }, ...(same ? [] : [{ purpose: "pair" as const, cells: [0, 2] }])],
    unsupported: [],
  });
}

function assemble(
  suite: Suite,
  { settled, module, seed, generator }: Choices,
  made: Pick<Plan, "axes" | "cells" | "solo" | "ensembles"> & { readonly unsupported: readonly UnsupportedPoint[] },
): Plan {
  refuseEqualNames(suite, made.axes, made.cells);
  return {
    schema: "levelfield.plan/1",
    suite: { name: suite.name, title: suite.title, module },
    axes: made.axes,
    cells: made.cells,
    solo: made.solo,
    ensembles: made.ensembles,
    ceilings: ceilingsOf(suite, made.cells, made.solo),
    unsupported: made.unsupported.map(({ point, reason }) => ({ point: mutable(point), reason })),
    rounds: settled.rounds,
    duration_ms: settled.durationMs,
    ensemble_ms: Math.max(1_000, settled.ensembleMs),
    warmup_ms: settled.warmupMs,
    warmup_loads: settled.warmupLoads,
    generator,
    threads: settled.threads,
    seed,
    profile: settled.profile,
    preset: settled.preset,
    expectations: expectationsFor(suite, made.cells.map(({ point }) => point)),
  };
}

const mutable = ({ suite, at }: Point): Cell["point"] => ({ suite, at: { ...at } });
const samePoint = (a: Point, b: Point) => matches(a.at, b.at);

function nothingToMeasure(suite: Suite, unsupported: readonly UnsupportedPoint[], module: string | null) {
  const [first] = unsupported;
  const more = unsupported.length > 1 ? `, nor at any other of the ${unsupported.length} points` : "";
  return usageError(
    `suite "${suite.name}" cannot be measured at ${pointText(suite, first!.point.at)}${more}: ${first!.reason}`,
    `bench list ${module ?? suite.name} shows what can be measured`,
  );
}

/** The axes with their chosen values, each with its text and facts. */
export async function planAxes(suite: Suite, values: Values): Promise<PlanAxis[]> {
  const axes = await Promise.all(suite.axes.map(async (axis): Promise<PlanAxis> => {
    const own = values[axis.name]!;
    return {
      name: axis.name,
      title: axis.title,
      role: axis.role,
      unit: axis.unit ?? null,
      option: optionName(axis.name),
      shown: axis.role === "contrast" || axis.values.length > 1 || own.length > 1 || own[0] !== axis.values[0],
      values: await Promise.all(own.map(async (value) => {
        const facts = Object.entries(await axis.describe?.(value) ?? {});
        const given = facts.filter((fact): fact is [string, string] => fact[1] !== undefined);
        return { value, text: axis.format(value), facts: Object.fromEntries(given) };
      })),
    };
  }));
  // A name must not be empty, so where no axis would be shown all are.
  return axes.some(({ shown }) => shown) ? axes : axes.map((axis) => ({ ...axis, shown: true }));
}

/** Why two points cannot be measured at the same time on one core; null when they can. */
function whyApart(suite: Suite, a: Point, b: Point): string | null {
  const answer = askSuite(suite, a, "together", () => suite.together?.([a, b]) ?? true);
  if (answer !== true) return answer;
  const [first, second] = [a, b].map((point) => connectionsOf(requestsAt(suite, point)));
  return first === second ? null : `one load has ${first} connections, the other ${second}`;
}

const requestsAt = (suite: Suite, point: Point) => askSuite(suite, point, "requests", () => suite.requests(point));
const connectionsOf = ({ pace }: RequestPlan) => "closed" in pace ? pace.closed : pace.connections;

/** The point measured twice: the suite's probe where it is measured, else one from the middle that may stand beside itself. */
function twinOf(suite: Suite, points: readonly Point[]): Point {
  const probe = { suite: suite.name, at: probeOf(suite) };
  const fit = points.filter((point) => whyApart(suite, point, point) === null);
  const from = fit.length > 0 ? fit : points;
  return from.find((point) => samePoint(point, probe)) ?? from[Math.floor(from.length / 2)]!;
}

/** Cells by the kind of request they are sent; the one that draws from most stands for all of its kind. */
function ceilingsOf(suite: Suite, cells: readonly Cell[], solo: readonly number[]): Plan["ceilings"] {
  const sent = solo.map((place) => ({ place, requests: requestsAt(suite, cells[place]!.point) }));
  return [...Map.groupBy(sent, ({ requests }) => requestKind(requests)).values()].map((group) => ({
    cell: group.reduce((best, one) => drawnFrom(one.requests) > drawnFrom(best.requests) ? one : best).place,
    stands_for: group.map(({ place }) => place),
  }));
}

const drawnFrom = ({ draws = {} }: RequestPlan) =>
  Object.values(draws).reduce((sum, draw) => sum + ("below" in draw ? draw.below : 0), 0);

/** The suite's expectations that speak of cells of the plan, of both sides where there are two. */
function expectationsFor({ expectations = [] }: Suite, points: readonly Point[]): PlanExpectation[] {
  const measured = (at: At) => points.filter((point) => matches(point.at, at));
  const valuesOn = (axis: string, at: At) => new Set(measured(at).map((point) => point.at[axis]));
  const touching = expectations.filter((expectation) => {
    switch (expectation.kind) {
      case "ratio":
        return measured(expectation.over).length > 0 && measured(expectation.under).length > 0;
      case "scaling":
        return valuesOn(expectation.axis, expectation.at).size > 1;
      case "steps":
        return expectation.values.some((value) => valuesOn(expectation.axis, expectation.at ?? {}).has(value));
      default:
        return measured(expectation.at).length > 0;
    }
  });
  return structuredClone(touching) as PlanExpectation[];
}

/** Names stand for cells in all of a run's files, so two cells of one name would be one. */
function refuseEqualNames(suite: Suite, axes: readonly PlanAxis[], cells: readonly Cell[]): void {
  const seen = new Map<string, Cell>();
  for (const cell of cells) {
    const name = cellName(axes, cell);
    const other = seen.get(name);
    if (other !== undefined) {
      const values = (at: At) => suite.axes.map((axis) => `${axis.name} ${JSON.stringify(at[axis.name])}`).join(", ");
      throw usageError(
        `suite "${suite.name}": "${name}" is the name of ${values(other.point.at)} and of ${values(cell.point.at)}`,
        "give each value of an axis a text of its own: see its format",
      );
    }
    seen.set(name, cell);
  }
}
