import { Buffer } from "node:buffer";
import * as nodeFfi from "node:ffi";
import type { Ffi, Memory, Pointer } from "./ffi.ts";

/** Addresses are BigInts here. */
const of = (address: bigint) => address as unknown as Pointer;
const addressOf = (pointer: Pointer) => pointer as unknown as bigint;

interface NodeMemory extends Memory {
  readonly bytes: Buffer;
}

/** node:ffi, on Node from 26.1. */
export const ffi: Ffi = {
  name: "node:ffi",
  nullPointer: of(0n),
  open(file, functions) {
    const signatures = Object.entries(functions).map(([name, { takes, gives }]) =>
      [name, { arguments: takes, return: gives }] as const
    );
    return nodeFfi.dlopen(file, Object.fromEntries(signatures)).functions;
  },
  allocate(size): NodeMemory {
    const bytes = Buffer.from(new ArrayBuffer(size));
    return { bytes, pointer: of(nodeFfi.getRawPointer(bytes)) };
  },
  pointerIn: (memory) => of((memory as NodeMemory).bytes.readBigUInt64LE()),
  write: (text, memory) => (memory as NodeMemory).bytes.write(text, 0),
  read(pointer, bytes) {
    // Reading up to the end mark takes a twentieth of a copy's time, and is right unless the text holds a U+0000.
    const text = nodeFfi.toString(addressOf(pointer))!;
    if (bytes === undefined || text.length === bytes || Buffer.byteLength(text) === bytes) return text;
    return nodeFfi.toBuffer(addressOf(pointer), bytes, true).toString();
  },
  int64: BigInt,
};
