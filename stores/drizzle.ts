import type { NodeSQLiteDatabase } from "drizzle-orm/node-sqlite";
import type { DatabaseSync } from "node:sqlite";
import { buildDatabase, openDatabase, SQLITE_LAYOUT, type UsersDatabase } from "./sqlite/database.ts";
import type { StoreDriver } from "./store.ts";

/** drizzle-orm over the same engine and file as `sqlite`: the difference between the two is the cost of the ORM. */
export const driver: StoreDriver = {
  name: "drizzle",
  title: "drizzle-orm over SQLite",
  complexity: "O(log n)",
  durability: "buffered",
  runtimes: ["node", "deno", "bun"],
  layout: SQLITE_LAYOUT,
  prepare: buildDatabase,
  async open(directory, options) {
    // Loaded where it is used: the package may be missing where another store is measured.
    const [{ eq, sql }, { users }] = await Promise.all([import("drizzle-orm"), import("./drizzle/users-table.ts")]);
    const database = await openDatabase(directory, options);
    const orm = await wrap(database);
    const id = sql.placeholder("id");
    const select = orm.select().from(users).where(eq(users.id, id)).prepare();
    const row = {
      id,
      name: sql.placeholder("name"),
      email: sql.placeholder("email"),
      age: sql.placeholder("age"),
      country: sql.placeholder("country"),
      createdAt: sql.placeholder("createdAt"),
    };
    const { id: _, ...rest } = row;
    const insert = orm.insert(users).values(row).onConflictDoUpdate({ target: users.id, set: rest }).prepare();
    return {
      find: (wanted) => select.get({ id: wanted }),
      create: (user) => void insert.run({ ...user }),
      describe: database.describe,
      close: database.close,
    };
  },
};

/** The same calls on either engine; typed as one of them because a union of the two cannot be called. */
async function wrap({ engine, connection }: UsersDatabase): Promise<NodeSQLiteDatabase> {
  if (engine.name === "bun:sqlite") {
    const { drizzle } = await import("drizzle-orm/bun-sqlite");
    return drizzle({ client: connection.client as never }) as unknown as NodeSQLiteDatabase;
  }
  const { drizzle } = await import("drizzle-orm/node-sqlite");
  return drizzle({ client: connection.client as DatabaseSync });
}
