import pg from "pg";
import type { SqlOptions } from "./sql-driver.ts";

/**
 * Opens a pool of node-postgres. A connection that dies while no query is under way says so by an event, which would end the
 * process if nobody listened. Its next query fails by itself, so nothing else is to be done.
 */
export function openPool({ host, port, pool: max }: Omit<SqlOptions, "use">): pg.Pool {
  const pool = new pg.Pool({ host, port, user: "postgres", database: "postgres", max });
  pool.on("error", () => {});
  // Between queries of a transaction the pool itself does not listen.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}
