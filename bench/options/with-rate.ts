import { countAxis } from "../../suites/axes.ts";
import type { Axis, Suite } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import { withAxis } from "./with-axis.ts";
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

/** A suite each of whose points can be measured at rates; see {@link withAxis}. */
export function withRate(suite: Suite): Suite {
  const rated = withAxis(suite, rateAxis, CLOSED, (requests, { at }) => {
    const perSecond = rateAt(at);
    return perSecond === null ? requests : { ...requests, pace: atRate(requests, perSecond) };
  });
  return {
    ...rated,
    together: (points) =>
      points.some(({ at }) => rateAt(at) !== null)
        ? "a rate is kept for one server at a time"
        : rated.together!(points),
  };
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
  throw usageError(`${generator} cannot keep a rate, ${able.join(" and ")} can`, `--generator ${able[0]}`);
}
