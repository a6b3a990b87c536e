import { type Workload, WORKLOADS } from "../checks.ts";
import type { DriverFacts } from "./sql-driver.ts";

const EVERYWHERE = ["node", "deno", "bun"] as const;
const prepared = (...workloads: Workload[]) => ({ how: "statements prepared by name", workloads });
const AT_ONCE = { how: "a transaction's statements sent at once", workloads: ["updates"] } as const;

/** Drivers of PostgreSQL by the file each stands in. */
export const SQL_DRIVERS: Readonly<Record<string, DriverFacts>> = {
  "pg": { title: "node-postgres", runtimes: EVERYWHERE, best: prepared(...WORKLOADS), packages: ["pg"] },
  "postgres": { title: "Postgres.js", runtimes: EVERYWHERE, best: AT_ONCE, packages: ["postgres"] },
  "bun-sql": { title: "Bun's own driver", runtimes: ["bun"], best: AT_ONCE, packages: [] },
  "drizzle-pg": {
    title: "Drizzle over node-postgres",
    runtimes: EVERYWHERE,
    best: prepared("row", "queries"),
    packages: ["drizzle-orm", "pg"],
  },
  "drizzle-postgres": {
    title: "Drizzle over Postgres.js",
    runtimes: EVERYWHERE,
    best: prepared("row", "queries"),
    packages: ["drizzle-orm", "postgres"],
  },
  "drizzle-bun": {
    title: "Drizzle over Bun's own driver",
    runtimes: ["bun"],
    best: prepared("row", "queries"),
    packages: ["drizzle-orm"],
  },
  "kysely": { title: "Kysely over node-postgres", runtimes: EVERYWHERE, packages: ["kysely", "pg"] },
  "prisma": {
    title: "Prisma over node-postgres",
    runtimes: EVERYWHERE,
    packages: ["@prisma/client", "@prisma/adapter-pg", "pg"],
    generated: ["@prisma/client-generator-ts", "@prisma/internals"],
  },
};
