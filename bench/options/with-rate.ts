import { CLOSED, RATE } from "../record/cell.ts";
import { countAxis } from "../../suites/axes.ts";
import type { Protocol } from "../../servers/protocol.ts";
import type { Axis, RequestPlan, Suite, Value } from "../../suites/suite.ts";
import { usageError } from "../basics/errors.ts";
import { whyNot } from "../generators/refuse.ts";
import { GENERATORS, MEASURING } from "../generators/registry.ts";
import { atRate } from "../judge/open-loop.ts";
import type { RateAxis } from "../plan/rate-windows.ts";
import { withAxis } from "./with-axis.ts";

const rates = countAxis({
  name: RATE,
  title: "Rate",
  help: "requests per second that are due, whatever the server does, or a share of what it does in a closed loop",
  unit: "req/s",
  values: [],
  least: 1,
  most: 10_000_000,
});

/** A share of a server's closed-loop rate: no server answers all requests at more than 150 %. */
const SHARE = /^(\d+(?:\.\d+)?) ?%$/, MOST_PERCENT = 150;

function shareIn(text: string): string | undefined {
  const percent = Number(SHARE.exec(text)?.[1]);
  return percent > 0 && percent <= MOST_PERCENT ? `${percent}%` : undefined;
}

/** Rates of an open loop: requests per second, or shares of the capacity such as `50%`; `closed` is the suite's loop. */
export const rateAxis: Axis = {
  ...rates,
  values: [CLOSED],
  others: ["50%", 1_000, 5_000],
  parse: (text) => text === CLOSED ? CLOSED : shareIn(text.trim()) ?? rates.parse(text),
  format: (value) => typeof value === "string" ? value : rates.format(value),
};

/** Returns a suite with the axis `rate`. Its requests are those of the closed loop: windows at rates have another pace. */
export const withRate = (suite: Suite): Suite => withAxis(suite, rateAxis, CLOSED, (requests) => requests);

/** The rates among the values of an axis. */
export const openRates = (values: readonly Value[] = []): Value[] => values.filter((value) => value !== CLOSED);

/**
 * Returns the name of the generator that keeps rates in a run that another one measures: `ontime`, or `h2load` over TLS and
 * HTTP/2. Throws a usage error that names those that can, if that one neither can nor is wrk.
 */
export function rateGenerator(generator: string, protocols: readonly (Protocol | undefined)[]): string {
  if (generator === "wrk") return protocols.every((each = "http") => each === "http") ? "ontime" : "h2load";
  if (MEASURING[generator]?.abilities.openLoop) return generator;
  const able = Object.values(GENERATORS).filter(({ abilities }) => abilities.openLoop).map(({ name }) => name);
  throw usageError(
    `${generator} cannot keep a rate, ${able.slice(0, -1).join(", ")} and ${able.at(-1)} can`,
    `--generator ${able[0]}`,
  );
}

/** Returns the further axis of a plan at rates. Throws a usage error for a schedule that the generator cannot keep. */
export function rateAxisOf(
  generator: string,
  limit: string | null,
  schedule: RateAxis["schedule"] = "fixed",
): RateAxis {
  if (schedule === "fixed") return { axis: "rate", generator, limit };
  if (generator === "ontime" || generator === "websocket") return { axis: "rate", generator, limit, schedule };
  throw usageError(`${generator} keeps no ${schedule} schedule`, "--generator ontime, over HTTP/1.1 without TLS");
}

/** Returns why a generator cannot send requests at a rate; null if it can. */
export const whyNoRate = (generator: string, requests: RequestPlan): string | null =>
  whyNot(MEASURING[generator]!, { ...requests, pace: atRate(requests, 1) });
