import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { diskBytes } from "../files/disk-bytes.ts";
import { sortLines } from "../files/sorted-lines.ts";
import type { OpenOptions, PrepareSource, StoreDescription } from "../store.ts";
import type { User } from "../user.ts";
import { loadEngine, type SqliteConnection, type SqliteEngine, type SqliteValue } from "./engine.ts";

const FILE = "users.db";
/** Rows in one INSERT: fewer steps between JavaScript and SQLite, still far below its limit of 32 766 parameters. */
const ROWS_PER_INSERT = 100;
/** Inserts between two turns of the event loop, so that a building process can receive a signal to stop. */
const INSERTS_PER_TURN = 40;

/** The layout of both SQLite stores. */
export const SQLITE_LAYOUT = "sqlite-1";

/** The columns of a user in the order of a reply. */
export const COLUMNS = "id, name, email, age, country, createdAt";

const SCHEMA = `CREATE TABLE users (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  email TEXT NOT NULL,
  age INTEGER NOT NULL,
  country TEXT NOT NULL,
  createdAt TEXT NOT NULL
) STRICT, WITHOUT ROWID`;

/**
 * Pragmas of each connection; `describe` reads them back. With WAL, synchronous=NORMAL loses at most the last
 * transactions in a power cut, never the database (sqlite.org/wal.html).
 */
const PRAGMAS = {
  journal_mode: "WAL",
  synchronous: "NORMAL",
  // The largest a default build maps; files beyond it are read the ordinary way.
  mmap_size: 0x7fff0000,
  cache_size: -65_536,
  temp_store: "MEMORY",
  busy_timeout: 5000,
} as const;
const REPORTED = [...Object.keys(PRAGMAS), "page_size", "page_count"];

/** A database opened with the pragmas of this project. */
export interface UsersDatabase {
  readonly engine: SqliteEngine;
  readonly connection: SqliteConnection;
  describe(): StoreDescription;
  close(): void;
}

/** Opens the database of a prepared directory. */
export async function openDatabase(directory: string, options?: OpenOptions): Promise<UsersDatabase> {
  const engine = await loadEngine(options);
  const connection = engine.open(join(directory, FILE));
  const { busyTimeoutMs = PRAGMAS.busy_timeout } = options ?? {};
  const pragmas = { ...PRAGMAS, busy_timeout: busyTimeoutMs };
  for (const [name, value] of Object.entries(pragmas)) connection.exec(`PRAGMA ${name} = ${value}`);
  const scalar = (sql: string) => Object.values(connection.prepare(sql).get() as Record<string, string | number>)[0]!;
  let closed = false;
  return {
    engine,
    connection,
    describe: () => ({
      engine: engine.name,
      sqliteVersion: String(scalar("SELECT sqlite_version()")),
      sqliteSourceId: String(scalar("SELECT sqlite_source_id()")),
      pragmas: Object.fromEntries(REPORTED.map((name) => [name, scalar(`PRAGMA ${name}`)])),
      diskBytes: diskBytes(directory),
    }),
    close() {
      if (closed) return;
      closed = true;
      connection.exec("PRAGMA optimize");
      connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      connection.close();
    },
  };
}

/** Files up to so many bytes are read as a whole: a read for each user of a million takes a second. */
const MOST_READ_WHOLE = 2 ** 29;

/**
 * Builds the database in ascending order of id, so that each page is written once and filled.
 *
 * @param mostReadWhole bytes of a file of users from which only the places of its lines are kept in memory
 */
export async function buildDatabase(
  source: PrepareSource,
  directory: string,
  mostReadWhole: number = MOST_READ_WHOLE,
): Promise<void> {
  const engine = await loadEngine();
  const connection = engine.open(join(directory, FILE));
  try {
    // Nobody reads a half-built file: the folder only gets its name when it is whole.
    for (const pragma of ["journal_mode = OFF", "synchronous = OFF", "cache_size = -65536"]) {
      connection.exec(`PRAGMA ${pragma}`);
    }
    connection.exec(SCHEMA);
    const insertOf = (rows: number) =>
      connection.prepare(`INSERT INTO users (${COLUMNS}) VALUES ${Array(rows).fill("(?,?,?,?,?,?)").join(",")}`);
    const insert = insertOf(ROWS_PER_INSERT);
    connection.exec("BEGIN");
    let values: SqliteValue[] = [];
    let inserts = 0;
    for (const user of usersInOrder(source, mostReadWhole)) {
      values.push(user.id, user.name, user.email, user.age, user.country, user.createdAt);
      if (values.length === ROWS_PER_INSERT * 6) {
        insert.run(...values);
        values = [];
        if (++inserts % INSERTS_PER_TURN === 0) await setImmediate();
      }
    }
    if (values.length > 0) insertOf(values.length / 6).run(...values);
    connection.exec("COMMIT");
    connection.exec("ANALYZE");
    connection.exec("PRAGMA journal_mode = WAL");
  } finally {
    connection.close();
  }
}

/** The users of a file in ascending order of id. */
function* usersInOrder(source: PrepareSource, mostReadWhole: number): Generator<User> {
  const lines = sortLines(source.usersFile, source.size);
  const handle = openSync(source.usersFile, "r");
  try {
    const whole = fstatSync(handle).size <= mostReadWhole ? readFileSync(handle) : null;
    let buffer = Buffer.allocUnsafe(4096);
    for (const line of lines.order) {
      const [offset, length] = [lines.offset[line]!, lines.length[line]!];
      if (whole !== null) {
        yield JSON.parse(whole.toString("utf8", offset, offset + length));
        continue;
      }
      if (length > buffer.length) buffer = Buffer.allocUnsafe(length);
      readSync(handle, buffer, 0, length, offset);
      yield JSON.parse(buffer.toString("utf8", 0, length));
    }
  } finally {
    closeSync(handle);
  }
}
