import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { overDrizzle } from "./drizzle-table.ts";
import type { OpenSql } from "./sql-driver.ts";

/** Drizzle over Postgres.js. */
export const open: OpenSql = ({ host, port, pool: max, use }) => {
  const client = postgres({ host, port, user: "postgres", database: "postgres", max });
  return overDrizzle(drizzle({ client }), use, () => client.end());
};
