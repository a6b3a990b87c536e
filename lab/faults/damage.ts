import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A way to damage a finished run. */
export interface Damage {
  readonly name: string;
  readonly injected: string;
  readonly damage: (run: string) => void;
  /** What `bench verify` says of it. */
  readonly verify: RegExp;
  /** What `bench show` says of it: an error, or nothing where what it reads is sound. */
  readonly show?: RegExp;
}

/** Path of a run's journal. */
export const journal = (run: string) => join(run, "journal.ndjson");
/** Rewrites a file as text. */
export const rewrite = (file: string, change: (text: string) => string | Uint8Array) =>
  writeFileSync(file, change(readFileSync(file, "utf8")));
/** Rewrites the lines of a run's journal. */
export const lines = (change: (lines: string[]) => string[]) => (run: string) =>
  rewrite(journal(run), (text) => change(text.trimEnd().split("\n")).join("\n") + "\n");
/** Rewrites a file as bytes. */
export const inBytes = (file: string, change: (bytes: Buffer) => Buffer) =>
  writeFileSync(file, change(readFileSync(file)));
/** Puts something else in a file's place. */
export const replacedBy = (file: string, what: "folder" | "loop" | "nothing") => {
  rmSync(file, { recursive: true, force: true });
  if (what === "folder") mkdirSync(file);
  if (what === "loop") symlinkSync(file, file);
};
/** Cuts a file to half its length, not at the end of a line. */
export const cut = (file: string) => {
  const bytes = readFileSync(file);
  const half = Math.floor(bytes.length / 2);
  truncateSync(file, bytes[half - 1] === LINE_FEED ? half + 1 : half);
};
const LINE_FEED = 10;
