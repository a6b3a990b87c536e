import { StoreError } from "../../store.ts";
import type { User } from "../../user.ts";
import type { SqliteStatement, SqliteValue } from "../engine.ts";
import { SQLITE, type Sqlite3 } from "./c-interface.ts";
import type { Ffi, Memory, Pointer } from "./ffi.ts";

/** Bytes of the memory for a text to begin with. */
export const TEXT_BYTES = 256;

/** The part of a connection that a statement needs. */
export interface Session {
  readonly ffi: Ffi;
  readonly c: Sqlite3;
  /** The error of a call that gave this code. */
  failed(code: number): Error;
}

/** A prepared statement of a connection. */
export class Statement implements SqliteStatement {
  readonly #session: Session;
  readonly #ffi: Ffi;
  readonly #c: Sqlite3;
  readonly #names: readonly string[];
  /** Memory for the text bound to each parameter: SQLite reads it there, so it stays until the next text. */
  readonly #slots: (Memory | undefined)[];
  #handle: Pointer;
  #arrays = false;

  constructor(session: Session, handle: Pointer) {
    const { ffi, c } = session;
    this.#session = session;
    this.#ffi = ffi;
    this.#c = c;
    this.#handle = handle;
    this.#names = Array.from(
      { length: c.sqlite3_column_count(handle) },
      (_, column) => ffi.read(c.sqlite3_column_name(handle, column)),
    );
    this.#slots = Array.from({ length: c.sqlite3_bind_parameter_count(handle) }, () => undefined);
  }

  /** Rows become arrays of values in place of objects. */
  setReturnArrays(arrays: boolean): void {
    this.#arrays = arrays;
  }

  get(...values: SqliteValue[]): unknown {
    this.#bind(values);
    const code = this.#c.sqlite3_step(this.#handle);
    const row = code === SQLITE.ROW ? this.#row() : undefined;
    this.#end(code);
    return row;
  }

  /** A user, whose columns need no check of their type: the table is STRICT and lets no NULL in. */
  user(id: string): User | undefined {
    this.#bind([id]);
    const code = this.#c.sqlite3_step(this.#handle);
    const user = code !== SQLITE.ROW ? undefined : {
      id: this.#text(0),
      name: this.#text(1),
      email: this.#text(2),
      age: this.#c.sqlite3_column_double(this.#handle, 3),
      country: this.#text(4),
      createdAt: this.#text(5),
    };
    this.#end(code);
    return user;
  }

  all(...values: SqliteValue[]): unknown[] {
    this.#bind(values);
    const rows: unknown[] = [];
    let code = this.#c.sqlite3_step(this.#handle);
    for (; code === SQLITE.ROW; code = this.#c.sqlite3_step(this.#handle)) rows.push(this.#row());
    this.#end(code);
    return rows;
  }

  run(...values: SqliteValue[]): void {
    this.#bind(values);
    let code: number;
    do code = this.#c.sqlite3_step(this.#handle); while (code === SQLITE.ROW);
    this.#end(code);
  }

  /** After this every call fails: SQLite refuses null for a statement. */
  finalize(): void {
    this.#c.sqlite3_finalize(this.#handle);
    this.#handle = this.#ffi.nullPointer;
  }

  #bind(values: readonly SqliteValue[]): void {
    if (values.length !== this.#slots.length) {
      throw new StoreError(`SQLite: a statement with parameters: ${this.#slots.length}, values: ${values.length}`);
    }
    for (let n = 0; n < values.length; n++) {
      const code = this.#bindOne(n, values[n]!);
      if (code !== SQLITE.OK) throw this.#session.failed(code);
    }
  }

  #bindOne(n: number, value: SqliteValue): number {
    const c = this.#c;
    if (typeof value === "string") return this.#bindText(n, value);
    if (value === null) return c.sqlite3_bind_null(this.#handle, n + 1);
    if ((value | 0) === value) return c.sqlite3_bind_int(this.#handle, n + 1, value);
    if (!Number.isSafeInteger(value)) return c.sqlite3_bind_double(this.#handle, n + 1, value);
    return c.sqlite3_bind_int64(this.#handle, n + 1, this.#ffi.int64(value));
  }

  #bindText(n: number, text: string): number {
    let slot = this.#slots[n];
    if (slot === undefined || slot.bytes.length < text.length * 3) {
      this.#slots[n] = slot = this.#ffi.allocate(Math.max(TEXT_BYTES, text.length * 3));
    }
    const bytes = this.#ffi.write(text, slot);
    // No destructor: the text is read where it lies.
    return this.#c.sqlite3_bind_text(this.#handle, n + 1, slot.pointer, bytes, this.#ffi.nullPointer);
  }

  #row(): unknown {
    const names = this.#names;
    if (this.#arrays) {
      const row: SqliteValue[] = [];
      for (let column = 0; column < names.length; column++) row.push(this.#value(column));
      return row;
    }
    const row: Record<string, SqliteValue> = {};
    for (let column = 0; column < names.length; column++) row[names[column]!] = this.#value(column);
    return row;
  }

  #value(column: number): SqliteValue {
    const c = this.#c;
    const handle = this.#handle;
    switch (c.sqlite3_column_type(handle, column)) {
      case SQLITE.TEXT:
        return this.#text(column);
      case SQLITE.INTEGER: {
        const value = c.sqlite3_column_double(handle, column);
        if (!Number.isSafeInteger(value)) this.#refuse(column, "a whole number beyond 2^53");
        return value;
      }
      case SQLITE.FLOAT:
        return c.sqlite3_column_double(handle, column);
      case SQLITE.NULL:
        return null;
      default:
        return this.#refuse(column, "a blob");
    }
  }

  #text(column: number): string {
    // The text comes first: the length is that of the form requested last.
    const pointer = this.#c.sqlite3_column_text(this.#handle, column);
    const bytes = this.#c.sqlite3_column_bytes(this.#handle, column);
    return bytes === 0 ? "" : this.#ffi.read(pointer, bytes);
  }

  #refuse(column: number, what: string): never {
    this.#c.sqlite3_reset(this.#handle);
    throw new StoreError(`SQLite: column "${this.#names[column]}" holds ${what}, which is not read here`);
  }

  /** Lets go of what the statement held. A commit that fails is said by whichever call came upon it. */
  #end(code: number): void {
    if (code !== SQLITE.ROW && code !== SQLITE.DONE) {
      const error = this.#session.failed(code);
      this.#c.sqlite3_reset(this.#handle);
      throw error;
    }
    const atEnd = this.#c.sqlite3_reset(this.#handle);
    if (atEnd !== SQLITE.OK) throw this.#session.failed(atEnd);
  }
}
