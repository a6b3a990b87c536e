import type { Protocol } from "../../servers/protocol.ts";
import { wordAxis } from "../../suites/axes.ts";
import type { Suite, Value } from "../../suites/suite.ts";
import { PROTOCOL_AXIS, protocolAt, PROTOCOLS, RATE } from "../record/cell.ts";
import { withAgents } from "../generators/user-agent.ts";
import { withAxis } from "./with-axis.ts";
import { withRate } from "./with-rate.ts";

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
 * A suite each of whose points can be measured by any of these protocols; see {@link withAxis}. Where HTTP/2 is among them
 * one generator that speaks it measures all, so that what differs is the protocol.
 */
export function withProtocol(suite: Suite, protocols: readonly Protocol[]): Suite {
  const isHttp2 = protocols.some((one) => one.startsWith("h2"));
  const spoken = withAxis(suite, protocolAxis, PROTOCOLS[0], (requests, { at }) => {
    const protocol = protocolAt(at);
    const sent = isHttp2 ? withAgents(requests) : requests;
    return protocol === PROTOCOLS[0] ? sent : { ...sent, protocol };
  });
  // A table of steps promises nothing: there is one at each protocol.
  const expectations = (suite.expectations ?? []).map((one, n) =>
    one.kind === "steps" ? one : spoken.expectations![n]!
  );
  return {
    ...spoken,
    ...(suite.quickSpoken === undefined ? {} : { quick: suite.quickSpoken }),
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
  const spoken = protocols === undefined ? suite : withProtocol(suite, protocols);
  return valuesOf(RATE) === undefined ? spoken : withRate(spoken);
}
