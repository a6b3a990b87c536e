import { fileURLToPath } from "node:url";
import { conditionAxis, connectionsAxis, runtimeAxis, runtimeOf, wordAxis } from "../axes.ts";
import type { Point, Suite } from "../suite.ts";
import { alive, checks, IDS, type ReplyWay, sample } from "./checks.ts";
import { expectations } from "./expectations.ts";
import { describeFramework, FRAMEWORKS, runsOn } from "./frameworks.ts";

const framework = wordAxis({
  name: "framework",
  title: "Framework",
  help: "which framework serves the sample app; bare is the runtime's own server",
  values: Object.keys(FRAMEWORKS),
  describe: (value) => describeFramework(String(value)),
});

const reply = conditionAxis({
  name: "reply",
  title: "Reply",
  help: "how the text is sent: the framework's own way, or end, Node's response.end as the seed did",
  phrases: {
    own: "each framework's own way of replying",
    end: "replies by Node's response.end",
  },
  measured: 1,
});

const replyOf = ({ at }: Point) => at["reply"] as ReplyWay;

/** One small app in many frameworks: two middlewares, an icon, and a text with the id in the path. */
export const frameworks: Suite = {
  name: "frameworks",
  subject: "One small app in many frameworks",
  title: "one small app in many frameworks: two middlewares and GET /users/:id answered with a text",
  axes: [framework, runtimeAxis, reply, connectionsAxis(50)],
  supports: (point) => runsOn(String(point.at["framework"]), runtimeOf(point), replyOf(point)),
  together: () => true,
  probe: { framework: "hono", runtime: "node" },
  presets: {
    tinyhttp: {
      title: "as tinyhttp's benchmarks have it: wrk -t8 -c100 -d30s after one warm-up run, their four on Node",
      threads: 8,
      durationMs: 30_000,
      warmupMs: 30_000,
      warmupLoads: 1,
      rounds: 1,
      at: {
        framework: ["tinyhttp", "express5", "express4", "polka"],
        runtime: ["node"],
        reply: ["end"],
        connections: [100],
      },
    },
  },
  server: ({ at }) => ({
    kind: "app",
    runtime: String(at["runtime"]),
    module: fileURLToPath(new URL(`apps/${at["framework"]}.ts`, import.meta.url)),
    options: { reply: at["reply"]! },
  }),
  requests: ({ at }) => ({
    pace: { closed: at["connections"] as number },
    mix: [{ path: "/users/{id}", expect: [200] }],
    draws: { id: { kind: "uniform", below: IDS } },
  }),
  oracle: (point) => ({
    alive,
    checks: (seed) => checks(replyOf(point), seed),
    sample: (seed) => sample(replyOf(point), seed),
  }),
  expectations,
};
