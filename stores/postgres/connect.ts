import type { Sql } from "postgres";
import { writeTable } from "../files/service-rows.ts";
import { describedBy, type OpenOptions, serviceOf, type StoreDriver } from "../store.ts";

/** Connections of one server process. */
const CONNECTIONS = 10;

/** The common part of stores of PostgreSQL. */
export const POSTGRES_DRIVER = {
  complexity: "O(log n)",
  durability: "synced",
  runtimes: ["node", "deno", "bun"],
  elsewhere: "PostgreSQL",
  layout: "copy-1",
  prepare: writeTable,
} as const satisfies Partial<StoreDriver>;

/** Connects to the service whose table `users` was filled from a prepared directory. */
export async function connectPostgres(options: OpenOptions | undefined) {
  const { host, port, password = "", database = "postgres" } = serviceOf(options);
  // Loaded where it is used: the package may be missing where another store is measured.
  const { default: postgres } = await import("postgres");
  const sql: Sql = postgres({ host, port, user: "postgres", password, database, max: CONNECTIONS });
  return {
    sql,
    async describe() {
      const [facts] = await sql<{ version: string; bytes: string }[]>`
        SELECT current_setting('server_version') AS version, pg_total_relation_size('users')::text AS bytes`;
      return describedBy(`PostgreSQL ${facts!.version}`, Number(facts!.bytes));
    },
    close: () => sql.end(),
  };
}
