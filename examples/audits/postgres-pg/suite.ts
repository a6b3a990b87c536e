/** The suite: a call is ten thousand selects sent at once on four connections, as published; PostgreSQL answers. */
import { fileURLToPath } from "node:url";
import { type ServiceSpec, type Suite, wordAxis } from "levelfield";
import { realService } from "../../../servers/services/real-service.ts";
import { runtimeAxis } from "../../../suites/axes.ts";
import { CALLED } from "../../../suites/calls/called.ts";

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));

export default {
  name: "postgres-pg",
  subject: "Ten thousand selects at once",
  title: "ten thousand selects of a row of pg_type sent at once: Postgres.js and pg",
  ...CALLED,
  axes: [
    wordAxis({ name: "driver", title: "Driver", help: "what talks to PostgreSQL", values: ["postgres", "pg"] }),
    runtimeAxis,
  ],
  expectedWarmupMs: 5_000,
  together: () => "a real PostgreSQL is waited for, which CPU time does not show",
  services: (): ServiceSpec[] => [{ kind: "service", name: "postgres", ...realService("postgres", []) }],
  calls: ({ at }) => ({ module: pathOf("selects.ts"), call: "selects", options: { driver: at["driver"]! } }),
  server: ({ at }, _directory, running = {}) => ({
    kind: "app",
    runtime: String(at["runtime"]),
    module: pathOf("../../../servers/calls/app.ts"),
    options: { ...Object.values(running)[0] },
  }),
} satisfies Suite;
