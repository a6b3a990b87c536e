import type { Axis, Expectation, Point, RequestPlan, Suite, Value } from "../../suites/suite.ts";
import { atWithout } from "../record/cell.ts";

/**
 * A suite with an extra axis, which says how its requests are sent. Without the option of that name suites stay as they are,
 * so that the points of a plan name no axis that nobody chose.
 *
 * @param usual the value at which all is as without the axis: what the suite expects it expects there
 */
export function withAxis(
  suite: Suite,
  axis: Axis,
  usual: Value,
  change: (requests: RequestPlan, point: Point) => RequestPlan,
): Suite {
  const without = ({ suite: name, at }: Point): Point => ({ suite: name, at: atWithout(at, axis.name) });
  return {
    ...suite,
    axes: [...suite.axes, axis],
    supports: (point) => suite.supports?.(without(point)) ?? true,
    together: (points) => suite.together?.(points.map(without)) ?? true,
    files: (point) => suite.files?.(without(point)) ?? null,
    services: (point, directory) => suite.services?.(without(point), directory) ?? [],
    server: (point, ...rest) => suite.server(without(point), ...rest),
    oracle: (point) => suite.oracle(without(point)),
    ...(suite.calls === undefined ? {} : { calls: (point) => suite.calls!(without(point)) }),
    requests: (point) => change(suite.requests(without(point)), point),
    expectations: (suite.expectations ?? []).map((one) => expectedAt(one, { [axis.name]: usual })),
  };
}

function expectedAt(expectation: Expectation, at: Readonly<Record<string, Value>>): Expectation {
  return expectation.kind === "ratio"
    ? { ...expectation, over: { ...expectation.over, ...at }, under: { ...expectation.under, ...at } }
    : { ...expectation, at: { ...expectation.at, ...at } };
}
