import type { CFunction, CType, Pointer } from "./ffi.ts";

const gives = (result: CType, ...takes: CType[]): CFunction => ({ takes, gives: result });

/** The functions of SQLite's C interface that are used here (sqlite.org/c3ref/funclist.html). */
export const FUNCTIONS = {
  sqlite3_open_v2: gives("i32", "pointer", "pointer", "i32", "pointer"),
  sqlite3_close_v2: gives("i32", "pointer"),
  sqlite3_errmsg: gives("pointer", "pointer"),
  sqlite3_errstr: gives("pointer", "i32"),
  sqlite3_exec: gives("i32", "pointer", "pointer", "pointer", "pointer", "pointer"),
  sqlite3_prepare_v2: gives("i32", "pointer", "pointer", "i32", "pointer", "pointer"),
  sqlite3_finalize: gives("i32", "pointer"),
  sqlite3_bind_parameter_count: gives("i32", "pointer"),
  sqlite3_bind_text: gives("i32", "pointer", "i32", "pointer", "i32", "pointer"),
  sqlite3_bind_int: gives("i32", "pointer", "i32", "i32"),
  sqlite3_bind_int64: gives("i32", "pointer", "i32", "i64"),
  sqlite3_bind_double: gives("i32", "pointer", "i32", "f64"),
  sqlite3_bind_null: gives("i32", "pointer", "i32"),
  sqlite3_step: gives("i32", "pointer"),
  sqlite3_reset: gives("i32", "pointer"),
  sqlite3_column_count: gives("i32", "pointer"),
  sqlite3_column_name: gives("pointer", "pointer", "i32"),
  sqlite3_column_type: gives("i32", "pointer", "i32"),
  sqlite3_column_text: gives("pointer", "pointer", "i32"),
  sqlite3_column_bytes: gives("i32", "pointer", "i32"),
  sqlite3_column_double: gives("f64", "pointer", "i32"),
} as const satisfies Record<string, CFunction>;

/** The same as they are called. */
export interface Sqlite3 {
  sqlite3_open_v2(file: Pointer, handle: Pointer, flags: number, vfs: Pointer): number;
  sqlite3_close_v2(database: Pointer): number;
  sqlite3_errmsg(database: Pointer): Pointer;
  sqlite3_errstr(code: number): Pointer;
  sqlite3_exec(database: Pointer, sql: Pointer, callback: Pointer, argument: Pointer, message: Pointer): number;
  sqlite3_prepare_v2(database: Pointer, sql: Pointer, bytes: number, handle: Pointer, tail: Pointer): number;
  sqlite3_finalize(statement: Pointer): number;
  sqlite3_bind_parameter_count(statement: Pointer): number;
  sqlite3_bind_text(statement: Pointer, place: number, text: Pointer, bytes: number, destructor: Pointer): number;
  sqlite3_bind_int(statement: Pointer, place: number, value: number): number;
  sqlite3_bind_int64(statement: Pointer, place: number, value: number | bigint): number;
  sqlite3_bind_double(statement: Pointer, place: number, value: number): number;
  sqlite3_bind_null(statement: Pointer, place: number): number;
  sqlite3_step(statement: Pointer): number;
  sqlite3_reset(statement: Pointer): number;
  sqlite3_column_count(statement: Pointer): number;
  sqlite3_column_name(statement: Pointer, column: number): Pointer;
  sqlite3_column_type(statement: Pointer, column: number): number;
  sqlite3_column_text(statement: Pointer, column: number): Pointer;
  sqlite3_column_bytes(statement: Pointer, column: number): number;
  sqlite3_column_double(statement: Pointer, column: number): number;
}

/** Result codes and column types of sqlite.org/c3ref/constlist.html. */
export const SQLITE = {
  OK: 0,
  MISUSE: 21,
  ROW: 100,
  DONE: 101,
  OPEN_READWRITE: 0x2,
  OPEN_CREATE: 0x4,
  INTEGER: 1,
  FLOAT: 2,
  TEXT: 3,
  NULL: 5,
} as const;
