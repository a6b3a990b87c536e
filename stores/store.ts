import type { User } from "./user.ts";

/** A value or a promise of it: stores that answer at once are not made to wait a turn of the event loop. */
export type Awaitable<T> = T | Promise<T>;

/**
 * The lifetime of a created user after the process ends. `memory`: nothing. `buffered`: survives the end or crash of
 * the process, not a power cut. `synced`: survives both.
 */
export type Durability = "memory" | "buffered" | "synced";

/** How the cost of `find` grows with the number of users, as the store's idea promises it. */
export type Complexity = "O(1)" | "O(log n)" | "O(n)";

/** Facts about an opened store, read back from the engine rather than from our intentions. */
export interface StoreDescription {
  /** The engine, for example `node:sqlite`. */
  readonly engine: string;
  /** `sqlite_version()`, or null where no engine of that kind is involved. */
  readonly sqliteVersion: string | null;
  /** `sqlite_source_id()`, or null likewise. */
  readonly sqliteSourceId: string | null;
  /** Pragmas in force on this connection; empty where none exist. */
  readonly pragmas: Readonly<Record<string, string | number>>;
  /** All bytes the store needs on disk. */
  readonly diskBytes: number;
}

/** The description of a store over an engine that is not SQLite. */
export const describedBy = (engine: string, diskBytes: number): StoreDescription => ({
  engine,
  sqliteVersion: null,
  sqliteSourceId: null,
  pragmas: {},
  diskBytes,
});

/** An opened store. One process may open a directory for writing; several may read it at the same time. */
export interface Store {
  /** The user last created with this id, or undefined. */
  find(id: string): Awaitable<User | undefined>;
  /** Keeps a user; an existing user with the same id is replaced. */
  create(user: User): Awaitable<void>;
  /** Reads facts back from the engine. */
  describe(): Awaitable<StoreDescription>;
  /** Lets go of files and memory. Calling it again does nothing. */
  close(): Awaitable<void>;
}

/** The source that a driver's `prepare` builds from. */
export interface PrepareSource {
  /** The data set as JSON lines, one user a line, in the order of the data set. */
  readonly usersFile: string;
  /** Number of users in it. */
  readonly size: number;
}

/**
 * Ways into SQLite. `native` is the runtime's engine, `node` is node:sqlite wherever it exists, `library` is one library
 * file that every runtime calls by its foreign function interface, `libsql` the package of that name.
 */
export type SqliteEngineName = "native" | "node" | "library" | "libsql";

/** Choices made when a store is opened. */
export interface OpenOptions {
  /** SQLite stores only; `native` by default. See {@link SqliteEngineName}. */
  readonly engine?: SqliteEngineName;
  /** SQLite stores only: milliseconds to wait for a lock another process holds; 5000 by default. */
  readonly busyTimeoutMs?: number;
  /** Stores of a service only: where it listens, what it asks for, and which of its databases if not the first. */
  readonly service?: {
    readonly host: string;
    readonly port: number;
    readonly password?: string;
    readonly database?: string;
  };
}

/** One store of the registry: how it is built once for a data set and opened many times. */
export interface StoreDriver {
  /** The word used on the command line and in results. */
  readonly name: string;
  /** One line for people. */
  readonly title: string;
  readonly complexity: Complexity;
  readonly durability: Durability;
  /** Runtimes it runs on. */
  readonly runtimes: readonly ("node" | "deno" | "bun")[];
  /**
   * The other process that does its work, such as `PostgreSQL`. CPU time per request excludes that work, so the store
   * is measured alone and compared by rates.
   */
  readonly elsewhere?: string;
  /** Name of the folder layout `prepare` writes; drivers that share one are built once. Change it when the layout changes. */
  readonly layout: string;
  /** Writes the layout's files into an empty directory. */
  prepare(source: PrepareSource, directory: string): Awaitable<void>;
  /** Opens files that `prepare` wrote. Nothing but `create` changes them. */
  open(directory: string, options?: OpenOptions): Awaitable<Store>;
}

/** A store's failure in one line that names the file or value at fault. */
export class StoreError extends Error {
  override readonly name = "StoreError";
}

/** Where the service of a store listens. Throws a {@link StoreError} where none was started. */
export function serviceOf(options: OpenOptions | undefined): NonNullable<OpenOptions["service"]> {
  if (options?.service !== undefined) return options.service;
  throw new StoreError("its users are kept by a service, and none was started for it");
}

/** This runtime or machine has no such engine; the message says why in one line. Servers know it by its name. */
export class UnsupportedEngine extends Error {
  override readonly name = "Unsupported";
}
