/** Figures in pages are those of the runs and files they name. CONTRIBUTING.md has the two marks. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { resultsText } from "../bench/report/results-text.ts";
import { styleFor } from "../bench/report/style.ts";
import { readRun } from "../bench/runs/read-run.ts";
import { readPublishedRun } from "../bench/runs/published-run.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { shellWords } from "../bench/basics/shell.ts";
import { benchHere } from "./command-line.ts";
import { onSite, toolTest } from "./run-bench.ts";

/** A mark after a paragraph, a table or code: `<!-- PATH says "…"; "…" -->`. PATH is a run of results/ or a file of text. */
const SAYS = /^<!-- (\S+) says ("[^"]+"(?:; "[^"]+")*) -->$/;

/** Blocks that `bench report --readme` writes. */
const WRITTEN = /<!-- (results[\w/.-]*(?: \w+)?):begin -->[^]*?<!-- \1:end -->/g;

/** A kind of machine that was measured on, and a figure with a unit. */
const MACHINE = /\b(?:amd|intel)-\d+-\d+\b|\bEPYC\b|Emerald Rapids/;
const FIGURE = /\d ?(?:×|%|k\b|[mµn]?s\b|[KMG]i?B\b|min\b|req\/s)/;

/** Parts of a page between blank lines; code is one part. */
const partsOf = (page: string): string[] =>
  page.replaceAll(WRITTEN, "").replaceAll(/^```[^]*?^```$/gm, (code) => code.replaceAll("\n\n", "\n \n"))
    .split(/\n{2,}/).map((part) => part.trim()).filter((part) => part !== "");

const plain = (text: string) => text.replaceAll("`", "").replaceAll(/\s+/g, " ");

/** Returns what is wrong with the figures of a page: marks that do not hold, and figures of a machine without one. */
function faultsOf(page: string, textOf: (path: string) => string): string[] {
  const parts = partsOf(page);
  return parts.flatMap((part, n) => {
    const [, path, quotes] = SAYS.exec(part.replaceAll("\n", " ")) ?? [];
    if (path !== undefined) {
      const text = plain(textOf(path));
      const marked = parts.slice(0, n).findLast((other) => !SAYS.test(other.replaceAll("\n", " ")));
      return [...quotes!.matchAll(/"([^"]+)"/g)].flatMap(([, quote]) => [
        ...(plain(marked ?? "").includes(quote!) ? [] : [`"${quote}" is not in what stands before its mark`]),
        ...(text.includes(quote!) ? [] : [`"${quote}" is not in ${path}`]),
      ]);
    }
    const isMeasured = MACHINE.test(part) && FIGURE.test(part);
    return isMeasured && !SAYS.test((parts[n + 1] ?? "").replaceAll("\n", " "))
      ? [`no mark says where the figures are from: "${part.slice(0, 60)}…"`]
      : [];
  });
}

test("a quote has to stand in the page and in what it names, and a measured figure has a mark", () => {
  const page = (text: string, mark: string) => `# A\n\n${text}\n\n<!-- results/one says ${mark} -->\n`;
  const textOf = (path: string) => path === "results/one" ? "node  10.6µs\n  of 22 %" : "";
  assert.deepEqual(faultsOf(page("Node took 10.6µs on `amd-1-2`.", '"10.6µs"'), textOf), []);
  assert.deepEqual(faultsOf(page("It took 10.6µs\nof 22 %.", '"10.6µs of 22 %"'), textOf), []);
  assert.deepEqual(faultsOf(page("It took 9.6µs.", '"9.6µs"'), textOf), ['"9.6µs" is not in results/one']);
  assert.deepEqual(faultsOf(page("It took 9.6µs.", '"10.6µs"'), textOf), [
    '"10.6µs" is not in what stands before its mark',
  ]);
  assert.deepEqual(faultsOf("On `amd-1-2` it took 9 µs.\n\nMore.\n", textOf).length, 1);
  assert.deepEqual(faultsOf("<!-- results/one:begin -->\n9 µs on amd-1-2\n<!-- results/one:end -->\n", textOf), []);
});

/** All that a run prints, or the text of a file without markup. */
function textOf(path: string): string {
  const file = join(PROJECT_ROOT, path);
  if (!existsSync(file)) return "";
  if (!statSync(file).isDirectory()) return readFileSync(file, "utf8").replaceAll(/<[^>]*>/g, " ");
  const { run, summary, cells } = readPublishedRun(file);
  const options = { style: styleFor(false, { NO_COLOR: "1" }), columns: Infinity, all: true };
  return resultsText(run, summary, cells, readRun(file).lines, options);
}

const hasResults = existsSync(join(PROJECT_ROOT, "results"));
const pages = execFileSync("git", ["ls-files", "*.md"], { cwd: PROJECT_ROOT, encoding: "utf8" }).trim().split("\n")
  .filter((page) =>
    existsSync(join(PROJECT_ROOT, page)) && !/^docs\/(experiments|audits)\/|^CHANGELOG|\/golden\//.test(page)
  );

(hasResults ? test : test.skip)("each figure that a page takes from a run or a file stands there", () => {
  const texts = new Map<string, string>();
  const once = (path: string) => texts.get(path) ?? (texts.set(path, textOf(path)), texts.get(path)!);
  const faults = pages.flatMap((page) =>
    faultsOf(readFileSync(join(PROJECT_ROOT, page), "utf8"), once).map((fault) => `${page}: ${fault}`)
  );
  assert.deepEqual(faults, []);
  assert.ok(texts.size >= 3, `${texts.size} runs and files are named`);
});

/** The lines of a dry run that no machine changes; times and seeds are numbers that may be others. */
const steady = (text: string): string[] =>
  text.split("\n").filter((line) => /^(own|unsupported|\d+ steps)\b/.test(line)).map((line) =>
    line.replace(/seed \d+/, "seed N").replace(/about [\d smh]+/, "about T")
  );

toolTest("a dry run that a page shows is the one of today", async () => {
  const shown = pages.flatMap((page) =>
    [...readFileSync(join(PROJECT_ROOT, page), "utf8").matchAll(/^\$ (bench .*--dry-run)\n([^]*?)^```/gm)]
      .map(([, command, text]) => ({ page, command: command!, text: text! }))
  );
  assert.ok(shown.length > 0);
  await onSite(async (site) => {
    for (const { page, command, text } of shown) {
      const words = shellWords(command)!.slice(1).map((word) =>
        /^examples\//.test(word) ? join(PROJECT_ROOT, word) : word
      );
      const { stdout, stderr } = await benchHere(site, words);
      assert.deepEqual(steady(text), steady(`${stderr}\n${stdout}`), `${page}: ${command}`);
    }
  });
});
