/** Ways to damage a finished run, each a function of the run's folder. */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";

/** Does something to the run in this folder. */
export type Damage = (run: string) => void;

/** A file of a run: its name there, or how it is found. */
type Which = string | ((run: string) => string);

export const JOURNAL = "journal.ndjson";
/** The card of the first sound server. */
export const soundCard = (run: string): string => {
  const folder = join(run, "cells", "faults");
  return join(folder, readdirSync(folder).find((name) => name.startsWith("sound,"))!);
};

const at = (run: string, which: Which) => typeof which === "string" ? join(run, which) : which(run);

/** Writes this in place of a file. */
export const replaceBy = (which: Which, text: string): Damage => (run) => writeFileSync(at(run, which), text);

/** Rewrites a file as text. */
export const inText = (which: Which, change: (text: string, run: string) => string): Damage => (run) =>
  writeFileSync(at(run, which), change(readFileSync(at(run, which), "utf8"), run));

/** Rewrites a file as bytes. */
export const inBytes = (which: Which, change: (bytes: Buffer) => Buffer): Damage => (run) =>
  writeFileSync(at(run, which), change(readFileSync(at(run, which))));

/** Rewrites a file as JSON. */
export const inJson = (which: Which, change: (all: Record<string, unknown>) => unknown): Damage =>
  inText(which, (text) => JSON.stringify(change(JSON.parse(text)), null, 2) + "\n");

/** Rewrites the lines of the journal. */
export const inLines = (change: (lines: string[]) => string[]): Damage =>
  inText(JOURNAL, (text) => change(text.trimEnd().split("\n")).join("\n") + "\n");

/**
 * Puts something else in the place of a file or folder: `link` is one to the same thing, moved out of the run; `loop` one
 * to itself, and `device` one that never ends.
 */
export const inPlaceOf = (
  which: Which,
  what: "folder" | "file" | "loop" | "link" | "device" | "pipe" | "sparse" | "nothing",
): Damage =>
(run) => {
  const file = at(run, which);
  if (what === "link") {
    const moved = join(dirname(run), `${basename(run)}-${basename(file)}`);
    cpSync(file, moved, { recursive: true });
    rmSync(file, { recursive: true });
    return symlinkSync(moved, file);
  }
  rmSync(file, { recursive: true, force: true });
  if (what === "folder") mkdirSync(file);
  if (what === "file") writeFileSync(file, "");
  if (what === "loop") symlinkSync(file, file);
  if (what === "device") symlinkSync("/dev/zero", file);
  if (what === "pipe") execFileSync("mkfifo", [file]);
  if (what === "sparse") {
    writeFileSync(file, "");
    truncateSync(file, 2 ** 40);
  }
};

const LINE_FEED = 10;
/** Cuts a file to half its length, not at the end of a line. */
export const cutToHalf = (which: Which): Damage => (run) => {
  const bytes = readFileSync(at(run, which));
  const length = Math.floor(bytes.length / 2);
  truncateSync(at(run, which), bytes[length - 1] === LINE_FEED ? length + 1 : length);
};
