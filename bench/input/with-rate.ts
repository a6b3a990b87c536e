import { countAxis } from "../../suites/axes.ts";
import type { Axis, Expectation, Point, Suite } from "../../suites/suite.ts";
import { atWithout } from "../record/cell.ts";
import { usageError } from "../basics/errors.ts";
import { atRate, CLOSED, RATE, rateAt } from "../judge/open-loop.ts";
import { GENERATORS, MEASURING } from "../generators/registry.ts";

const rates = countAxis({
  name: RATE,
  title: "Rate",
  help: "requests a second that are due, whatever the server does",
  unit: "req/s",
  values: [],
  least: 1,
  most: 10_000_000,
});

/** Rates of an open loop; `closed` is the loop the suite asks for. */
export const rateAxis: Axis = {
  ...rates,
  values: [CLOSED],
  others: [1_000, 5_000],
  parse: (text) => text === CLOSED ? CLOSED : rates.parse(text),
  format: (value) => value === CLOSED ? CLOSED : rates.format(value),
};

/**
 * A suite with one axis more, by which each of its points can be measured at rates. Without `--rate` suites stay as they are,
 * so that a plan's points name no axis that nobody asked for. What a suite expects it expects of its own loop.
 */
export function withRate(suite: Suite): Suite {
  const own = ({ suite: name, at }: Point): Point => ({ suite: name, at: atWithout(at, RATE) });
  return {
    ...suite,
    axes: [...suite.axes, rateAxis],
    supports: (point) => suite.supports?.(own(point)) ?? true,
    together: (points) =>
      points.some(({ at }) => rateAt(at) !== null)
        ? "a rate is kept for one server at a time"
        : suite.together?.(points.map(own)) ?? true,
    files: (point) => suite.files?.(own(point)) ?? null,
    services: (point, directory) => suite.services?.(own(point), directory) ?? [],
    server: (point, ...rest) => suite.server(own(point), ...rest),
    oracle: (point) => suite.oracle(own(point)),
    requests(point) {
      const requests = suite.requests(own(point));
      const perSecond = rateAt(point.at);
      return perSecond === null ? requests : { ...requests, pace: atRate(requests, perSecond) };
    },
    expectations: (suite.expectations ?? []).map(ofOwnLoop),
  };
}

function ofOwnLoop(expectation: Expectation): Expectation {
  const closed = { [RATE]: CLOSED };
  return expectation.kind === "ratio"
    ? { ...expectation, over: { ...expectation.over, ...closed }, under: { ...expectation.under, ...closed } }
    : { ...expectation, at: { ...expectation.at, ...closed } };
}

/** Throws a usage error that names those that can where a generator cannot keep rates that are asked for. */
export function refuseRates(
  suite: Suite,
  values: Readonly<Record<string, readonly unknown[]>>,
  generator: string,
): void {
  const asked = suite.axes.includes(rateAxis) && values[RATE]!.some((rate) => rate !== CLOSED);
  if (!asked || MEASURING[generator]!.abilities.openLoop) return;
  const able = Object.values(GENERATORS).filter(({ abilities }) => abilities.openLoop).map(({ name }) => name);
  const last = able.pop();
  throw usageError(`${generator} cannot keep a rate, ${able.join(", ")} and ${last} can`, `--generator ${able[0]}`);
}
