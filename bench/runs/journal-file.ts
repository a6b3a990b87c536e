import { rmSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { failure } from "../basics/errors.ts";
import { formatBytes } from "../basics/units.ts";
import { lookAt, MOST_BYTES, readPlainFile, writePlainFile } from "../files/plain-file.ts";

/** The raw lines in a run's folder, and the same packed, as runs of audits are kept. */
export const JOURNAL = "journal.ndjson", PACKED_JOURNAL = `${JOURNAL}.gz`;

/** Returns the name of the file that has a run's raw lines: the packed one only where the other is not there. */
export const journalName = (path: string): string =>
  lookAt(join(path, JOURNAL)) === undefined && lookAt(join(path, PACKED_JOURNAL)) !== undefined
    ? PACKED_JOURNAL
    : JOURNAL;

/** Returns the bytes of a run's raw lines. Throws in one line for a file that is none, too large unpacked, or there twice. */
export function readJournal(path: string): Buffer {
  const file = join(path, journalName(path)),
    cannot = (why: string, error?: unknown) =>
      failure(`cannot read "${file}": ${why}`, "bench verify names what else is wrong", error);
  const bytes = readPlainFile(file);
  if (!file.endsWith(PACKED_JOURNAL)) {
    if (lookAt(join(path, PACKED_JOURNAL)) !== undefined) throw cannot(`${PACKED_JOURNAL} stands beside it`);
    return bytes;
  }
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_BYTES });
  } catch (error) {
    throw cannot(`it is no gzip file, or holds more than ${formatBytes(MOST_BYTES)}, which no run has`, error);
  }
}

/** Packs the raw lines of a run, which is sealed anew after it. Those that are packed stay. */
export function packJournal(path: string): void {
  if (journalName(path) === PACKED_JOURNAL) return;
  writePlainFile(join(path, PACKED_JOURNAL), gzipSync(readPlainFile(join(path, JOURNAL)), { level: 9 }));
  rmSync(join(path, JOURNAL));
}

/** Unpacks the raw lines of a run that goes on. */
export function unpackJournal(path: string): void {
  if (journalName(path) === JOURNAL) return;
  writePlainFile(join(path, JOURNAL), readJournal(path));
  rmSync(join(path, PACKED_JOURNAL));
}
