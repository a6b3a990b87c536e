import { eq, inArray, sql } from "drizzle-orm";
import { integer, type PgAsyncDatabase, type PgQueryResultHKT, pgTable } from "drizzle-orm/pg-core";
import type { SqlClient, Use } from "./sql-driver.ts";

const world = pgTable("world", {
  id: integer().primaryKey(),
  randomnumber: integer().notNull(),
  writes: integer().notNull(),
});

const ROW = { id: world.id, randomnumber: world.randomnumber };

/** The workloads by drizzle, over whatever driver; its best use is statements prepared by name. */
export function overDrizzle(db: PgAsyncDatabase<PgQueryResultHKT>, use: Use, close: () => Promise<void>): SqlClient {
  const one = db.select(ROW).from(world).where(eq(world.id, sql.placeholder("id"))).prepare("one");
  return {
    one: async (id) =>
      (use === "best" ? await one.execute({ id }) : await db.select(ROW).from(world).where(eq(world.id, id)))[0]!,
    some: async (ids) => await db.select(ROW).from(world).where(inArray(world.id, [...ids])),
    async change(rows) {
      await db.transaction(async (tx) => {
        for (const { id } of rows) await tx.select(ROW).from(world).where(eq(world.id, id));
        for (const { id, randomnumber } of rows) {
          await tx.update(world).set({ randomnumber, writes: sql`${world.writes} + 1` }).where(eq(world.id, id));
        }
      });
    },
    close,
  };
}
