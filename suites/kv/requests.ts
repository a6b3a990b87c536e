import type { At, Draw, RequestPlan, RequestTemplate } from "../suite.ts";
import { keyName, putText } from "./texts.ts";

/** The number of requests in a hundred that put a text. */
const PUTS = { get: 0, put: 100, "mixed-90-10": 10 } as const;

/** Name of a workload. */
export type Workload = keyof typeof PUTS;

/** The workloads there are; the first is measured by default. */
export const WORKLOADS = Object.keys(PUTS) as readonly Workload[];

/** Serial numbers of puts start here. */
export const PUT_FROM = 0;
/** The exponent key-value benchmarks use (YCSB). */
const EXPONENT = 0.99;

/** Place of the putting template in the mix of a workload, or undefined where nothing is put. */
export function placeOfPuts(workload: Workload): number | undefined {
  const share = PUTS[workload];
  return share === 0 ? undefined : share === 100 ? 0 : 1;
}

/** The requests of a point. */
export function requestsOf(at: At): RequestPlan {
  const keys = at["keys"] as number;
  const share = PUTS[at["workload"] as Workload];
  const path = `/${keyName(keys, "{key}")}`;
  const get: RequestTemplate = { path, expect: [200] };
  const put: RequestTemplate = {
    method: "POST",
    path,
    headers: { "content-type": "text/plain" },
    body: putText(keys === 1 ? 0 : "{key}", "{serial}"),
    expect: [200],
  };
  const pace = { closed: at["connections"] as number };
  const draws: Record<string, Draw> = {
    ...(keys === 1 ? {} : { key: { kind: "zipf", below: keys, exponent: EXPONENT } }),
    ...(share === 0 ? {} : { serial: { kind: "serial", from: PUT_FROM } }),
  };
  const mix = share === 0
    ? [get]
    : share === 100
    ? [put]
    : [{ ...get, weight: 100 - share }, { ...put, weight: share }];
  return Object.keys(draws).length === 0 ? { pace, mix } : { pace, mix, draws };
}
