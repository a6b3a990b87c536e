import { drizzle } from "drizzle-orm/node-postgres";
import { overDrizzle } from "./drizzle-table.ts";
import { openPool } from "./open-pool.ts";
import type { OpenSql } from "./sql-driver.ts";

/** Drizzle over node-postgres. */
export const open: OpenSql = (options) => {
  const client = openPool(options);
  return overDrizzle(drizzle({ client }), options.use, () => client.end());
};
