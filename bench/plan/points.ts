import type { At, Axis, Point, Suite, Value } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";

/** Values for each axis of a suite, by the axis's name. */
export type Values = Readonly<Record<string, readonly Value[]>>;

/** A point that cannot be, and why. */
export interface UnsupportedPoint {
  readonly point: Point;
  readonly reason: string;
}

/** `runtime "node", size "10k"`: a point for messages, without conditions that have their one default value. */
export function pointText({ axes }: Pick<Suite, "axes">, at: At): string {
  const distinct = axes.filter(({ name, role, values }) =>
    name in at && (role === "contrast" || values.length > 1 || at[name] !== values[0])
  );
  return (distinct.length > 0 ? distinct : axes)
    .map((axis) => `${axis.name} ${JSON.stringify(axis.format(at[axis.name]!))}`).join(", ");
}

/** Asks a suite about a point. If the suite throws, throws a usage error that names suite and point. */
export function askSuite<T>(suite: Suite, point: Point, what: string, ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    const why = String((error as Error).message ?? error).split("\n")[0];
    throw usageError(
      `suite "${suite.name}": ${what} fails at ${pointText(suite, point.at)}: ${why}`,
      "mend the suite, or choose other values",
    );
  }
}

/** Values of one axis in the order of tables: as the suite lists them, then along a scale, then as they were given. */
export function inOrder(axis: Axis, values: readonly Value[]): Value[] {
  const given = [...new Set(values)];
  if (axis.role === "scale" && given.every((value) => typeof value === "number")) return given.sort((a, b) => a - b);
  const listed = [...axis.values, ...axis.others ?? []];
  return [...listed.filter((value) => given.includes(value)), ...given.filter((value) => !listed.includes(value))];
}

/** Every combination of the values, the first axis changing fastest, split into possible and impossible ones. */
export function pointsOf(suite: Suite, values: Values) {
  const points: Point[] = [];
  const unsupported: UnsupportedPoint[] = [];
  const combined = suite.axes.reduceRight<At[]>(
    (rest, { name }) => rest.flatMap((at) => values[name]!.map((value) => ({ [name]: value, ...at }))),
    [{}],
  );
  for (const at of combined) {
    const point: Point = { suite: suite.name, at };
    const answer = askSuite(suite, point, "supports", () => suite.supports?.(point) ?? true);
    if (answer === true) points.push(point);
    else unsupported.push({ point, reason: answer });
  }
  return { points, unsupported };
}

/** The first value of each axis, or the suite's choice of a quick and steady point. */
export function probeOf(suite: Suite): At {
  return { ...Object.fromEntries(suite.axes.map(({ name, values }) => [name, values[0]!])), ...suite.probe };
}

/** The requests of a suite at a point. Throws a usage error if the suite fails there. */
export const requestsAt = (suite: Suite, point: Point) =>
  askSuite(suite, point, "requests", () => suite.requests(point));
