import type { OpenFile } from "./open-file.ts";

/** The part of Bun that is used here. */
interface BunFiles {
  file(path: string): Blob;
}

/** Bun: its file as a body, which it sends without reading it into JavaScript. */
export const open: OpenFile = (path) => {
  const { Bun } = globalThis as unknown as { Bun: BunFiles };
  return { body: Bun.file(path) };
};
