import { readFileSync, statSync } from "node:fs";
import type { RequestPlan } from "../../suites/suite.ts";
import { bodyOfBytes } from "../basics/body-bytes.ts";
import { type Part, pathFault, type SplitTemplate } from "../generators/request-mix.ts";

/** The lines of a file as wrk's script reads them, without their ends. Throws an Error that names a faulty line. */
export function rowsToDraw(file: string): string[] {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new Error(`requests: there is no file of rows "${file}"`);
  }
  const body = bodyOfBytes(readFileSync(file));
  const lines = (typeof body === "string" ? body : readFileSync(file, "utf8")).split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (lines.length === 0) throw new Error(`requests: "${file}" has no lines`);
  const refuse = (what: string, isWrong: (line: string) => boolean) => {
    const n = lines.findIndex(isWrong);
    if (n >= 0) throw new Error(`requests: "${file}", line ${n + 1}: ${what}`);
  };
  if (lines[0]!.startsWith("\ufeff")) refuse("begins with a byte order mark: save it without", () => true);
  if (typeof body !== "string") refuse("is no UTF-8", (line) => line.includes("\ufffd"));
  refuse("holds a null byte", (line) => line.includes("\0"));
  return lines.map((line) => line.replace(/\r$/, ""));
}

/** Throws an Error that names the row which cannot stand in the path or in a header of a request. */
export function checkRows({ path, headers }: SplitTemplate, draws: NonNullable<RequestPlan["draws"]>): void {
  const check = (parts: readonly Part[], faultOf: (row: string) => string | null) => {
    for (const part of parts) {
      const draw = typeof part === "object" && "name" in part ? draws[part.name]! : undefined;
      if (draw?.kind !== "rows") continue;
      for (const [n, row] of rowsToDraw(draw.file).entries()) {
        const fault = faultOf(row);
        if (fault !== null) throw new Error(`requests: "${draw.file}", line ${n + 1}: ${fault}`);
      }
    }
  };
  check(path, pathFault);
  for (const [name, value] of headers) {
    check(value, (row) => /[^\t -~]/.test(row) ? `cannot stand in header "${name}": only ASCII can` : null);
  }
}
