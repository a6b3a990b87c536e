import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { z } from "zod";
import { parseBoundedJson } from "../basics/bounded-json.ts";
import { failure, usageError } from "../basics/errors.ts";
import { counted } from "../basics/units.ts";
import { nearestNames } from "../basics/unknown-name.ts";
import { formatFault, issueText } from "../record/issue-text.ts";
import { BOUNDS } from "../record/bounds.ts";
import { type Observation, observationRecord } from "../record/observation-record.ts";
import { stepsAtMost } from "../record/plan-size.ts";
import { type RunRecord, runRecord } from "../record/run-record.ts";
import { type Summary, summarySchema } from "../record/summary.ts";
import { findReference, isKept, REFERENCE } from "./find-reference.ts";
import { JOURNAL, journalName, readJournal } from "./journal-file.ts";
import { lookAt, readPlainFile } from "../files/plain-file.ts";
import { thisCpuKind } from "../machine/this-machine.ts";

/** A run read back from its folder. */
export interface StoredRun {
  readonly path: string;
  readonly run: RunRecord;
  readonly lines: readonly Observation[];
  /** True when the journal's last line was cut short, as by a power cut; the rest is sound. */
  readonly truncated: boolean;
}

/** The folders of runs, the newest last. */
export function listRuns(results: string): string[] {
  if (!existsSync(results)) return [];
  return namesIn(results).filter((name) => lookAt(join(results, name, "run.json")) !== undefined).sort();
}

function namesIn(results: string): string[] {
  try {
    return readdirSync(results);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw failure(`cannot read the folder of runs "${results}": ${code}`, "choose another with --results", error);
  }
}

/**
 * Finds a run's folder by path or by name; without a name the newest. `reference` is a folder of that name, else the first
 * suite's reference run of this kind of CPU, else of another kind. Throws a usage error if there is none.
 *
 * ```ts
 * import { findRun } from "levelfield";
 * console.log(findRun("results", "reference"));
 * ```
 *
 * @param say receives the note that a reference is of another kind of CPU
 */
export function findRun(results: string, wanted: string | undefined, say: (line: string) => void = () => {}): string {
  if (wanted !== undefined && lookAt(join(wanted, "run.json")) !== undefined) return resolve(wanted);
  const runs = listRuns(results);
  // A run that was stopped before its first step has no figures.
  const plain = runs.filter((name) => !isKept(name));
  const newest = plain.findLast((name) => lookAt(join(results, name, JOURNAL))?.size) ?? plain.at(-1) ??
    runs.at(-1);
  if (wanted === REFERENCE && !runs.includes(REFERENCE)) {
    const found = findReference(results, runs, thisCpuKind());
    if (found === undefined) {
      throw usageError(`there is no reference run in "${results}"`, runHint(undefined, runs, newest));
    }
    if (found.note !== null) say(found.note);
    return resolve(results, found.name);
  }
  const name = wanted ?? newest;
  if (name === undefined) throw usageError(`there is no run in "${results}"`, runHint(undefined, runs, newest));
  if (lookAt(join(results, name, "run.json")) === undefined) {
    throw usageError(`there is no run "${name}" in "${results}"`, runHint(name, runs, newest));
  }
  return resolve(results, name);
}

function runHint(wanted: string | undefined, runs: readonly string[], newest: string | undefined): string {
  if (newest === undefined) return "bench run --quick makes one; --results names another folder";
  const near = wanted === undefined ? [] : nearestNames(wanted, runs);
  return near.length > 0
    ? `did you mean ${near.map((name) => `"${name}"`).join(" or ")}?`
    : `"${newest}" is the newest; bench show --list has all`;
}

/**
 * Reads a run. Throws in one line for a damaged file or one of another version.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { findRun, readRun } from "levelfield";
 * const { run, lines, truncated } = readRun(findRun("results", "reference"));
 * assert.ok(lines.length > 0 && !truncated);
 * console.log(run.levelfield.version, run.plan.suite.title, run.machine.cpu_model);
 * ```
 */
