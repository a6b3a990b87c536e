/** The suite: a call is a hundred queries at once, on the driver that the published program takes on each runtime. */
import { fileURLToPath } from "node:url";
import { type Point, type ServiceSpec, type Suite, wordAxis } from "levelfield";
import { nullServiceCommand } from "../../../servers/null/null-service.ts";
import { realService } from "../../../servers/services/real-service.ts";
import { runtimeAxis } from "../../../suites/axes.ts";
import { CALLED } from "../../../suites/calls/called.ts";

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const isReal = ({ at }: Point) => at["service"] === "real";

export default {
  name: "bun-postgres",
  subject: "A hundred queries at once",
  title: "a hundred queries of a hundred rows at once: Bun.sql on Bun, Postgres.js on Node and Deno",
  ...CALLED,
  axes: [
    runtimeAxis,
    wordAxis({
      name: "driver",
      title: "Driver",
      role: "condition",
      help: "as published: Bun.sql on Bun, Postgres.js elsewhere; or Postgres.js on all",
      values: ["published"],
      others: ["postgres"],
      phrases: { published: "Bun.sql on Bun, Postgres.js elsewhere", postgres: "Postgres.js on every runtime" },
    }),
    wordAxis({
      name: "service",
      title: "Service",
      role: "condition",
      help: "a PostgreSQL that does nothing, so that the driver is the limit, or a real one",
      values: ["null"],
      others: ["real"],
      phrases: { null: "a null service", real: "a real PostgreSQL" },
    }),
  ],
  together: (points) => points.some(isReal) ? "a real PostgreSQL is waited for, which CPU time does not show" : true,
  files: () => ({ builder: pathOf("build.ts"), request: {} }),
  services: (point, directory): ServiceSpec[] => [{
    kind: "service",
    name: isReal(point) ? "postgres" : "null-postgres",
    ...isReal(point) ? realService("postgres", ["--table", `users=${directory}/users`]) : {
      command: nullServiceCommand({
        protocol: "postgres",
        wrk: "{wrk}",
        host: "{host}",
        tables: { users: `${directory}/users` },
      }),
    },
  }],
  calls: ({ at }) => ({ module: pathOf("queries.ts"), call: "hundred", options: { driver: at["driver"]! } }),
  server: ({ at }, _directory, running = {}) => ({
    kind: "app",
    runtime: String(at["runtime"]),
    module: pathOf("../../../servers/calls/app.ts"),
    options: { ...Object.values(running)[0] },
  }),
} satisfies Suite;
