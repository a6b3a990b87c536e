import { z } from "zod";
import { drawRequests } from "./drawn-requests.ts";
import type { Generator } from "./generator.ts";
import {
  count,
  ONE_SERVER,
  readReport,
  shareOfPercent,
  TOTALS,
  UNSORTED,
  unsorted,
  UNWATCHED,
  wholeSeconds,
} from "./common.ts";

const ms = z.number().nonnegative();

/** The output of autocannon 8 and 9; other fields are ignored. */
const report = z.object({
  duration: z.number().positive(),
  errors: count,
  timeouts: count,
  "1xx": count,
  "2xx": count,
  "3xx": count,
  "4xx": count,
  "5xx": count,
  latency: z.looseObject({ max: ms }),
  requests: z.object({ sent: count }),
  throughput: z.object({ total: ms }),
});

/** `p97_5` as 0.975. */
const PERCENTILE = /^p(\d+(?:_\d+)?)$/;

/** autocannon: a closed loop in JavaScript, run by the pinned Node. */
export const autocannon: Generator = {
  name: "autocannon",
  program: "autocannon",
  module: "autocannon/autocannon.js",
  install: { npm: "npm ci" },
  abilities: {
    ...ONE_SERVER,
    sends: "list",
    openLoop: false,
    threads: false,
    latency: "percentiles",
    newConnections: false,
    needsLength: true,
    textAlone: true,
    countsInterim: true,
  },
  tried: ["9.0.0", "8.0.0"],
  neededFor: "bench contrast",
  versionArgs: ["--version"],
  parseVersion: (output) => /autocannon v(\S+)/.exec(output)?.[1],
  input(plan) {
    const { url, requests } = plan.targets[0];
    const entries = drawRequests(requests, plan.seed).map(({ method, path, headers, body }) => ({
      request: {
        method,
        url: url + path,
        headers: headers.map(([name, value]) => ({ name, value })),
        ...(body === "" ? {} : { postData: { text: body } }),
      },
    }));
    return { "requests.har": JSON.stringify({ log: { entries } }) };
  },
  args(plan, folder) {
    const { url, requests: { pace } } = plan.targets[0];
    if (!("closed" in pace)) throw new Error("autocannon sends in bursts once a second, which is no schedule");
    return [
      "--json",
      "--no-progress",
      "-c",
      String(pace.closed),
      ...(plan.requests === undefined ? ["-d", String(wholeSeconds(plan.durationMs))] : ["-a", String(plan.requests)]),
      "-t",
      String(wholeSeconds(plan.timeoutMs)),
      "--har",
      `${folder}/requests.har`,
      url,
    ];
  },
  ...UNWATCHED,
  parse(output, plan) {
    const { latency, requests: { sent }, ...counted } = readReport("autocannon", output, report);
    const requests = counted["1xx"] + counted["2xx"] + counted["3xx"] + counted["4xx"] + counted["5xx"];
    const { pace } = plan.targets[0].requests;
    const connections = "closed" in pace ? pace.closed : pace.connections;
    // It counts no error when a server closes a connection before it has answered: that request is just never answered.
    const lost = Math.max(0, sent - requests - counted.errors - counted.timeouts - connections);
    return {
      durationUs: Math.round(1e6 * counted.duration),
      requests,
      bytes: Math.round(counted.throughput.total),
      ...TOTALS,
      errors: {
        ...UNSORTED,
        timeout: counted.timeouts,
        status: counted["4xx"] + counted["5xx"],
        other: counted.errors + lost,
      },
      summary: {
        meanUs: null,
        maxUs: 1e3 * latency.max,
        percentiles: Object.entries(latency).flatMap(([name, value]): [number, number][] => {
          const percent = PERCENTILE.exec(name)?.[1]?.replace("_", ".");
          return percent === undefined || typeof value !== "number" ? [] : [[shareOfPercent(percent), 1e3 * value]];
        }).sort(([a], [b]) => a - b),
      },
      untold: {
        sent_per_slot: "autocannon does not tell when it sent what",
        sent_per_template: "each of autocannon's connections goes through its list by itself",
        ...unsorted("autocannon does not sort errors: all are in errors.other, with requests never answered"),
        histogram: "autocannon prints percentiles, in whole milliseconds rounded down",
        mean_us: "it is one of whole milliseconds rounded down",
      },
      warnings: [],
    };
  },
};
