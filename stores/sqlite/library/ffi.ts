/** The face of a runtime's foreign function interface: as little as SQLite's C interface needs. */

/** C types of arguments and results. Whole numbers in rows are read as `f64`, which is exact up to 2^53. */
export type CType = "i32" | "i64" | "f64" | "pointer";

/** A C function: types of its arguments and of its result. */
export interface CFunction {
  readonly takes: readonly CType[];
  readonly gives: CType;
}

declare const address: unique symbol;

/** An address as the runtime writes it; nobody but its own interface looks into it. */
export type Pointer = { readonly [address]: true } | null;

/** Memory of our own that C may read and write: it never moves. */
export interface Memory {
  readonly bytes: Uint8Array;
  readonly pointer: Pointer;
}

/** The exports of each runtime's file. */
export interface Ffi {
  /** `node:ffi`, `Deno.dlopen` or `bun:ffi`. */
  readonly name: string;
  readonly nullPointer: Pointer;
  /** Opens a library. Throws when there is none or a function is missing in it. */
  open(file: string, functions: Readonly<Record<string, CFunction>>): Readonly<Record<string, unknown>>;
  /** Zeroed memory of so many bytes. */
  allocate(bytes: number): Memory;
  /** The pointer that C wrote to the first eight bytes. */
  pointerIn(memory: Memory): Pointer;
  /** Writes text as UTF-8 without an end mark, into memory of at least three bytes a character; gives its bytes. */
  write(text: string, memory: Memory): number;
  /** Reads UTF-8: so many bytes, at least one, or without their number up to the end mark. */
  read(pointer: Pointer, bytes?: number): string;
  /** A whole number as an `i64` argument. */
  int64(value: number): number | bigint;
}
