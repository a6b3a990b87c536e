/** The command line that runs one test again. */
import { shellQuoted } from "../../bench/basics/shell.ts";
import type { RuntimeName } from "../../servers/runtime.ts";
import type { ReportedTest } from "./read-log.ts";

/** Name of a test that failed, and the command that runs it alone; the name alone where nobody knows its file. */
export function rerunOf({ file, name }: Pick<ReportedTest, "file" | "name">, runtime: RuntimeName): string {
  return file === null
    ? `${name} (on ${runtime})`
    : `${name}\n    bin/test ${file} --name ${shellQuoted(name)} --on ${runtime}`;
}
