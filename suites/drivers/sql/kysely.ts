import { Kysely, PostgresDialect, sql } from "kysely";
import { openPool } from "./open-pool.ts";
import type { OpenSql } from "./sql-driver.ts";

interface Tables {
  world: { id: number; randomnumber: number; writes: number };
}

/** Kysely over node-postgres. */
export const open: OpenSql = (options) => {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: openPool(options) }) });
  const rows = db.selectFrom("world").select(["id", "randomnumber"]);
  return {
    one: (id) => rows.where("id", "=", id).executeTakeFirstOrThrow(),
    some: (ids) => rows.where("id", "in", ids).execute(),
    async change(changed) {
      await db.transaction().execute(async (tx) => {
        for (const { id } of changed) {
          await tx.selectFrom("world").select(["id", "randomnumber"]).where("id", "=", id).executeTakeFirstOrThrow();
        }
        for (const { id, randomnumber } of changed) {
          await tx.updateTable("world").set({ randomnumber, writes: sql`writes + 1` }).where("id", "=", id).execute();
        }
      });
    },
    close: () => db.destroy(),
  };
};
