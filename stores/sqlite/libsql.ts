import Database from "libsql";
import type { User } from "../user.ts";
import type { SqliteEngine, SqliteStatement, SqliteValue } from "./engine.ts";

/** libsql, a fork of SQLite with a build and a binding of its own, the same on Node, Deno and Bun. */
export const engine: SqliteEngine = {
  name: "libsql",
  open(file) {
    const database = new Database(file);
    const prepare = (sql: string): SqliteStatement => {
      const statement = database.prepare(sql);
      return {
        get(...values: SqliteValue[]) {
          const row = statement.get(...values) as Record<string, unknown> | undefined;
          if (row === undefined) return undefined;
          // It adds to a single row how long it took.
          const { _metadata: _, ...columns } = row;
          return columns;
        },
        all: (...values) => statement.all(...values),
        run: (...values) => statement.run(...values),
      };
    };
    return {
      exec: (sql) => void database.exec(sql),
      prepare,
      // It has no way to: a statement goes when it is collected.
      finalize: () => {},
      prepareFind(sql) {
        const statement = prepare(sql);
        return (id) => statement.get(id) as User | undefined;
      },
      client: database,
      close: () => void database.close(),
    };
  },
};
