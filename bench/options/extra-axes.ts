import type { Axis, Expectation, Point, RequestPlan, Suite, Value } from "../../suites/suite.ts";
import {
  ALL_ROUTES,
  atWithout,
  CLOSED_LOOP,
  PROTOCOL_AXIS,
  protocolAt,
  PROTOCOLS,
  RATE,
  ROUTE,
} from "../record/cell.ts";
import type { Protocol } from "../../servers/protocol.ts";
import { countAxis, wordAxis } from "../../suites/axes.ts";
import { withAgents } from "../generators/user-agent.ts";
import { withoutSecrets } from "../basics/without-secrets.ts";
import type { UserRequest } from "../record/user-spec.ts";
import { usageError } from "../basics/errors.ts";
import { present } from "../basics/present.ts";
import { whyNot } from "../generators/refuse.ts";
import { GENERATORS, MEASURING } from "../generators/registry.ts";
import { requestsAtRate } from "../judge/open-loop.ts";
import type { RateAxis } from "../plan/rate-windows.ts";

/**
 * A suite with an extra axis, which says how its requests are sent. Without the option of that name suites stay as they are,
 * so that the points of a plan name no axis that nobody chose.
 *
 * @param usual the value at which all is as without the axis: what the suite expects it expects there
 */
function withAxis(
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

const TITLES: Readonly<Record<Protocol, string>> = {
  http: "HTTP/1.1 without TLS",
  https: "HTTP/1.1 over TLS",
  h2: "HTTP/2 over TLS",
  h2c: "HTTP/2 without TLS, from the first byte",
};

const protocolAxis = wordAxis({
  name: PROTOCOL_AXIS,
  title: "Protocol",
  role: "condition",
  inEveryRound: true,
  help: "what is spoken: http, https, h2 or h2c",
  values: PROTOCOLS,
  phrases: { http: "HTTP/1.1", https: "HTTPS", h2: "HTTP/2", h2c: "HTTP/2 without TLS" },
  describe: (value: Value) => ({ title: TITLES[value as Protocol] }),
});

/**
 * A suite each of whose points can be measured by any of these protocols. Where HTTP/2 is among them
 * one generator that speaks it measures all, so that what differs is the protocol.
 */
export function withProtocol(suite: Suite, protocols: readonly Protocol[]): Suite {
  const isHttp2 = protocols.some((one) => one.startsWith("h2"));
  const extended = withAxis(suite, protocolAxis, PROTOCOLS[0], (requests, { at }) => {
    const protocol = protocolAt(at);
    const sent = isHttp2 ? withAgents(requests) : requests;
    return protocol === PROTOCOLS[0] ? sent : { ...sent, protocol };
  });
  // A table of steps promises nothing: there is one at each protocol.
  const expectations = (suite.expectations ?? []).map((one, n) =>
    one.kind === "steps" ? one : extended.expectations![n]!
  );
  return {
    ...extended,
    ...present({ quick: suite.quickSpoken }),
    ...(suite.generator === undefined && isHttp2 ? { generator: "h2load" } : {}),
    expectations: [...expectations, {
      kind: "steps",
      name: "what each protocol costs",
      axis: PROTOCOL_AXIS,
      values: PROTOCOLS,
      metric: "cpu_ns_per_request",
      why: "plain HTTP/1.1; the same over TLS; HTTP/2 over TLS, then without",
    }],
  };
}

/**
 * A suite with the extra axes that were given values.
 *
 * @param valuesOf the values an option or a plan has for an axis; undefined where it has none
 */
export function withExtraAxes(suite: Suite, valuesOf: (axis: string) => readonly unknown[] | undefined): Suite {
  const protocols = valuesOf(PROTOCOL_AXIS) as readonly Protocol[] | undefined;
  const extended = protocols === undefined ? suite : withProtocol(suite, protocols);
  return valuesOf(RATE) === undefined ? extended : withRate(extended);
}

/** The most kinds of request that a gate judges each by itself, the commonest first: each takes as long as the mixture. */
const MOST_ROUTES = 4;

/** The value of a kind of request: words for a cell's name. */
const valueOf = ({ method, path }: UserRequest, n: number) =>
  `${n + 1}-${method}${path.split("?")[0]!.replaceAll(/[^\w.]+/g, "-").replace(/-$/, "").slice(0, 40)}`;

/** The axis of a mixture and its kinds of request; its first value is the mixture. */
function routeAxis(requests: readonly UserRequest[]): Axis {
  const values = requests.map(valueOf);
  const phrases = requests.map(({ method, path }, n) => [values[n], `${method} ${withoutSecrets(path).slice(0, 60)}`]);
  return wordAxis({
    name: ROUTE,
    title: "Route",
    role: "condition",
    inEveryRound: true,
    help: "all requests in their shares, or one kind of request by itself",
    values: [ALL_ROUTES, ...values],
    phrases: { [ALL_ROUTES]: "all requests", ...Object.fromEntries(phrases) },
  });
}

/** A suite of several kinds of request each of which can be measured by itself, too. */
export const withRoutes = (suite: Suite, requests: readonly UserRequest[]): Suite => {
  const axis = routeAxis(requests);
  return withAxis(suite, axis, ALL_ROUTES, (plan, { at }): RequestPlan => {
    const one = plan.mix[axis.values.indexOf(at[ROUTE]!) - 1];
    return one === undefined ? plan : { ...plan, mix: [one] };
  });
};

/** The values of a route axis that a gate measures: the mixture and its commonest kinds of request. */
export function routesToJudge(requests: readonly UserRequest[]): string[] {
  const byShare = requests.map(({ weight = 1 }, n) => ({ n, weight })).sort((a, b) => b.weight - a.weight || a.n - b.n);
  const chosen = byShare.slice(0, MOST_ROUTES).map(({ n }) => n).sort((a, b) => a - b);
  return [ALL_ROUTES, ...chosen.map((n) => valueOf(requests[n]!, n))];
}

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
  values: [CLOSED_LOOP],
  others: ["50%", 1_000, 5_000],
  parse: (text) => text === CLOSED_LOOP ? CLOSED_LOOP : shareIn(text.trim()) ?? rates.parse(text),
  format: (value) => typeof value === "string" ? value : rates.format(value),
};

/** Returns a suite with the axis `rate`. Its requests are those of the closed loop: windows at rates have another pace. */
export const withRate = (suite: Suite): Suite => withAxis(suite, rateAxis, CLOSED_LOOP, (requests) => requests);

/** The rates among the values of an axis. */
export const openRates = (values: readonly Value[] = []): Value[] => values.filter((value) => value !== CLOSED_LOOP);

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

/** Returns a plan's axis of rates. Throws a usage error for a schedule that the generator cannot keep. */
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
  whyNot(MEASURING[generator]!, { ...requests, pace: requestsAtRate(requests, 1) });
