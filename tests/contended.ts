/** Whether a test of a real benchmark failed because others had the machine: nothing of the code under test. */
import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A cell or an observation with what was found wrong with it. */
interface Judged {
  readonly status: string;
  readonly marks?: readonly { readonly code: string; readonly text: string }[] | null;
}

const OTHERS: readonly string[] = ["contended", "clock-changed"];
/** What follows where somebody else had them. */
const THEN: readonly string[] = [...OTHERS, "core-not-full"];

/** Whether somebody else had the cores, and nothing was wrong but that and what follows from it. */
function wasDisturbed({ status, marks }: Judged): boolean {
  const codes = (marks ?? []).map(({ code }) => code);
  return status === "invalid" && codes.some((code) => OTHERS.includes(code)) &&
    codes.every((code) => THEN.includes(code));
}

/**
 * Those that others left alone, which have to be sound. The others have to be marked for that alone: how busy a machine is
 * is no fault of the code under test, and to be marked is what is asked of it then.
 */
export function undisturbed<T extends Judged>(judged: readonly T[]): T[] {
  const rest = judged.filter((each) => !wasDisturbed(each));
  for (const { status, marks } of rest) assert.deepEqual([status, marks ?? []], ["ok", []]);
  if (rest.length < judged.length) {
    process.stderr.write(`others disturbed ${judged.length - rest.length} of ${judged.length}, marked as such\n`);
  }
  return rest;
}

/** The exit code of a run with these cells in which nothing was wrong but what others did. */
export const exitOf = (cells: readonly Judged[]): number => cells.some(wasDisturbed) ? 3 : 0;

/** Others had the machine all the time: a test can say nothing of the code, and is skipped. */
export class NotJudged extends Error {
  override name = "NotJudged";
}

/** What commands say that leave no journal, and what journals hold. */
const SAID = /used [\d.]+ % of the servers' cores|clock rate of the servers' cores changed/;
const RECORDED = /"code":"(contended|clock-changed)"/;
/** What no machine excuses: a run that contradicts itself. */
const FAULTS = /: \d+ faults?$/m;

/** How often all tests of one run of the gate may be asked again: a machine that others have for good is not waited for. */
const MOST_AGAIN = 6;

/** Whether a failure was met on a machine that others had, as records and messages tell. */
export function othersHadMachine(site: { readonly results: string }, { message }: Error): boolean {
  if (FAULTS.test(message)) return false;
  return SAID.test(message) || RECORDED.test(message) || journals(site.results).some((text) => RECORDED.test(text));
}

function journals(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((run) => join(folder, run, "journal.ndjson")).filter((file) => existsSync(file))
    .map((file) => readFileSync(file, "utf8"));
}

let ownFolder: string | undefined;

/** The folder that all tests of one run of the gate share; by hand one of this process, which goes with it. */
export function gateFolder(): string {
  const found = process.env["LEVELFIELD_GATE"] ?? ownFolder;
  if (found !== undefined) return found;
  const made = mkdtempSync(join(tmpdir(), "levelfield-tests-"));
  process.on("exit", () => rmSync(made, { recursive: true, force: true }));
  return ownFolder = made;
}

/** Takes one of the times a test may be asked again; false when there is none left. */
export function mayAskAgain(): boolean {
  const file = join(gateFolder(), "asked-again");
  const before = existsSync(file) ? readFileSync(file, "utf8").length : 0;
  appendFileSync(file, ".");
  return before < MOST_AGAIN;
}
