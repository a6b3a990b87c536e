import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { overDrizzle } from "./drizzle-table.ts";
import type { OpenSql } from "./sql-driver.ts";

/** Drizzle over node-postgres. */
export const open: OpenSql = ({ host, port, pool: max, use }) => {
  const client = new pg.Pool({ host, port, user: "postgres", database: "postgres", max });
  return overDrizzle(drizzle({ client }), use, () => client.end());
};
