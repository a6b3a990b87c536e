import type { SqliteConnection, SqliteStatement, SqliteValue } from "../../stores/sqlite/engine.ts";
import { BATCH_ROWS, type Event, LOOK_UPS, RECENT_ROWS, STRIDE } from "./events.ts";

/** `cached`: each statement is prepared once; `fresh`: anew for each use, as code does that hands SQL to its library. */
export type StatementMode = "cached" | "fresh";

/** The SQL of the app, by what it is for. */
export const SQL = {
  insert: "INSERT INTO events (kind, ts) VALUES (?, ?)",
  begin: "BEGIN",
  commit: "COMMIT",
  recent: `SELECT id, kind, ts FROM events ORDER BY ts DESC, id DESC LIMIT ${RECENT_ROWS}`,
  event: "SELECT id, kind, ts FROM events WHERE id = ?",
  visit:
    "INSERT INTO visits (path, count) VALUES (?, 1) ON CONFLICT (path) DO UPDATE SET count = count + 1 RETURNING count",
  visits: "SELECT count FROM visits WHERE path = ?",
  // Bindings differ in whether a number arrives as a whole one; with the casts the work is the same.
  inside: `WITH RECURSIVE steps (n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM steps WHERE n < ${LOOK_UPS - 1})
    SELECT sum(n * (SELECT id FROM events WHERE ts = (CAST(? AS INTEGER) + n * ${STRIDE}) % CAST(? AS INTEGER))) AS sum
    FROM steps`,
  at: "SELECT count(*) AS count, min(kind) AS first, max(kind) AS last FROM events WHERE ts = ?",
  between: "SELECT count(*) AS events FROM events WHERE ts >= ? AND ts < ?",
  count: "SELECT count(*) AS events FROM events",
} as const;

/** The app's queries. */
export interface Queries {
  insert(kind: string, ts: number): void;
  /** Several equal events in one transaction: all of them or none. */
  insertBatch(kind: string, ts: number): void;
  recent(): unknown;
  event(id: number): Event | undefined;
  /** Counts a visit and gives all there were. */
  visit(path: string): number;
  visits(path: string): number;
  inside(start: number, rows: number): unknown;
  at(ts: number): unknown;
  between(from: number, below: number): unknown;
  count(): unknown;
}

type Use = <T>(work: (statement: SqliteStatement) => T) => T;

/** Prepares the statements of the app over one connection, once or anew for each use. */
export function queriesOf(connection: SqliteConnection, mode: StatementMode): Queries {
  const cached = (sql: string): Use => {
    const statement = connection.prepare(sql);
    return (work) => work(statement);
  };
  const fresh = (sql: string): Use => (work) => {
    const statement = connection.prepare(sql);
    try {
      return work(statement);
    } finally {
      connection.finalize(statement);
    }
  };
  const use = Object.fromEntries(
    Object.entries(SQL).map(([name, sql]) => [name, mode === "cached" ? cached(sql) : fresh(sql)]),
  ) as Record<keyof typeof SQL, Use>;
  const row = (name: keyof typeof SQL, ...values: SqliteValue[]) => use[name]((statement) => statement.get(...values));
  const run = (name: keyof typeof SQL, ...values: SqliteValue[]) => use[name]((statement) => statement.run(...values));
  return {
    insert: (kind, ts) => void run("insert", kind, ts),
    insertBatch(kind, ts) {
      run("begin");
      try {
        for (let n = 0; n < BATCH_ROWS; n++) run("insert", kind, ts);
        run("commit");
      } catch (error) {
        connection.exec("ROLLBACK");
        throw error;
      }
    },
    recent: () => use.recent((statement) => statement.all()),
    event: (id) => (row("event", id) ?? undefined) as Event | undefined,
    visit: (path) => (row("visit", path) as { count: number }).count,
    visits: (path) => (row("visits", path) as { count: number } | undefined | null)?.count ?? 0,
    inside: (start, rows) => row("inside", start, rows),
    at: (ts) => row("at", ts),
    between: (from, below) => row("between", from, below),
    count: () => row("count"),
  };
}
