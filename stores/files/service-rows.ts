import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { PrepareSource } from "../store.ts";
import { type User, USER_FIELDS } from "../user.ts";
import { scanLines } from "./scan-lines.ts";

/** Name of the file a service is filled from. */
export const ROWS_FILE = "rows.tsv";
/** Characters gathered for one write. */
const CHUNK = 1 << 20;

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** Writes a line for each user of the data set below a first one, holding no more than a chunk of it. */
function writeRows({ usersFile }: PrepareSource, directory: string, first: string, rowOf: (line: string) => string) {
  const file = openSync(join(directory, ROWS_FILE), "wx");
  try {
    let text = first;
    scanLines(usersFile, (buffer, start, end) => {
      text += `${rowOf(buffer.toString("utf8", start, end))}\n`;
      if (text.length < CHUNK) return;
      writeSync(file, text);
      text = "";
    });
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** The users as a table in the text format of PostgreSQL's COPY, below a first line of `name type` for each column. */
export function writeTable(source: PrepareSource, directory: string): void {
  const columns = USER_FIELDS.map((field) => `${field} ${field === "age" ? "int4" : "text"}`);
  writeRows(source, directory, `${columns.join("\t")}\n`, (line) => {
    const user: User = JSON.parse(line);
    return USER_FIELDS.map((field) => String(user[field]).replace(/[\\\t\n\r]/g, (char) => ESCAPES[char]!)).join("\t");
  });
}

/** The users as pairs: the id, a tab, and the user as JSON, which has no tab or newline of its own. */
export function writePairs(source: PrepareSource, directory: string): void {
  writeRows(source, directory, "", (line) => `${(JSON.parse(line) as User).id}\t${line}`);
}
