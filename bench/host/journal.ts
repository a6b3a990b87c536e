import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";

/** A file of JSON lines, each on the disk before the next is begun. */
export interface Journal {
  append(record: unknown): void;
  close(): void;
}

/** Opens a journal for appending. */
export function openJournal(file: string): Journal {
  const handle = openSync(file, "a");
  return {
    append(record) {
      const bytes = Buffer.from(JSON.stringify(record) + "\n");
      let written = 0;
      while (written < bytes.length) written += writeSync(handle, bytes, written);
      fsyncSync(handle);
    },
    close: () => closeSync(handle),
  };
}
