/** The command line that runs one test again. */
import type { RuntimeName } from "../../servers/runtime.ts";
import type { ReportedTest } from "./read-log.ts";

/** A text as one word of a shell. */
const word = (text: string): string => /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

/** Name of a test that failed, and the command that runs it alone; the name alone where nobody knows its file. */
export function rerunOf({ file, name }: Pick<ReportedTest, "file" | "name">, runtime: RuntimeName): string {
  return file === null
    ? `${name} (on ${runtime})`
    : `${name}\n    bin/test ${file} --name ${word(name)} --on ${runtime}`;
}
