/** The database of the suite: its file and its tables. */
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { loadEngine, type SqliteConnection, type SqliteValue } from "../../stores/sqlite/engine.ts";
import { idOf, kindOf } from "./events.ts";

/** Changes whenever the same request would give other rows. */
export const FORMAT = 1;

/** The database in a prepared folder. */
export const fileIn = (directory: string): string => join(directory, "events.db");

const SCHEMA = `
CREATE TABLE events (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, ts INTEGER NOT NULL) STRICT;
CREATE TABLE visits (path TEXT PRIMARY KEY NOT NULL, count INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;
const INDEX = "CREATE INDEX events_ts ON events (ts)";

/** Rows in one INSERT. */
const ROWS_PER_INSERT = 100;
/** Inserts between two turns of the event loop, so that a building process can receive a signal to stop. */
const INSERTS_PER_TURN = 40;

/**
 * Builds the database in ascending order of id, so that pages are written once and filled.
 * @param journal the journal mode that the file keeps, so that servers which only read leave it as it is
 * @param onProgress called now and then with the number of rows written
 */
export async function buildDatabase(
  into: string,
  rows: number,
  journal: "delete" | "wal",
  onProgress: (done: number) => void = () => {},
): Promise<void> {
  const connection = (await loadEngine()).open(fileIn(into));
  try {
    // Nobody reads a half-built file: the folder only gets its name when it is whole.
    connection.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
    connection.exec(SCHEMA);
    connection.exec("BEGIN");
    await insertAll(connection, rows, onProgress);
    connection.exec(INDEX);
    connection.exec("COMMIT");
    connection.exec("ANALYZE");
    connection.exec(`PRAGMA journal_mode = ${journal}`);
  } finally {
    connection.close();
  }
}

async function insertAll(
  connection: SqliteConnection,
  rows: number,
  onProgress: (done: number) => void,
): Promise<void> {
  const insertOf = (count: number) =>
    connection.prepare(`INSERT INTO events (id, kind, ts) VALUES ${Array(count).fill("(?,?,?)").join(",")}`);
  const insert = insertOf(ROWS_PER_INSERT);
  const ticks = new Uint32Array(rows + 1);
  for (let ts = 0; ts < rows; ts++) ticks[idOf(ts, rows)] = ts;
  let values: SqliteValue[] = [];
  let inserts = 0;
  for (let id = 1; id <= rows; id++) {
    const ts = ticks[id]!;
    values.push(id, kindOf(ts), ts);
    if (values.length < ROWS_PER_INSERT * 3) continue;
    insert.run(...values);
    values = [];
    if (++inserts % INSERTS_PER_TURN !== 0) continue;
    onProgress(id);
    await setImmediate();
  }
  if (values.length > 0) insertOf(values.length / 3).run(...values);
}
