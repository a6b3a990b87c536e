import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { EXIT, type ExitCode, failure, usageError } from "../core/errors.ts";
import { unknownName } from "../core/unknown-name.ts";
import { findRun } from "../host/read-run.ts";
import { readPublishedRun } from "../host/published-run.ts";
import { PROJECT_ROOT } from "../host/runtimes.ts";
import { EXPORTS } from "../report/export/registry.ts";
import { makePage } from "../report/page/make-page.ts";
import { readmeFiles } from "../report/readme-results.ts";
import { pageData } from "../report/shown-run.ts";
import { type Context, resultsDirectory } from "./context.ts";

/** `bench report`: one page of one or several runs, or the results in a form other tools read. */
export async function reportCommand(context: Context): Promise<ExitCode> {
  const { args, stdout } = context;
  const results = resultsDirectory(args);
  const format = args.value("format") ?? "html";
  if (args.has("serve")) return (await import("./report-serve.ts")).serveReports(context);
  if (args.has("readme")) return writeReadme(context);
  const names = args.words.length === 0 ? [undefined] : args.words;
  const runs = names.map((name) => readPublishedRun(findRun(results, name)));
  if (format === "html") {
    const file = resolve(args.value("output") ?? join(runs[0]!.path, "report.html"));
    writeOut(file, makePage(pageData(runs)));
    stdout.write(`${relative(process.cwd(), file) || file}\n`);
    return EXIT.done;
  }
  const exporter = EXPORTS[format];
  if (exporter === undefined) throw unknownName("format", format, ["html", ...Object.keys(EXPORTS)]);
  if (runs.length > 1) {
    throw usageError(`--format ${format} takes one run`, `bench report ${args.words[0]} --format ${format}`);
  }
  const text = exporter.render(runs[0]!);
  const output = args.value("output");
  if (output === undefined) stdout.write(text);
  else writeOut(resolve(output), text);
  return EXIT.done;
}

function writeOut(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw failure(
      `cannot write "${file}": ${(error as NodeJS.ErrnoException).code}`,
      "choose another with --output",
      error,
    );
  }
}

/** `bench report [run] --readme`: writes README.md's results and their picture anew, from the reference run by default. */
function writeReadme({ args, stdout }: Context): ExitCode {
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
