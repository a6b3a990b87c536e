import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { scanLines } from "./scan-lines.ts";

/** An append-only file of lines: survives the crash of its writer, because a half-written last line is cut off on open. */
interface AppendLog {
  readonly file: string;
  /** Bytes written so far. */
  bytes(): number;
  append(line: string): void;
  close(): void;
}

/**
 * Opens or continues a log. Nothing is created on disk before the first `append`.
 * @param visit called for each whole line already there, in order
 */
export function openAppendLog(file: string, visit?: (line: string) => void): AppendLog {
  let size = 0;
  if (existsSync(file)) {
    scanLines(file, (buffer, start, end, offset) => {
      visit?.(buffer.toString("utf8", start, end));
      size = offset + (end - start) + 1;
    });
  }
  let handle: number | undefined;
  return {
    file,
    bytes: () => size,
    append(line) {
      if (handle === undefined) {
        handle = openSync(file, "a");
        if (fstatSync(handle).size > size) ftruncateSync(handle, size);
      }
      const bytes = Buffer.from(line + "\n");
      let written = 0;
      while (written < bytes.length) written += writeSync(handle, bytes, written);
      size += bytes.length;
    },
    close() {
      if (handle !== undefined) closeSync(handle);
      handle = undefined;
    },
  };
}
