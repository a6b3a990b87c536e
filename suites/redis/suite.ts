import { fileURLToPath } from "node:url";
import { nullServiceCommand } from "../../servers/null/null-service.ts";
import { realService } from "../../servers/services/real-service.ts";
import { conditionAxis, connectionsAxis, runtimeAxis, runtimeOf, serviceAxis, wordAxis } from "../axes.ts";
import { checkOne } from "../check-each.ts";
import { areInstalled } from "../npm-package.ts";
import { type Check, expectReply, type Point, type Suite } from "../suite.ts";
import { writtenAudit } from "../written-audit.ts";
import { REDIS_CLIENTS } from "./clients/registry.ts";
import { keyAt, KEYS, keysOf, LOADED, VALUE_BYTES, valueOf, type Workload } from "./keys.ts";

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const workload = conditionAxis({
  name: "workload",
  title: "Workload",
  help: "a value got, a value set, or twenty got in a pipeline",
  phrases: {
    get: "one value read",
    set: "one value set",
    pipeline: "twenty reads in a pipeline",
  },
  measured: 1,
});

const driver = wordAxis({
  name: "driver",
  title: "Driver",
  help: "what talks to Redis",
  values: Object.keys(REDIS_CLIENTS),
  describe: (value) => ({ title: REDIS_CLIENTS[value]!.title }),
});

const workloadOf = ({ at }: Point) => at["workload"] as Workload;
const isReal = ({ at }: Point) => at["service"] === "real";

/** Returns the reply to a request. */
const answerTo = (kind: Workload, n: number): string =>
  kind === "get" ? valueOf(keyAt(n)) : kind === "set" ? keyAt(n) : JSON.stringify(keysOf(n).map(valueOf));

/** A request that writes is no GET: those are also sampled during the load, and would count as written. */
const methodOf = (workload: Workload) => workload === "set" ? "POST" : "GET";

const asks = (workload: Workload, n: number): Check =>
  checkOne(`${methodOf(workload)} /${workload}/${n} has its values`, (target) => {
    const request = { method: methodOf(workload), path: `/${workload}/${n}` };
    return expectReply(target, request, { status: 200, body: answerTo(workload, n) });
  });

/** The numbers checks ask for: in no load. */
const keyOf = (seed: number) => LOADED + seed % (KEYS - LOADED);

/** Drivers of Redis. */
export const redis: Suite = {
  name: "redis",
  subject: "Redis drivers",
  title: "drivers of Redis on each runtime: get, set, and twenty in a pipeline",
  axes: [workload, driver, runtimeAxis, serviceAxis("Redis"), connectionsAxis(50)],
  supports(point) {
    const { runtimes, packages } = REDIS_CLIENTS[point.at["driver"]!]!;
    return runtimes.includes(runtimeOf(point)) ? areInstalled(...packages) : `it is part of ${runtimes.join(" and ")}`;
  },
  together(points) {
    if (points.some(isReal)) return "a real Redis is waited for, which CPU time does not show";
    return new Set(points.map(workloadOf)).size === 1 || "they differ in workload";
  },
  probe: { driver: "ioredis", runtime: "node" },
  presets: {
    real: { title: "beside a real Redis, which servers wait for", at: { service: ["real"] } },
  },
  services: (point) => [{
    kind: "service",
    name: isReal(point) ? "redis" : "null-redis",
    ...isReal(point)
      ? realService("redis", ["--keys", String(KEYS), "--value-bytes", String(VALUE_BYTES)])
      : { command: nullServiceCommand({ protocol: "redis", wrk: "{wrk}", host: "{host}", valueBytes: VALUE_BYTES }) },
  }],
  server: ({ at }, _, running = {}) => ({
    kind: "app",
    runtime: String(at["runtime"]),
    module: pathOf("app.ts"),
    options: { driver: at["driver"]!, ...Object.values(running)[0] },
  }),
  requests: (point) => ({
    pace: { closed: point.at["connections"] as number },
    mix: [{ method: methodOf(workloadOf(point)), path: `/${workloadOf(point)}/{n}`, expect: [200] }],
    draws: { n: workloadOf(point) === "set" ? { kind: "serial", from: KEYS } : { kind: "uniform", below: LOADED } },
  }),
  oracle: (point) => ({
    alive: asks(workloadOf(point), keyOf(0)),
    checks: (seed) => [LOADED, KEYS - 1, keyOf(seed)].map((n) => asks(workloadOf(point), n)),
    sample: (seed) => asks(workloadOf(point), keyOf(seed)),
    ...(workloadOf(point) === "set" && isReal(point) ? { audit: writtenAudit("keys", 1) } : {}),
  }),
};
