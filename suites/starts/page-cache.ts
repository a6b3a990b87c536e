/** Starts that read their files from disk: what the system keeps of these is dropped before each. */
import { fsyncSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Unsupported } from "../../servers/app.ts";
import type { RuntimeName } from "../../servers/runtime.ts";
import type { Ffi } from "../../stores/sqlite/library/ffi.ts";

/** POSIX_FADV_DONTNEED of Linux: pages of a file that no process has mapped are dropped. */
const DONT_NEED = 4;

/** All files below a folder, and how what is kept of them in memory is dropped. */
interface PageCache {
  readonly files: number;
  drop(): void;
}

/**
 * Opens all files below a folder, and writes them to disk: what is not yet there is not dropped.
 * Throws {@link Unsupported} where this runtime or system cannot drop them.
 * @param library the C library, by name or path
 */
export async function pageCacheOf(folder: string, runtime: RuntimeName, library = "libc.so.6"): Promise<PageCache> {
  const { ffi, advise } = await adviser(runtime, library);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => openSync(join(parentPath, name), "r"));
  for (const file of files) fsyncSync(file);
  const whole = ffi.int64(0);
  return {
    files: files.length,
    drop() {
      for (const file of files) {
        const code = Number(advise(file, whole, whole, DONT_NEED));
        if (code !== 0) throw new Error(`posix_fadvise gave ${code}`);
      }
    },
  };
}

/** `posix_fadvise`, which no runtime offers by itself. */
async function adviser(runtime: RuntimeName, library: string) {
  try {
    if (process.platform !== "linux") throw new Error(`only Linux has it, and this is ${process.platform}`);
    const { ffi }: { ffi: Ffi } = await import(`../../stores/sqlite/library/${runtime}-ffi.ts`);
    const { posix_fadvise: advise } = ffi.open(library, {
      posix_fadvise: { takes: ["i32", "i64", "i64", "i32"], gives: "i32" },
    }) as unknown as { posix_fadvise(...values: readonly unknown[]): unknown };
    return { ffi, advise };
  } catch (error) {
    const [line] = (error as Error).message.split("\n");
    throw new Unsupported(`no file can be dropped from the page cache here: ${line}`);
  }
}

/** Bytes a running process has read from disk so far; 0 where the system does not tell. */
export function bytesReadBy(pid: number): number {
  try {
    return Number(/^read_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/**
 * Returns how starts were made cold, in words. Throws {@link Unsupported} where the first one read next to nothing from
 * disk.
 */
export function coldFact({ files }: Pick<PageCache, "files">, bytes: number): string {
  if (bytes < 2 ** 20) throw new Unsupported(`its files were dropped, and a start read ${bytes} bytes from disk`);
  return `posix_fadvise on ${files} files before each start; the first read ${
    (bytes / 2 ** 20).toFixed(0)
  } MiB from disk`;
}
