/**
 * Measures audits (Node 24.2 or later), then keeps the run of each under results/audit-NAME, and writes what they say into
 * docs/audits. A run on another kind of CPU than the kept one is kept beside it. An audit that fails is named at the end.
 */
import { isJudged } from "../bench/record/verdicts.ts";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BenchError, EXIT, usageError } from "../bench/basics/errors.ts";
import { counted } from "../bench/basics/units.ts";
import { unknownName } from "../bench/basics/unknown-name.ts";
import { dataFolder, LAUNCHER, PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { findRun } from "../bench/runs/read-run.ts";
import { readPublishedRun } from "../bench/runs/published-run.ts";
import { JOURNAL, packJournal } from "../bench/runs/journal-file.ts";
import { sealRun } from "../bench/runs/seal.ts";
import { verify } from "../bench/runs/verify-run.ts";
import type { Comparison } from "../bench/record/comparison.ts";
import { MARKS } from "../bench/record/mark.ts";
import {
  type Audit,
  type AuditRun,
  installCommands,
  keptFolder,
  readAudits,
  withMeasured,
  writeChanges,
} from "./audits/audit.ts";
import { newAudit } from "./audits/new-audit.ts";
import { auditPage, foundIn, indexPage, readKept } from "./audits/pages.ts";

/** What `--help` prints. */
const USAGE = `Measures audits, keeps their runs under results/audit-NAME, and writes docs/audits.

Usage: node lab/audits.ts [--dry-run] [--pages] [--first] [--missing] [NAME…]
       node lab/audits.ts --new NAME

  NAME…      audits to measure (default: all, about three minutes for each run)
  --first    leave out the runs that change one thing
  --missing  leave out the runs that are kept
  --dry-run  start both sides and measure nothing
  --pages    measure nothing, write the pages
  --new      write the files of a new audit, with FILL at each place to fill

Ctrl-C ends the run at hand; those measured before it are kept.
`;

/** The files of a run that `bench verify` needs; the raw lines are packed, and the seal is made anew. */
const KEPT = ["run.json", JOURNAL, "summary.json", "cells"];

/** Returns the pages of docs/audits that the runs write: their paths from the project's folder, as they stand and anew. */
export function pagesOf(audits: readonly Audit[]) {
  const page = (name: string, write: (text: string) => string) => {
    const path = join("docs", "audits", `${name}.md`), before = readFileSync(join(PROJECT_ROOT, path), "utf8");
    return { path, before, after: write(before) };
  };
  return [
    ...audits.map((audit) => page(audit.name, (text) => auditPage(text, audit, readKept))),
    page("README", (text) => indexPage(text, audits, readKept)),
  ];
}

/**
 * Installs the packages of an audit's programs and builds these, unless they are there. Returns what went wrong, in words;
 * null if nothing did. What is there by half is removed.
 */
function install(audit: Audit): string | null {
  if (audit.packages === undefined) return null;
  const installed = join(PROJECT_ROOT, audit.packages, "node_modules");
  if (existsSync(installed)) return null;
  for (const command of installCommands(audit)) {
    const [program, ...words] = command.split(" ");
    const { status, signal } = spawnSync(program!, words, { cwd: PROJECT_ROOT, stdio: "inherit" });
    if (status === 0) continue;
    rmSync(installed, { recursive: true, force: true });
    return `"${command}" ended with ${signal ?? status}`;
  }
  return null;
}

/** What a run is said to be that Ctrl-C ended: none follows it, and those before it are kept. */
export const STOPPED = "it was stopped";

/** Starts the bench on a run. Returns what went wrong, in words; null if nothing did. */
function measure(run: AuditRun, isDry: boolean): string | null {
  const results = resultsOf(run);
  rmSync(results, { recursive: true, force: true });
  const words = ["run", ...run.words, ...(isDry ? ["--dry-run"] : ["--yes", "--results", results])];
  const { status, signal } = spawnSync(LAUNCHER, words, { cwd: PROJECT_ROOT, stdio: "inherit" });
  if (status === EXIT.interrupted) return STOPPED;
  // A run with an invalid cell may answer other claims.
  if (status !== EXIT.done && (isDry || status !== EXIT.invalid)) return `the bench ended with ${signal ?? status}`;
  return null;
}

/** Where a run is measured: outside of results/, as a run says whether the project's files were as committed. */
const resultsOf = ({ name }: AuditRun): string => join(dataFolder(), "audits", name);

/**
 * Keeps a run that is true to its raw lines and answers a claim, in place of an earlier one. "It cannot be told" is an
 * answer where a server is the reason. Returns why it is not kept; null if it is.
 *
 * @param made the folder of the run
 * @param folder where it is kept
 */
export function keep(run: AuditRun, made: string, folder: string): string | null {
  const { faults } = verify(made);
  if (faults.length > 0) return faults[0]!;
  const { summary } = readPublishedRun(made);
  const isTold = run.claims.some((claim) => isSettled(foundIn(summary, claim)));
  if (!isTold) return `it answers no claim: ${summary.answer.sentence}`;
  rmSync(folder, { recursive: true, force: true });
  for (const file of KEPT) cpSync(join(made, file), join(folder, file), { recursive: true });
  packJournal(folder);
  sealRun(folder);
  return null;
}

/** True unless a comparison lacks a verdict for something that another run may have otherwise. */
export function isSettled(found: Comparison | undefined): boolean {
  if (found === undefined || isJudged(found)) return found !== undefined;
  return found.marks.some(({ code }) => ["server", "limited"].includes(MARKS[code].helps ?? ""));
}

/** The kind of CPU that a run was made on. */
const kindOf = (folder: string): string => readPublishedRun(folder).run.machine.cpu_kind;

function chosen(names: readonly string[]): Audit[] {
  const audits = readAudits();
  return names.length === 0 ? audits : names.map((name) => {
    const audit = audits.find((one) => one.name === name);
    if (audit === undefined) throw unknownName("audit", name, audits.map((one) => one.name));
    return audit;
  });
}

/** Returns the runs of an audit that the options leave. */
export function runsOf(
  { runs }: Audit,
  { first, missing }: Left,
  isKept = (run: AuditRun) => existsSync(keptFolder(run)),
) {
  return (first === true ? runs.slice(0, 1) : runs).filter((run) => missing !== true || !isKept(run));
}

/** What is left out: see {@link USAGE}. */
interface Left {
  readonly first?: boolean | undefined;
  readonly missing?: boolean | undefined;
}

/** The steps of an audit: each returns what went wrong, in words, or null. */
interface Steps {
  readonly install: (audit: Audit) => string | null;
  readonly measure: (run: AuditRun, audit: Audit) => string | null;
}

/**
 * Measures runs one after the other; one that fails stops no other, one that is {@link STOPPED} all that follow. Returns
 * those measured, and what went wrong.
 */
export function measureAll(audits: readonly (readonly [Audit, readonly AuditRun[]])[], { install, measure }: Steps) {
  const failed: string[] = [], measured: AuditRun[] = [];
  for (const [audit, runs] of audits) {
    const missing = runs.length === 0 ? null : install(audit);
    for (const run of runs) {
      const fault = missing ?? measure(run, audit);
      if (fault === null) measured.push(run);
      else failed.push(`${run.name}: ${fault}`);
      if (fault === STOPPED) return { measured, failed };
    }
  }
  return { measured, failed };
}

/**
 * Keeps a measured run, one of another kind of CPU beside an earlier one, and adds it to its audit's changes. Returns why it
 * is not kept; null if it is.
 */
function keepMeasured(run: AuditRun): string | null {
  try {
    const made = findRun(resultsOf(run), undefined), kind = kindOf(made);
    const isOther = existsSync(keptFolder(run)) && kindOf(keptFolder(run)) !== kind;
    const fault = keep(run, made, keptFolder(run, isOther ? kind : undefined));
    if (fault !== null) return fault;
    const { name, changes } = readAudits().find(({ runs }) => runs.some((one) => one.name === run.name))!;
    const date = readPublishedRun(made).run.started_at.slice(0, 10);
    writeChanges(name, withMeasured(changes, run, { date, cpuKind: kind }));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const FLAGS = ["dry-run", "pages", "first", "missing", "help"] as const;

function readWords(words: readonly string[]) {
  const { tokens, values, positionals } = parseArgs({
    ...{ args: words, strict: false, tokens: true },
    options: {
      ...Object.fromEntries(FLAGS.map((name) => [name, { type: "boolean" as const }])),
      new: { type: "string" },
    },
  });
  for (const token of tokens) {
    if (token.kind !== "option" || [...FLAGS, "new"].some((name) => name === token.name)) continue;
    throw usageError(`there is no option "${token.rawName}"`, "node lab/audits.ts --help");
  }
  const has = (name: typeof FLAGS[number]) => values[name] === true;
  return { has, names: positionals, fresh: typeof values["new"] === "string" ? values["new"] : null };
}

function main(words: readonly string[]): void {
  const { has, names, fresh } = readWords(words), isDry = has("dry-run");
  if (has("help")) return void process.stdout.write(USAGE);
  for (const path of fresh === null ? [] : newAudit(fresh, PROJECT_ROOT)) process.stdout.write(`${path}\n`);
  const left = { first: has("first"), missing: has("missing") };
  const audits = has("pages") || fresh !== null ? [] : chosen(names);
  const runs = audits.map((audit) => [audit, runsOf(audit, left)] as const);
  // Ctrl-C reaches the bench, too, which ends its run: those measured before are kept.
  process.on("SIGINT", () => {});
  const { measured, failed } = measureAll(runs, {
    install,
    measure(run, { name }) {
      process.stderr.write(`\n${name}: ${run.changed ?? "as published"}\n`);
      return measure(run, isDry);
    },
  });
  for (const run of isDry ? [] : measured) {
    const fault = keepMeasured(run);
    if (fault !== null) failed.push(`${run.name}: ${fault}`);
  }
  for (const { path, before, after } of isDry ? [] : pagesOf(readAudits())) {
    if (before === after) continue;
    writeFileSync(join(PROJECT_ROOT, path), after);
    process.stdout.write(`${path}\n`);
  }
  const all = runs.flatMap(([, each]) => each).length;
  if (all > 0) process.stderr.write(`\n${failed.length} of ${counted(all, "run")} failed\n`);
  for (const fault of failed) process.stderr.write(`${isDry ? "does not start" : "not kept"}: ${fault}\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

if (import.meta.main) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    process.stderr.write(`error: ${error.message}\n  try: ${error.hint}\n`);
    process.exitCode = error.exit;
  }
}
