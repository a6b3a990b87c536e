import { Database } from "bun:sqlite";
import type { User } from "../user.ts";
import type { SqliteEngine } from "./engine.ts";

/** bun:sqlite, on Bun. */
export const engine: SqliteEngine = {
  name: "bun:sqlite",
  open(file) {
    const database = new Database(file);
    return {
      exec: (sql) => database.exec(sql),
      prepare: (sql) => database.prepare(sql),
      prepareFind(sql) {
        const statement = database.prepare(sql);
        return (id) => (statement.get(id) as User | null) ?? undefined;
      },
      client: database,
      close: () => database.close(),
    };
  },
};
