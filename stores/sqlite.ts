import { buildDatabase, COLUMNS, openDatabase, SQLITE_LAYOUT } from "./sqlite/database.ts";
import type { StoreDriver } from "./store.ts";

/** One SQLite table, looked up by primary key with a statement prepared once. */
export const driver: StoreDriver = {
  name: "sqlite",
  title: "SQLite, the runtime's own engine",
  complexity: "O(log n)",
  durability: "buffered",
  runtimes: ["node", "deno", "bun"],
  layout: SQLITE_LAYOUT,
  prepare: buildDatabase,
  async open(directory, options) {
    const { connection, describe, close } = await openDatabase(directory, options);
    const insert = connection.prepare(`INSERT OR REPLACE INTO users (${COLUMNS}) VALUES (?,?,?,?,?,?)`);
    return {
      find: connection.prepareFind(`SELECT ${COLUMNS} FROM users WHERE id = ?`),
      create: (user) => void insert.run(user.id, user.name, user.email, user.age, user.country, user.createdAt),
      describe,
      close,
    };
  },
};
