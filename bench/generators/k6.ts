import { withAgent } from "./user-agent.ts";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { drawRequests } from "./drawn-requests.ts";
import type { Generator } from "./generator.ts";
import { ONE_SERVER, readMarked, shareOfPercent, TOTALS, UNSORTED, unsorted, UNWATCHED } from "./common.ts";

const SCRIPT = fileURLToPath(new URL("./k6-script.js", import.meta.url));

const amount = z.number().nonnegative();
const counter = z.object({ count: amount }).optional();

/** The line our script prints at the end, made of k6's metrics. */
const report = z.object({
  durationMs: z.number().positive(),
  requests: counter,
  received: counter,
  dropped: counter,
  /** Requests without a reply. */
  unanswered: counter,
  /** `passes` counts those that failed: without a reply, or answered with an error status. */
  failed: z.object({ passes: amount }).optional(),
  duration: z.record(z.string(), z.number()).optional(),
});

const PERCENTILES = ["50", "90", "95", "99", "99.9"];

/** k6: closed and open loop, scripted in JavaScript, which Go runs. */
export const k6: Generator = {
  name: "k6",
  program: "k6",
  install: {
    go: "go install go.k6.io/k6@latest",
    brew: "brew install k6",
    nix: "nix profile install nixpkgs#k6",
  },
  abilities: {
    ...ONE_SERVER,
    sends: "list",
    openLoop: true,
    threads: false,
    latency: "percentiles",
    newConnections: true,
  },
  tried: ["1.8.1", "0.52.0"],
  neededFor: "bench contrast",
  versionArgs: ["version"],
  parseVersion: (output) => /^k6(?:\.exe)? v(\d\S*)/.exec(output)?.[1],
  input(plan) {
    const { url, requests } = plan.targets[0];
    const { pace, connection } = requests;
    const scenario = "closed" in pace
      ? plan.requests === undefined
        ? {
          executor: "constant-vus",
          vus: pace.closed,
          duration: `${Math.ceil(plan.durationMs)}ms`,
          gracefulStop: "0s",
        }
        : { executor: "shared-iterations", vus: pace.closed, iterations: plan.requests, maxDuration: "10m" }
      : {
        executor: "constant-arrival-rate",
        rate: Math.max(1, Math.round(pace.perSecond)),
        timeUnit: "1s",
        duration: `${Math.ceil(plan.durationMs)}ms`,
        preAllocatedVUs: pace.connections,
        maxVUs: pace.connections,
        gracefulStop: "0s",
      };
    const options = {
      scenarios: { load: scenario },
      discardResponseBodies: true,
      noConnectionReuse: connection === "new",
      summaryTrendStats: ["avg", "max", ...PERCENTILES.map((percent) => `p(${percent})`)],
      // k6 counts a tag separately only if a threshold names it.
      thresholds: { "http_reqs{status:0}": ["count>=0"] },
      systemTags: ["status"],
    };
    const list = drawRequests(requests, plan.seed).map(({ method, path, headers, body }) => ({
      method,
      url: url + path,
      headers: withAgent(Object.fromEntries(headers)),
      body,
    }));
    return {
      "options.json": JSON.stringify({ k6: options, timeout: `${Math.ceil(plan.timeoutMs)}ms` }),
      "requests.json": JSON.stringify(list),
      "script.js": readFileSync(SCRIPT, "utf8"),
    };
  },
  args: (
    _plan,
    folder,
  ) => ["run", "--quiet", "--no-color", "--no-usage-report", "--address", "", `${folder}/script.js`],
  ...UNWATCHED,
  parse(output, plan) {
    const { durationMs, requests, received, dropped, unanswered, failed, duration = {} } = readMarked(
      "k6",
      output,
      report,
    );
    const lost = unanswered?.count ?? 0;
    const { pace } = plan.targets[0].requests;
    return {
      durationUs: Math.round(1e3 * durationMs),
      requests: (requests?.count ?? 0) - lost,
      bytes: received?.count ?? 0,
      ...TOTALS,
      errors: {
        ...UNSORTED,
        timeout: null,
        status: (failed?.passes ?? 0) - lost,
        other: lost,
      },
      summary: {
        meanUs: ms(duration["avg"]),
        maxUs: ms(duration["max"]),
        percentiles: PERCENTILES.flatMap((percent): [number, number][] => {
          const value = duration[percent === "50" ? "p(50)" : `p(${percent})`];
          return value === undefined ? [] : [[shareOfPercent(percent), 1e3 * value]];
        }),
      },
      ...("closed" in pace ? {} : { dropped: Math.round(dropped?.count ?? 0) }),
      untold: {
        sent_per_slot: "k6 does not tell when it sent what",
        sent_per_template: "k6 takes its requests from a list in turn",
        ...unsorted("k6 does not sort errors: requests without a reply are in errors.other"),
        "errors.timeout": "see errors.connect",
        histogram: "k6 prints percentiles",
        ...("closed" in pace ? {} : { latency: "k6 counts from when a request was sent, not from when it was due" }),
      },
      warnings: [],
    };
  },
};

const ms = (value: number | undefined) => value === undefined ? null : 1e3 * value;
