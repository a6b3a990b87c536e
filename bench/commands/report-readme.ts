import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { EXIT, type ExitCode, failure } from "../core/errors.ts";
import { readPublishedRun } from "../host/published-run.ts";
import { findRun } from "../host/read-run.ts";
import { PROJECT_ROOT } from "../host/runtimes.ts";
import { readmeFiles } from "../report/readme-results.ts";
import { type Context, resultsDirectory } from "./context.ts";

/** `bench report [run] --readme`: writes README.md's results and their picture anew, from the reference run by default. */
export function writeReadme({ args, stdout }: Context): ExitCode {
  const files = readPublishedRun(findRun(resultsDirectory(args), args.words[0] ?? "reference"));
  const readme = readFileSync(join(PROJECT_ROOT, "README.md"), "utf8");
  try {
    for (const { path, text } of readmeFiles(readme, files)) {
      mkdirSync(dirname(join(PROJECT_ROOT, path)), { recursive: true });
      writeFileSync(join(PROJECT_ROOT, path), text);
      stdout.write(`${path}\n`);
    }
  } catch (error) {
    throw failure((error as Error).message, "put the two marker lines where the results belong", error);
  }
  return EXIT.done;
}
