import { closeSync, openSync, readSync } from "node:fs";

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 10;

/**
 * Walks a file line by line without holding more than a chunk of it.
 * @param visit gets the buffer, where the line starts and ends in it (without the newline), and the line's offset in
 * the file in bytes. The buffer is reused: copy what must last. A last line without a newline is not visited.
 */
export function scanLines(
  file: string,
  visit: (buffer: Buffer, start: number, end: number, offset: number) => void,
): void {
  const handle = openSync(file, "r");
  try {
    let buffer = Buffer.allocUnsafe(CHUNK_BYTES);
    let kept = 0;
    let base = 0;
    for (;;) {
      if (kept === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
      const read = readSync(handle, buffer, kept, buffer.length - kept, base + kept);
      if (read === 0) return;
      const filled = kept + read;
      let start = 0;
      for (let i = kept; i < filled; i++) {
        if (buffer[i] === NEWLINE) {
          visit(buffer, start, i, base + start);
          start = i + 1;
        }
      }
      buffer.copyWithin(0, start, filled);
      kept = filled - start;
      base += start;
    }
  } finally {
    closeSync(handle);
  }
}
