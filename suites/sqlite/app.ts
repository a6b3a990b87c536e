import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename } from "node:path";
import { type OpenApp, Unsupported } from "../../servers/app.ts";
import { diskBytes } from "../../stores/files/disk-bytes.ts";
import { loadEngine, type SqliteConnection, type SqliteEngine } from "../../stores/sqlite/engine.ts";
import type { SqliteEngineName } from "../../stores/store.ts";
import { fileIn } from "./database.ts";
import { eventsApp } from "./events-app.ts";
import { type Pragmas, type ProfileName, PROFILES } from "./profiles.ts";
import { queriesOf, type StatementMode } from "./queries.ts";

/** Options that suite.ts hands to the app. */
export interface EventsOptions {
  readonly profile: ProfileName;
  readonly statements: StatementMode;
  readonly engine: SqliteEngineName;
  /** Events of the table to begin with. */
  readonly rows: number;
}

/** Opens the database of the app's folder with a profile's pragmas. */
export const open: OpenApp = async ({ directory, options }) => {
  const { profile, statements, engine: name, rows } = options as unknown as EventsOptions;
  if (directory === null) throw new Error("the app needs the folder of its database");
  const engine = await loadEngine({ engine: name });
  const connection = engine.open(fileIn(directory));
  let closed = false;
  const close = () => {
    if (!closed) connection.close();
    closed = true;
  };
  try {
    setPragmas(connection, profile, PROFILES[profile].pragmas);
    const { fetch } = eventsApp(queriesOf(connection, statements), rows);
    return {
      fetch,
      describe: () => ({ diskBytes: diskBytes(directory), facts: factsOf(engine, connection, statements) }),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
};

function scalar(connection: SqliteConnection, sql: string): string | number {
  const statement = connection.prepare(sql);
  const row = statement.get() as Record<string, string | number>;
  connection.finalize(statement);
  return Object.values(row)[0]!;
}

/** Sets pragmas and reads them back: a build may cap one or leave it out, and would be measured under a wrong name. */
function setPragmas(connection: SqliteConnection, profile: string, pragmas: Pragmas): void {
  for (const [name, wanted] of Object.entries(pragmas)) {
    connection.exec(`PRAGMA ${name} = ${wanted}`);
    const got = scalar(connection, `PRAGMA ${name}`);
    if (got === wanted) continue;
    throw new Unsupported(`this SQLite leaves pragma ${name} at "${got}", and profile ${profile} asks for "${wanted}"`);
  }
}

function factsOf(engine: SqliteEngine, connection: SqliteConnection, statements: StatementMode) {
  const pragmas = [...Object.keys(PROFILES.default.pragmas), "page_size", "page_count"];
  return {
    engine: engine.name,
    ...(engine.libraryFile === undefined ? {} : { library: libraryText(engine.libraryFile) }),
    sqlite_version: scalar(connection, "SELECT sqlite_version()"),
    sqlite_source_id: scalar(connection, "SELECT sqlite_source_id()"),
    sqlite_build: buildText(connection),
    ...Object.fromEntries(pragmas.map((name) => [`pragma ${name}`, scalar(connection, `PRAGMA ${name}`)])),
    statements,
  };
}

/** `libsqlite3.so.0.8.6, SHA-256 0123456789abcdef`: the same text means the same file. */
function libraryText(file: string): string {
  // macOS opens its own without a file on the disk.
  if (!existsSync(file)) return basename(file);
  const sha256 = createHash("sha256").update(readFileSync(file)).digest("hex");
  return `${basename(realpathSync(file))}, SHA-256 ${sha256.slice(0, 16)}`;
}

/** Options of a build that make it quicker or slower (sqlite.org/compile.html), and its compiler. */
const TELLING =
  /^(COMPILER|THREADSAFE|DEFAULT_MEMSTATUS|SECURE_DELETE|OMIT_|ENABLE_(API_ARMOR|MEMORY_MANAGEMENT|STAT4|UNLOCK_NOTIFY)|LIKE_DOESNT|DIRECT_OVERFLOW)/;

function buildText(connection: SqliteConnection): string {
  const statement = connection.prepare("PRAGMA compile_options");
  const options = (statement.all() as { compile_options: string }[]).map((row) => row.compile_options);
  connection.finalize(statement);
  return options.filter((option) => TELLING.test(option)).join(" ");
}
