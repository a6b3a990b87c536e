import type { OpenOptions } from "../store.ts";
import type { User } from "../user.ts";

/** A value SQLite can bind or return here. */
export type SqliteValue = string | number | null;

/** A prepared statement as both engines shape it. */
export interface SqliteStatement {
  get(...values: SqliteValue[]): unknown;
  run(...values: SqliteValue[]): unknown;
}

/** One open database file. */
export interface SqliteConnection {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  /** Prepares a query that takes an id and gives the columns of a user, in the way that is fastest on this engine. */
  prepareFind(sql: string): (id: string) => User | undefined;
  /** The engine's own object, for libraries that want it. */
  readonly client: unknown;
  close(): void;
}

/** A way into SQLite that a runtime offers. */
export interface SqliteEngine {
  readonly name: "node:sqlite" | "bun:sqlite";
  open(file: string): SqliteConnection;
}

/** Loads the runtime's own engine: bun:sqlite on Bun unless node:sqlite is asked for, node:sqlite elsewhere. */
export async function loadEngine(options: OpenOptions = {}): Promise<SqliteEngine> {
  if (process.versions["bun"] !== undefined && options.engine !== "node") {
    return (await import("./bun-sqlite.ts")).engine;
  }
  return (await import("./node-sqlite.ts")).engine;
}
