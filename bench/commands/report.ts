import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { EXIT, type ExitCode, failure, usageError } from "../basics/errors.ts";
import { acrossMachines } from "../result/across-machines.ts";
import { findExplanations } from "../runs/find-explanations.ts";
import { REFERENCE } from "../runs/find-reference.ts";
import { readPublishedRun } from "../runs/published-run.ts";
import { fromHere } from "../files/near-files.ts";
import { writePlainFile, writing } from "../files/plain-file.ts";
import { INSTALLED, PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { acrossMarkdown, nothingAcrossText } from "../report/across-machines.ts";
import { withResults } from "../exports/suite-results.ts";
import { exportNamed } from "../exports/registry.ts";
import { makePage } from "../page/make-page.ts";
import { readmeFiles } from "../page/readme-results.ts";
import { pageData, type RunFiles } from "../page/shown-run.ts";
import { type Context, runFolder } from "./context.ts";
import { readEach } from "../runs/verify-run.ts";

/** `bench report`: one page of one or several runs, or the results in a form other tools read. */
export async function reportCommand(context: Context): Promise<ExitCode> {
  const { args, printLine, give } = context;
  const [form, other] = (["readme", "card", "format"] as const).filter((name) => args.has(name));
  if (other !== undefined) throw usageError(`--${form} and --${other} exclude each other`, "give one of them");
  const format = args.get("format");
  if (args.has("readme")) return writeReadme(context);
  if (args.has("card")) return await writeCard(context);
  const names = args.words.length === 0 ? [undefined] : args.words;
  const runs = readEach(names, (name) => readPublishedRun(runFolder(context, name)), context.say);
  const exit = runs.length === names.length ? EXIT.done : EXIT.invalid;
  if (format === "html") {
    const output = args.get("output");
    const file = resolve(output ?? join(runs[0]!.path, "report.html"));
    const write = output === undefined ? writePlainFile : writeFileSync;
    writeOut(write, file, makePage(pageData(runs), findExplanations(runs[0]!.path, runs[0]!.run)));
    printLine(fromHere(file));
    return exit;
  }
  const render = exportNamed(format, ["html"]);
  if (runs.length > 1 && format !== "markdown") {
    throw usageError(`--format ${format} takes one run`, `bench report ${args.words[0]} --format ${format}`);
  }
  const text = runs.length > 1 ? betweenMachines(runs) : render(runs[0]!);
  const output = args.get("output");
  if (output === undefined) give(text);
  else writeOut(writeFileSync, resolve(output), text);
  return exit;
}

/** Verdicts across the machines of several runs, in Markdown. Throws a usage error if the runs do not fit. */
function betweenMachines(runs: readonly RunFiles[]): string {
  const across = acrossMachines(runs);
  if (!("cause" in across)) return acrossMarkdown(across);
  throw usageError(
    `several runs in Markdown say what holds on several kinds of CPU, but ${nothingAcrossText(across)}`,
    ["other-suites", "other-sources"].includes(across.cause)
      ? "name runs of one suite"
      : "bench compare A B --markdown",
  );
}

/** `bench report [run] --card`: the run as a picture to share, in SVG and in PNG. */
async function writeCard(context: Context): Promise<ExitCode> {
  const { args, printLine } = context;
  if (args.words.length > 1) throw usageError("a card shows one run", `bench report ${args.words[0]} --card`);
  const files = readPublishedRun(runFolder(context, args.words[0]));
  const { cardPicture, pngOf } = await import("../page/card-picture.ts");
  const output = args.get("output");
  const write = output === undefined ? writePlainFile : writeFileSync;
  const base = resolve(output ?? join(files.path, "card")).replace(/\.(svg|png)$/, "");
  const svg = cardPicture(files);
  for (const [file, content] of [[`${base}.svg`, () => svg], [`${base}.png`, () => pngOf(svg)]] as const) {
    writeOut(write, file, await content());
    printLine(fromHere(file));
  }
  return EXIT.done;
}

/** Writes a file of a report. `write` follows links for a file of the command line, and none in a run's folder. */
export function writeOut(write: typeof writePlainFile, file: string, text: string | Uint8Array): void {
  writing(file, "choose another with --output", () => write(file, text));
}

/** Updates the blocks of suites' READMEs from the runs in results/ that they name. */
function writeSuiteResults({ printLine }: Context): void {
  const pages = ["docs", "examples", "suites"].flatMap((folder) =>
    readdirSync(join(PROJECT_ROOT, folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file))
  );
  for (const path of pages.filter((page) => page.endsWith(".md") && !page.includes("node_modules"))) {
    const file = join(PROJECT_ROOT, path), before = readFileSync(file, "utf8");
    const after = withResults(before, (name) => readPublishedRun(join(PROJECT_ROOT, "results", name)));
    if (after === before) continue;
    writeFileSync(file, after);
    printLine(path);
  }
}

/** `bench report [run] --readme`: updates README.md's results and picture, from the reference run by default. */
function writeReadme(context: Context): ExitCode {
  const { args, printLine } = context;
  if (INSTALLED) throw usageError("README.md is that of a checkout, and this is an installed package", "--output FILE");
  const files = readPublishedRun(runFolder(context, args.words[0] ?? REFERENCE));
  const readme = readFileSync(join(PROJECT_ROOT, "README.md"), "utf8");
  try {
    for (const { path, text } of readmeFiles(readme, files)) {
      mkdirSync(dirname(join(PROJECT_ROOT, path)), { recursive: true });
      writeFileSync(join(PROJECT_ROOT, path), text);
      printLine(path);
    }
    if (args.words.length === 0) writeSuiteResults(context);
  } catch (error) {
    throw failure((error as Error).message, "put the two marker lines where the results belong", error);
  }
  return EXIT.done;
}
