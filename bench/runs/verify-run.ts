import { join } from "node:path";
import { z } from "zod";
import { BenchError, EXIT } from "../basics/errors.ts";
import { formatBytes } from "../basics/units.ts";
import { visibleLine } from "../basics/visible.ts";
import { issueText } from "../record/issue-text.ts";
import { cellCard } from "../record/card.ts";
import type { RunRecord } from "../record/run-record.ts";
import { faultsOfRun, unjudgedWarmups } from "../result/verify.ts";
import { lookAt, MOST_BYTES } from "../files/plain-file.ts";
import { cardFilesOf, readJson, readRun, readSummary, type StoredRun } from "./read-run.ts";
import { JOURNAL, PACKED_JOURNAL } from "./journal-file.ts";
import { sealFaults } from "./seal.ts";

/** The result of recomputing a run. */
export interface Verified {
  /** One sentence for each thing that does not follow from the raw lines, is missing or was changed; empty when all is well. */
  readonly faults: readonly string[];
  /** Parts that could not be recomputed, one sentence each. */
  readonly notes: readonly string[];
  /** Raw lines there are; 0 where they cannot be read. */
  readonly lines: number;
  /** The record of the run; null if it cannot be read. */
  readonly run: RunRecord | null;
}

/**
 * Recomputes everything a run publishes from its raw lines. It does not throw: what cannot be read is a fault, too.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { findRun, verify } from "levelfield";
 * const { faults, lines } = verify(findRun("results", "reference"));
 * assert.deepEqual(faults, []);
 * assert.ok(lines > 0);
 * ```
 *
 * @param path the run's folder
 */
export function verify(path: string): Verified {
  const { faults, stored } = readVerified(path);
  const lines = stored?.lines ?? [];
  return { faults, notes: unjudgedWarmups(lines), lines: lines.length, run: stored?.run ?? null };
}

const FILES = ["SHA256SUMS", JOURNAL, PACKED_JOURNAL, "run.json", "summary.json"];

function sizeOfRun(path: string): number {
  return [...cardFilesOf(path), ...FILES].reduce((sum, name) => sum + (lookAt(join(path, name))?.size ?? 0), 0);
}

/** After so many unreadable files the rest is not tried: each may take long. */
const MOST_UNREAD = 100;

/** Returns in one line why a run cannot be read or judged. */
export function faultText(error: unknown): string {
  if (error instanceof BenchError) return error.message;
  if (error instanceof z.ZodError) return `what it says cannot be published: ${issueText(error)}`;
  return `it cannot be judged: ${(error instanceof Error ? error.message : String(error)).split("\n")[0]}`;
}

/** Reads each named run. One that cannot be read is left out with a line, as long as another can. */
export function readEach<T>(
  names: readonly (string | undefined)[],
  read: (name: string | undefined) => T,
  say: (line: string) => void,
): T[] {
  const failed: unknown[] = [];
  const found = names.flatMap((name) => {
    try {
      return [read(name)];
    } catch (error) {
      // An unknown name is the user's mistake and no fault of a run.
      if (names.length === 1 || (error instanceof BenchError && error.exit === EXIT.usage)) throw error;
      if (failed.push(error) === names.length) throw error;
      say(visibleLine(`left out: ${name}: ${faultText(error)}`));
      return [];
    }
  });
  return found;
}

function readVerified(path: string): { readonly faults: readonly string[]; readonly stored: StoredRun | null } {
  const faults: string[] = [];
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      faults.push(faultText(error).replaceAll(`${path}/`, ""));
      return undefined;
    }
  };
  const size = attempt(() => sizeOfRun(path));
  if (size === undefined || size > MOST_BYTES) {
    const large = `it is larger than ${formatBytes(MOST_BYTES)}, which no run is`;
    return { faults: size === undefined ? faults : [large], stored: null };
  }
  const stored = attempt(() => readRun(path));
  const published = new Map<string, unknown>();
  for (const file of attempt(() => cardFilesOf(path)) ?? []) {
    if (faults.length >= MOST_UNREAD) {
      faults.push("more of its files cannot be read");
      break;
    }
    const card = attempt(() => readJson(join(path, file), cellCard));
    if (card !== undefined) published.set(file, card);
  }
  const summary = attempt(() => readSummary(path));
  if (summary !== undefined) published.set("summary.json", summary);
  if (stored !== undefined) {
    if (stored.truncated) faults.push("journal.ndjson ends in half a line");
    // Any exception is a fault: a sound run throws none.
    const { run, lines } = stored;
    for (const fault of attempt(() => faultsOfRun({ run, lines, published })) ?? []) faults.push(fault);
  }
  for (const fault of attempt(() => sealFaults(path)) ?? []) faults.push(fault);
  // An unreadable file is met more than once.
  return { faults: [...new Set(faults)], stored: stored ?? null };
}
