import { Buffer } from "node:buffer";
import type { Ffi, Pointer } from "./ffi.ts";

/** The part of Deno that is used here. */
interface DenoFfi {
  dlopen(
    file: string,
    functions: Readonly<Record<string, { parameters: readonly string[]; result: string }>>,
  ): { readonly symbols: Readonly<Record<string, unknown>> };
  readonly UnsafePointer: { of(bytes: Uint8Array): Pointer; create(address: bigint): Pointer };
  readonly UnsafePointerView: {
    getCString(pointer: Pointer): string;
    copyInto(pointer: Pointer, bytes: Uint8Array): void;
  };
}

/** Up to so many characters a loop is quicker than a call out of the engine. */
const SHORT = 48;

const { Deno } = globalThis as unknown as { Deno: DenoFfi };
const encoder = new TextEncoder();

/** Deno.dlopen, on Deno. */
export const ffi: Ffi = {
  name: "Deno.dlopen",
  nullPointer: null,
  open(file, functions) {
    const signatures = Object.entries(functions).map(([name, { takes, gives }]) =>
      [name, { parameters: takes, result: gives }] as const
    );
    return Deno.dlopen(file, Object.fromEntries(signatures)).symbols;
  },
  allocate(size) {
    const bytes = new Uint8Array(new ArrayBuffer(size));
    return { bytes, pointer: Deno.UnsafePointer.of(bytes) };
  },
  pointerIn: ({ bytes }) => Deno.UnsafePointer.create(new BigUint64Array(bytes.buffer, 0, 1)[0]!),
  write(text, { bytes }) {
    if (text.length > SHORT) return encoder.encodeInto(text, bytes).written;
    for (let n = 0; n < text.length; n++) {
      const code = text.charCodeAt(n);
      if (code > 127) return encoder.encodeInto(text, bytes).written;
      bytes[n] = code;
    }
    return text.length;
  },
  read(pointer, bytes) {
    // Reading up to the end mark takes a sixth of a copy's time, and is right unless the text holds a U+0000.
    const text = Deno.UnsafePointerView.getCString(pointer);
    if (bytes === undefined || text.length === bytes || Buffer.byteLength(text) === bytes) return text;
    const copy = Buffer.alloc(bytes);
    Deno.UnsafePointerView.copyInto(pointer, copy);
    return copy.toString();
  },
  int64: (value) => value,
};
