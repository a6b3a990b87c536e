/** The suite: a call is a batch of GETs at once over one connection, by a driver of Redis alone. */
import { fileURLToPath } from "node:url";
import { type Point, type ServiceSpec, type Suite, wordAxis } from "levelfield";
import { nullServiceCommand } from "../../../servers/null/null-service.ts";
import { realService } from "../../../servers/services/real-service.ts";
import { numberAxis, runtimeAxis, runtimeOf, serviceAxis } from "../../../suites/axes.ts";
import { CALLED } from "../../../suites/calls/called.ts";
import { areInstalled } from "../../../suites/npm-package.ts";
import { REDIS_CLIENTS } from "../../../suites/redis/clients/registry.ts";
import { KEYS, VALUE_BYTES } from "../../../suites/redis/keys.ts";

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const isReal = ({ at }: Point) => at["service"] === "real";

const batch = numberAxis({
  name: "batch",
  title: "Batch",
  help: "commands sent at once, before the next batch",
  unit: "commands",
  values: [100],
  least: 1,
  most: 1_000,
});

export default {
  name: "bun-redis",
  subject: "Batches of GET",
  title: "batches of GET over one connection: Bun's driver of Redis, ioredis and node-redis",
  ...CALLED,
  axes: [
    batch,
    wordAxis({
      name: "driver",
      title: "Driver",
      help: "what talks to Redis",
      values: Object.keys(REDIS_CLIENTS),
      describe: (value) => ({ title: REDIS_CLIENTS[value]!.title }),
    }),
    runtimeAxis,
    serviceAxis("Redis"),
  ],
  supports(point) {
    const { runtimes, packages } = REDIS_CLIENTS[point.at["driver"]!]!;
    return runtimes.includes(runtimeOf(point)) ? areInstalled(...packages) : `it is part of ${runtimes.join(" and ")}`;
  },
  together(points) {
    if (points.some(isReal)) return "a real Redis is waited for, which CPU time does not show";
    return new Set(points.map(({ at }) => at["batch"])).size === 1 || "they differ in commands a batch";
  },
  services: (point): ServiceSpec[] => [{
    kind: "service",
    name: isReal(point) ? "redis" : "null-redis",
    ...isReal(point)
      ? realService("redis", ["--keys", String(KEYS), "--value-bytes", String(VALUE_BYTES)])
      : { command: nullServiceCommand({ protocol: "redis", wrk: "{wrk}", host: "{host}", valueBytes: VALUE_BYTES }) },
  }],
  calls: ({ at }) => ({
    module: pathOf("commands.ts"),
    call: "batch",
    options: { driver: at["driver"]!, batch: at["batch"]! },
  }),
  server: ({ at }, _directory, running = {}) => ({
    kind: "app",
    runtime: String(at["runtime"]),
    module: pathOf("../../../servers/calls/app.ts"),
    options: { ...Object.values(running)[0] },
  }),
} satisfies Suite;
