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
  const own = ({ suite: name, at }: Point): Point => ({ suite: name, at: atWithout(at, axis.name) });
  return {
    ...suite,
    axes: [...suite.axes, axis],
    supports: (point) => suite.supports?.(own(point)) ?? true,
    together: (points) => suite.together?.(points.map(own)) ?? true,
    files: (point) => suite.files?.(own(point)) ?? null,
    services: (point, directory) => suite.services?.(own(point), directory) ?? [],
    server: (point, ...rest) => suite.server(own(point), ...rest),
    oracle: (point) => suite.oracle(own(point)),
    ...(suite.calls === undefined ? {} : { calls: (point) => suite.calls!(own(point)) }),
    requests: (point) => change(suite.requests(own(point)), point),
    expectations: (suite.expectations ?? []).map((one) => expectedAt(one, { [axis.name]: usual })),
  };
}

function expectedAt(expectation: Expectation, at: Readonly<Record<string, Value>>): Expectation {
  return expectation.kind === "ratio"
    ? { ...expectation, over: { ...expectation.over, ...at }, under: { ...expectation.under, ...at } }
    : { ...expectation, at: { ...expectation.at, ...at } };
}