export function readRun(path: string): StoredRun {
  const run = readJson(join(path, "run.json"), runRecord);
  const file = join(path, journalName(path));
  // Twice as many lines may be read: a run that was put together by mistake gets a better message.
  const { rows, last } = journalRows(path, 2 * stepsAtMost(run.plan));
  const lines = rows.map((row, index) => {
    const where = `${file} line ${index + 1}`;
    return check(parseJson(row, where), observationRecord, where);
  });
  return { path, run, lines, truncated: last !== "" };
}

const [LINE_FEED, COMMA, BRACKET, BRACE] = [10, 44, 91, 123];

/** Splits a journal into complete lines and the rest after the last. Throws early if it has more than any run. */
function journalRows(
  path: string,
  mostLines: number = BOUNDS.steps,
): { readonly rows: readonly string[]; readonly last: string } {
  const bytes = readJournal(path);
  let feeds = 0, values = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === LINE_FEED) feeds++;
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) values++;
  }
  const file = join(path, journalName(path));
  const refused = (most: string) => failure(`"${file}" has more than ${most}, which no run has`, VERIFY);
  if (feeds > mostLines) throw refused(counted(mostLines, "line"));
  if (values > BOUNDS.journalValues) throw refused(counted(BOUNDS.journalValues, "value"));
  const rows = bytes.toString("utf8").split("\n");
  return { last: rows.pop()!, rows };
}

/** The cards of a run by their names in its folder, `cells/SUITE/NAME.json`, in order; real files only, no links. */
export function cardFilesOf(path: string): string[] {
  const entries = (folder: string) => lookAt(join(path, folder)) === undefined ? [] : folderEntries(join(path, folder));
  const suites = entries("cells").filter((entry) => entry.isDirectory()).map(({ name }) => `cells/${name}`);
  const cards = suites.flatMap((folder) =>
    entries(folder).filter((entry) => entry.isFile() && entry.name.endsWith(".json")).map(({ name }) =>
      `${folder}/${name}`
    )
  ).sort();
  if (cards.length > MOST_CARDS) {
    throw failure(`"${path}/cells" has more than ${counted(MOST_CARDS, "file")}, which no run has`, VERIFY);
  }
  return cards;
}

/** Each cell has a card, and so have unsupported points. */
const MOST_CARDS = 5 * BOUNDS.cells;

function folderEntries(folder: string) {
  if (lookAt(folder)?.isSymbolicLink()) {
    throw failure(`cannot read "${folder}": it is a link, and only real folders are read`, VERIFY);
  }
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw failure(`cannot read "${folder}": ${(error as NodeJS.ErrnoException).code}`, VERIFY, error);
  }
}

const VERIFY = "bench verify names what else is wrong";

/** A schema whose objects name their version in `schema`. */
type Versioned = z.ZodObject<{ schema: z.ZodLiteral<string> }>;

/** Reads and checks one JSON file of a run. */
export function readJson<T extends Versioned>(file: string, schema: T): z.infer<T> {
  return check(parseJson(readPlainFile(file).toString("utf8"), file), schema, file);
}

/** Reads the summary in a run's folder. Throws in one line. */
export const readSummary = (path: string): Summary => readJson(join(path, "summary.json"), summarySchema);

function parseJson(text: string, where: string): unknown {
  try {
    return parseBoundedJson(text);
  } catch (error) {
    if (error instanceof RangeError) throw failure(`"${where}" is damaged: ${error.message}`, VERIFY, error);
    throw failure(`"${where}" is damaged: it is no JSON`, VERIFY, error);
  }
}

function check<T extends Versioned>(value: unknown, schema: T, where: string): z.infer<T> {
  const parsed = schema.safeParse(value);
  // The schemas change nothing, and lists that were parsed take half the memory of those that zod has filled.
  if (parsed.success) return value as z.infer<T>;
  const format = formatFault(value, parsed.error);
  if (format !== null) {
    throw failure(`"${where}" ${format.what}`, format.hint ?? "read it with the version that wrote it");
  }
  throw failure(`"${where}" is damaged: ${issueText(parsed.error)}`, VERIFY);
}

/** Returns true if a run has published its results; a stopped run has its lines alone. */
export const isPublished = (path: string): boolean => lookAt(join(path, "summary.json")) !== undefined;

/** Reads the record and the summary of a run, without cards and lines. Throws in one line for damaged files. */
export function readRunSummary(path: string) {
  return {
    run: readJson(join(path, "run.json"), runRecord),
    summary: readSummary(path),
  };
}
