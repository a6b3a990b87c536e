import { type OpenOptions, UnsupportedEngine } from "../store.ts";
import type { User } from "../user.ts";

/** A value SQLite can bind or return here. */
export type SqliteValue = string | number | null;

/** A prepared statement as all engines shape it. Rows are objects with their columns in order. */
export interface SqliteStatement {
  /** The first row; undefined or null without. */
  get(...values: SqliteValue[]): unknown;
  all(...values: SqliteValue[]): unknown[];
  run(...values: SqliteValue[]): unknown;
}

/** One open database file. */
export interface SqliteConnection {
  exec(sql: string): void;
  /** The statement lives until it is finalized or the connection is closed. */
  prepare(sql: string): SqliteStatement;
  finalize(statement: SqliteStatement): void;
  /** Prepares a query that takes an id and gives the columns of a user, in the way that is fastest on this engine. */
  prepareFind(sql: string): (id: string) => User | undefined;
  /** The engine's object, for libraries that want it. */
  readonly client: unknown;
  close(): void;
}

/** A way into SQLite. */
export interface SqliteEngine {
  /** `node:sqlite`, `bun:sqlite` or `library (bun:ffi)`. */
  readonly name: string;
  /** The library file of engine `library`. */
  readonly libraryFile?: string;
  open(file: string): SqliteConnection;
}

const firstLineOf = (error: unknown) => String(error).split("\n")[0]!;

/**
 * Loads an engine: by default the runtime's own, which is bun:sqlite on Bun and node:sqlite elsewhere.
 * Throws an {@link UnsupportedEngine} where this runtime or machine has none.
 */
export async function loadEngine(options: OpenOptions = {}): Promise<SqliteEngine> {
  const { engine = "native" } = options;
  const runtime = (["bun", "deno"] as const).find((name) => process.versions[name] !== undefined) ?? "node";
  try {
    if (engine === "library") {
      const { libraryEngine } = await import("./library/library.ts");
      return libraryEngine((await import(`./library/${runtime}-ffi.ts`)).ffi);
    }
    if (engine === "libsql") return (await import("./libsql.ts")).engine;
    if (runtime === "bun" && engine !== "node") return (await import("./bun-sqlite.ts")).engine;
    return (await import("./node-sqlite.ts")).engine;
  } catch (cause) {
    if (engine === "libsql") {
      throw new UnsupportedEngine(`libsql has no build for this machine, or is not installed: ${firstLineOf(cause)}`, {
        cause,
      });
    }
    if ((cause as { code?: string }).code !== "ERR_UNKNOWN_BUILTIN_MODULE") throw cause;
    const missing = engine === "library"
      ? "node:ffi (Node 26.1 or later, some only with --experimental-ffi)"
      : "node:sqlite (Node 22.13 or later)";
    throw new UnsupportedEngine(`this ${runtime} has no ${missing}`, { cause });
  }
}
