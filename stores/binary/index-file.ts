import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import type { SortedLines } from "../files/sorted-lines.ts";
import { StoreError } from "../store.ts";

/*
 * An index on disk: 16-byte entries in ascending order of id, in pages of 4 096 bytes.
 * An entry is four little-endian 32-bit words: high half of the id, low half, low word of the line's offset, and the
 * offset's upper 12 bits over the line's length in 20 bits. The first id of each page (the fence) is kept in memory,
 * 8 bytes for 256 users, as sorted-table formats do; so a look-up reads exactly one page.
 */
const PAGE_BYTES = 4096;
const ENTRY_WORDS = 4;
const PAGE_ENTRIES = PAGE_BYTES / (ENTRY_WORDS * 4);
const LENGTH_BITS = 20;
const MAX_LINE_BYTES = 2 ** LENGTH_BITS - 1;

/** Where a user's line stands in the users file, in bytes. Reused by the next look-up. */
interface LinePlace {
  offset: number;
  length: number;
}

/** An opened index. */
interface IndexFile {
  /** Finds the line of an id given as its two 32-bit halves. */
  find(high: number, low: number): LinePlace | undefined;
  close(): void;
}

/** Writes an index for sorted lines. Throws a {@link StoreError} when a line is too long for an entry. */
export function writeIndex(file: string, lines: SortedLines): void {
  const pages = Math.ceil(lines.count / PAGE_ENTRIES);
  const handle = openSync(file, "wx");
  try {
    const page = new Uint32Array(PAGE_BYTES / 4);
    const bytes = new Uint8Array(page.buffer);
    for (let p = 0; p < pages; p++) {
      const first = p * PAGE_ENTRIES;
      const entries = Math.min(PAGE_ENTRIES, lines.count - first);
      for (let e = 0; e < entries; e++) {
        const line = lines.order[first + e]!;
        const length = lines.length[line]!;
        if (length > MAX_LINE_BYTES) throw new StoreError(`a user of ${length} bytes is too long for the index`);
        const offset = lines.offset[line]!;
        page[e * ENTRY_WORDS] = lines.high[line]!;
        page[e * ENTRY_WORDS + 1] = lines.low[line]!;
        page[e * ENTRY_WORDS + 2] = offset % 2 ** 32;
        page[e * ENTRY_WORDS + 3] = (Math.floor(offset / 2 ** 32) << LENGTH_BITS) | length;
      }
      writeSync(handle, bytes, 0, entries * ENTRY_WORDS * 4);
    }
  } finally {
    closeSync(handle);
  }
}

/** Opens an index and reads its fences. */
export function openIndex(file: string): IndexFile {
  const handle = openSync(file, "r");
  const size = fstatSync(handle).size;
  if (size === 0 || size % (ENTRY_WORDS * 4) !== 0) {
    closeSync(handle);
    throw new StoreError(`index "${file}" has ${size} bytes, which is no whole number of entries`);
  }
  const page = new Uint32Array(PAGE_BYTES / 4);
  const bytes = new Uint8Array(page.buffer);
  const pages = Math.ceil(size / PAGE_BYTES);
  const fenceHigh = new Uint32Array(pages);
  const fenceLow = new Uint32Array(pages);
  for (let p = 0; p < pages; p++) {
    readSync(handle, bytes, 0, 8, p * PAGE_BYTES);
    fenceHigh[p] = page[0]!;
    fenceLow[p] = page[1]!;
  }
  const place: LinePlace = { offset: 0, length: 0 };
  return {
    find(high, low) {
      // The last page whose first id is not above the one sought.
      let from = 0, to = pages - 1;
      while (from < to) {
        const middle = (from + to + 1) >>> 1;
        const h = fenceHigh[middle]!;
        if (h < high || (h === high && fenceLow[middle]! <= low)) from = middle;
        else to = middle - 1;
      }
      const entries = readSync(handle, bytes, 0, PAGE_BYTES, from * PAGE_BYTES) / (ENTRY_WORDS * 4);
      from = 0;
      to = entries - 1;
      while (from <= to) {
        const middle = (from + to) >>> 1;
        const word = middle * ENTRY_WORDS;
        const h = page[word]!;
        if (h === high) {
          const l = page[word + 1]!;
          if (l === low) {
            const packed = page[word + 3]!;
            place.offset = page[word + 2]! + (packed >>> LENGTH_BITS) * 2 ** 32;
            place.length = packed & MAX_LINE_BYTES;
            return place;
          }
          if (l < low) from = middle + 1;
          else to = middle - 1;
        } else if (h < high) from = middle + 1;
        else to = middle - 1;
      }
      return undefined;
    },
    close: () => closeSync(handle),
  };
}
