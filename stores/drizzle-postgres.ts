import { connectPostgres, POSTGRES_DRIVER } from "./postgres/connect.ts";
import type { StoreDriver } from "./store.ts";

/** drizzle-orm over the same table and driver as `postgres`: the difference between the two is the cost of the ORM. */
export const driver: StoreDriver = {
  ...POSTGRES_DRIVER,
  name: "drizzle-postgres",
  title: "drizzle-orm over PostgreSQL, by Postgres.js",
  async open(_, options) {
    const [{ eq, sql: text }, { drizzle }, { integer, pgTable, text: column }, { sql, describe, close }] = await Promise
      .all([
        import("drizzle-orm"),
        import("drizzle-orm/postgres-js"),
        import("drizzle-orm/pg-core"),
        connectPostgres(options),
      ]);
    const users = pgTable("users", {
      id: column().primaryKey(),
      name: column().notNull(),
      email: column().notNull(),
      age: integer().notNull(),
      country: column().notNull(),
      createdAt: column().notNull(),
    });
    const orm = drizzle({ client: sql });
    const id = text.placeholder("id");
    const select = orm.select().from(users).where(eq(users.id, id)).prepare("find");
    const rest = {
      name: text.placeholder("name"),
      email: text.placeholder("email"),
      age: text.placeholder("age"),
      country: text.placeholder("country"),
      createdAt: text.placeholder("createdAt"),
    };
    const insert = orm.insert(users).values({ id, ...rest }).onConflictDoUpdate({ target: users.id, set: rest })
      .prepare("create");
    return {
      find: async (wanted) => (await select.execute({ id: wanted }))[0],
      create: async (user) => void await insert.execute({ ...user }),
      describe,
      close,
    };
  },
};
