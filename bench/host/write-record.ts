import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Writes a record into the folder of runs, named by what it is and when it began: to a temporary name first, then renamed.
 * @returns its path
 */
export function writeRecord(results: string, kind: string, startedAt: string, record: unknown): string {
  const stamp = startedAt.slice(0, 19).replaceAll(":", "").replace("T", "-");
  let file = join(results, `${kind}-${stamp}.json`);
  for (let n = 2; existsSync(file); n++) file = join(results, `${kind}-${stamp}-${n}.json`);
  writeFileSync(`${file}.part`, JSON.stringify(record, null, 1) + "\n");
  renameSync(`${file}.part`, file);
  return file;
}
