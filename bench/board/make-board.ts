import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { parseBoundedJson } from "../basics/bounded-json.ts";
import { usageError } from "../basics/errors.ts";
import { kept, type Refused } from "../result/board/board-run.ts";
import { startTally } from "../result/board/tally.ts";
import { BOARD_FILE, findRuns, type FoundRun } from "../host/find-runs.ts";
import { readPlainFile } from "../host/plain-file.ts";
import { scratchFolder } from "../host/scratch-folder.ts";
import { writing } from "../host/writing.ts";
import { type Board, boardPages } from "../report/board/board-pages.ts";
import { boardData } from "../report/board/board-data.ts";
import { filesOfRun } from "./read-entry.ts";
import { readAll } from "./reader.ts";

/** What a board is made from. */
export interface BoardWish {
  /** Folders of runs and packed runs, as they were named. */
  readonly paths: readonly string[];
  /** Folder of the board: made, or a board that is there made anew. */
  readonly out: string;
  /** Is told how far it is. */
  readonly onRead: (read: number, of: number) => void;
}

/** What was made. */
export interface MadeBoard {
  readonly board: Board;
  /** The largest page, those of runs included. */
  readonly largest: { readonly file: string; readonly bytes: number };
}

/**
 * Reads runs, recomputes each, and writes a board of those that hold: pages, data, and each run packed. What fails is told
 * in a line and shown nowhere. Runs are read one after the other and let go: memory does not grow with their size.
 */
export async function makeBoard({ paths, out, onRead }: BoardWish): Promise<MadeBoard> {
  refuseForeign(out);
  const part = `${out}.levelfield-part`;
  const scratch = scratchFolder("board");
  try {
    makeFolders(part);
    const found: (FoundRun | Refused)[] = [];
    for (const one of findRuns(paths)) {
      found.push("kind" in one ? one : { found: kept(one.name), fault: kept(one.fault) });
    }
    const runs = found.filter((one) => "kind" in one);
    const refused = found.filter((one) => "fault" in one);
    const tally = startTally();
    const seals = new Map<string, string>(), journals = new Map<string, string>();
    let shown = 0, copies = 0, read = 0;
    const wishAt = (number: number) => ({
      found: runs[number]!,
      name: kept(runs[number]!.name),
      out: part,
      scratch: join(scratch.path, String(number)),
    });
    for await (const entry of readAll(runs.length, wishAt, availableParallelism())) {
      onRead(++read, runs.length);
      if ("fault" in entry) {
        refused.push(entry);
        continue;
      }
      const { run } = entry;
      if (seals.has(run.id)) {
        copies++;
        continue;
      }
      const twin = journals.get(run.journal_sha256);
      if (twin !== undefined) {
        // The same measurement cannot have been made on another machine or at another time.
        refused.push({
          found: run.found,
          fault: kept(`its raw lines are those of ${twin}, and it says something else`),
        });
        for (const file of filesOfRun(run.id)) rmSync(join(part, file));
        continue;
      }
      seals.set(run.id, run.found);
      journals.set(run.journal_sha256, run.found);
      tally.add(entry);
      shown++;
    }
    const board: Board = { tallied: tally.result(), runs: shown, refused, copies };
    for (const make of [boardPages, boardData]) {
      for (const { file, text } of make(board)) write(join(part, file), text);
    }
    const largest = largestPage(part);
    rmSync(out, { recursive: true, force: true });
    renameSync(part, out);
    return { board, largest };
  } finally {
    scratch.remove();
    rmSync(part, { recursive: true, force: true });
  }
}

/** What to do where a board cannot be written. */
const ELSEWHERE = "choose another folder with --out";

/** A folder that holds anything but a board stays as it is. */
function refuseForeign(out: string): void {
  if (!existsSync(out)) return;
  const names = writing(out, ELSEWHERE, () => readdirSync(out));
  if (names.length === 0 || isBoard(out)) return;
  throw usageError(`"${out}" is there and is no board`, ELSEWHERE);
}

function isBoard(folder: string): boolean {
  try {
    const board = readPlainFile(join(folder, BOARD_FILE)).toString("utf8");
    const { schema } = parseBoundedJson(board) as { readonly schema?: unknown };
    return typeof schema === "string" && schema.startsWith("levelfield.board/");
  } catch {
    return false;
  }
}

function makeFolders(part: string): void {
  writing(part, ELSEWHERE, () => {
    mkdirSync(dirname(part), { recursive: true });
    rmSync(part, { recursive: true, force: true });
    for (const folder of filesOfRun("x").map(dirname)) mkdirSync(join(part, folder), { recursive: true });
  });
}

const write = (file: string, text: string) => writing(file, ELSEWHERE, () => writeFileSync(file, text));

function largestPage(folder: string): MadeBoard["largest"] {
  let largest = { file: "", bytes: 0 };
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".html")) continue;
    const file = join(entry.parentPath, entry.name);
    const bytes = statSync(file).size;
    if (bytes > largest.bytes) largest = { file: file.slice(folder.length + 1), bytes };
  }
  return largest;
}
