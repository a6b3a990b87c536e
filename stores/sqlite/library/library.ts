import { StoreError, UnsupportedEngine } from "../../store.ts";
import type { SqliteConnection, SqliteEngine, SqliteStatement } from "../engine.ts";
import { FUNCTIONS, SQLITE, type Sqlite3 } from "./c-interface.ts";
import type { Ffi, Memory, Pointer } from "./ffi.ts";
import { findLibrary } from "./find-library.ts";
import { type Session, Statement, TEXT_BYTES } from "./statement.ts";

/** An error of SQLite in one line; `errcode` is its result code, as node:sqlite names it. */
class LibraryError extends StoreError {
  readonly errcode: number;

  constructor(message: string, errcode: number) {
    super(`SQLite: ${message.replace(/\s+/g, " ").trim()}`);
    this.errcode = errcode;
  }
}

/**
 * SQLite's C interface over one library file. Throws an {@link UnsupportedEngine} where there is no such file or it is not
 * SQLite.
 */
export function libraryEngine(ffi: Ffi): SqliteEngine {
  const file = findLibrary();
  let c: Sqlite3;
  try {
    c = ffi.open(file, FUNCTIONS) as unknown as Sqlite3;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
    throw new UnsupportedEngine(`${ffi.name} cannot open "${file}" as SQLite: ${why}`, { cause });
  }
  return { name: `library (${ffi.name})`, libraryFile: file, open: (name) => new Connection(ffi, c, name) };
}

class Connection implements SqliteConnection, Session {
  readonly ffi: Ffi;
  readonly c: Sqlite3;
  /** Where SQLite writes handles. */
  readonly #out: Memory;
  /** Text that SQLite reads during a call, kept here so that it is not collected meanwhile. */
  #text: Memory;
  readonly #statements = new Set<Statement>();
  #handle: Pointer;

  constructor(ffi: Ffi, c: Sqlite3, file: string) {
    this.ffi = ffi;
    this.c = c;
    this.#out = ffi.allocate(8);
    this.#text = ffi.allocate(TEXT_BYTES);
    this.#handle = ffi.nullPointer;
    this.#write(file);
    const flags = SQLITE.OPEN_READWRITE | SQLITE.OPEN_CREATE;
    const code = c.sqlite3_open_v2(this.#text.pointer, this.#out.pointer, flags, ffi.nullPointer);
    this.#handle = ffi.pointerIn(this.#out);
    if (code === SQLITE.OK) return;
    const error = this.failed(code);
    this.close();
    throw error;
  }

  /** Drizzle takes it for node:sqlite's: it prepares, and asks statements for arrays. */
  get client(): unknown {
    return this;
  }

  exec(sql: string): void {
    const { nullPointer } = this.ffi;
    this.#write(sql);
    const code = this.c.sqlite3_exec(this.#handle, this.#text.pointer, nullPointer, nullPointer, nullPointer);
    if (code !== SQLITE.OK) throw this.failed(code);
  }

  prepare(sql: string): Statement {
    const { ffi, c } = this;
    const bytes = this.#write(sql);
    const out = this.#out.pointer;
    const code = c.sqlite3_prepare_v2(this.#handle, this.#text.pointer, bytes, out, ffi.nullPointer);
    if (code !== SQLITE.OK) throw this.failed(code);
    const statement = new Statement(this, ffi.pointerIn(this.#out));
    this.#statements.add(statement);
    return statement;
  }

  prepareFind(sql: string): ReturnType<SqliteConnection["prepareFind"]> {
    const statement = this.prepare(sql);
    return (id) => statement.user(id);
  }

  finalize(statement: SqliteStatement): void {
    this.#statements.delete(statement as Statement);
    (statement as Statement).finalize();
  }

  close(): void {
    for (const statement of this.#statements) statement.finalize();
    this.#statements.clear();
    this.c.sqlite3_close_v2(this.#handle);
    this.#handle = this.ffi.nullPointer;
  }

  /**
   * Returns SQLite's error for the last call, or the meaning of its code if it has no message: after a close, and for
   * misuse.
   */
  failed(code: number): LibraryError {
    const { ffi, c } = this;
    const silent = this.#handle === ffi.nullPointer || code === SQLITE.MISUSE;
    return new LibraryError(ffi.read(silent ? c.sqlite3_errstr(code) : c.sqlite3_errmsg(this.#handle)), code);
  }

  /** Writes text with an end mark where SQLite will read it; gives its bytes without the mark. */
  #write(text: string): number {
    const most = text.length * 3 + 1;
    if (this.#text.bytes.length < most) this.#text = this.ffi.allocate(most);
    const bytes = this.ffi.write(text, this.#text);
    this.#text.bytes[bytes] = 0;
    return bytes;
  }
}
