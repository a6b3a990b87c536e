import { SQL } from "bun";
import { drizzle } from "drizzle-orm/bun-sql";
import { overDrizzle } from "./drizzle-table.ts";
import type { OpenSql } from "./sql-driver.ts";

/** Drizzle over Bun's driver. */
export const open: OpenSql = ({ host, port, pool: max, use }) => {
  const client = new SQL({
    adapter: "postgres",
    hostname: host,
    port,
    username: "postgres",
    database: "postgres",
    max,
  });
  return overDrizzle(drizzle({ client }), use, () => client.end());
};
