import type { OpenFile } from "./open-file.ts";

/** The part of Deno that is used here. */
interface DenoFiles {
  open(path: string): Promise<{ readonly readable: ReadableStream<Uint8Array>; stat(): Promise<{ size: number }> }>;
}

/** Deno: the stream of an open file. */
export const open: OpenFile = async (path) => {
  const { Deno } = globalThis as unknown as { Deno: DenoFiles };
  const file = await Deno.open(path);
  return { body: file.readable, bytes: (await file.stat()).size };
};
