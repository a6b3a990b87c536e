/** The part of Bun's built-in module that is used here; addresses are numbers. */
declare module "bun:ffi" {
  export function dlopen(
    file: string,
    functions: Readonly<Record<string, { args: readonly string[]; returns: string }>>,
  ): { readonly symbols: Readonly<Record<string, unknown>> };
  export function ptr(bytes: Uint8Array): number;
  export class CString {
    constructor(pointer: number, offset?: number, bytes?: number);
    toString(): string;
  }
}
