import { CString, dlopen, ptr } from "bun:ffi";
import type { CType, Ffi, Pointer } from "./ffi.ts";

/** `i64_fast` takes a number where `i64` wants a BigInt. */
const TYPES = { i32: "i32", i64: "i64_fast", f64: "f64", pointer: "ptr" } as const satisfies Record<CType, string>;

const encoder = new TextEncoder();
const of = (address: number) => address as unknown as Pointer;

/** bun:ffi, on Bun. */
export const ffi: Ffi = {
  name: "bun:ffi",
  nullPointer: null,
  open(file, functions) {
    const signatures = Object.entries(functions).map(([name, { takes, gives }]) =>
      [name, { args: takes.map((type) => TYPES[type]), returns: TYPES[gives] }] as const
    );
    return dlopen(file, Object.fromEntries(signatures)).symbols;
  },
  allocate(size) {
    const bytes = new Uint8Array(new ArrayBuffer(size));
    return { bytes, pointer: of(ptr(bytes)) };
  },
  pointerIn: ({ bytes }) => of(Number(new BigUint64Array(bytes.buffer, 0, 1)[0]!)),
  write: (text, { bytes }) => encoder.encodeInto(text, bytes).written,
  read: (pointer, bytes) => new CString(pointer as unknown as number, 0, bytes).toString(),
  int64: (value) => value,
};
