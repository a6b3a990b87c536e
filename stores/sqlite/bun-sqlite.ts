import { Database } from "bun:sqlite";
import type { User } from "../user.ts";
import type { SqliteEngine } from "./engine.ts";

/**
 * Remembers what was prepared on it, by us or by a library, and finalizes that before it closes. A database with live
 * statements stays half open until they are collected, and its `-wal` and `-shm` files stay with it.
 */
class ClosingDatabase extends Database {
  readonly #prepared = new Set<{ finalize(): void }>();

  override prepare(sql: string): ReturnType<Database["prepare"]> {
    const statement = super.prepare(sql);
    this.#prepared.add(statement);
    return statement;
  }

  finalize(statement: unknown): void {
    this.#prepared.delete(statement as { finalize(): void });
    (statement as { finalize(): void }).finalize();
  }

  override close(): void {
    for (const statement of this.#prepared) statement.finalize();
    this.#prepared.clear();
    super.close();
  }
}

/** bun:sqlite, on Bun. */
export const engine: SqliteEngine = {
  name: "bun:sqlite",
  open(file) {
    const database = new ClosingDatabase(file);
    return {
      exec: (sql) => database.exec(sql),
      prepare: (sql) => database.prepare(sql),
      finalize: (statement) => database.finalize(statement),
      prepareFind(sql) {
        const statement = database.prepare(sql);
        return (id) => (statement.get(id) as User | null) ?? undefined;
      },
      client: database,
      close: () => database.close(),
    };
  },
};
