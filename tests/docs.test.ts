/** What pages of documentation promise each other. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { assertCommands, printedCommands } from "./printed-commands.ts";

const pages = execFileSync("git", ["ls-files", "*.md"], { cwd: PROJECT_ROOT, encoding: "utf8" }).trim().split("\n")
  .filter((page) => existsSync(join(PROJECT_ROOT, page)));
const read = (page: string) => readFileSync(join(PROJECT_ROOT, page), "utf8").replaceAll(/^```[^]*?^```/gm, "");

/** The name a heading has in addresses, as GitHub makes it. */
const anchor = (heading: string) =>
  heading.replaceAll(/[`*]|\[|\]\([^)]*\)/g, "").toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").trim().replaceAll(
    " ",
    "-",
  );

const anchorsOf = (page: string) =>
  new Set([...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchor(heading!)));

/** Links of a page into this project that lead nowhere. */
function brokenLinks(page: string): string[] {
  return [...read(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link]) => link!).filter((link) => {
    const [path, heading] = link.split("#") as [string, string | undefined];
    const target = path === "" ? page : normalize(join(dirname(page), path));
    return !existsSync(join(PROJECT_ROOT, target)) || heading !== undefined && !anchorsOf(target).has(heading);
  });
}

test("each link between pages leads to a file and a heading that are there", () => {
  assert.ok(pages.length > 20);
  assert.deepEqual(pages.flatMap((page) => brokenLinks(page).map((link) => `${page}: ${link}`)), []);
});

test("docs/README.md leads to every page of docs", () => {
  const told = read("docs/README.md");
  const unlisted = pages.filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== "docs/README.md")
    .filter((page) => !told.includes(`(${page.slice("docs/".length)})`));
  assert.deepEqual(unlisted, []);
});

test("each command in a page is one that there is, with options that it takes", () => {
  let count = 0;
  for (const page of pages.filter((page) => page !== "CHANGELOG.md")) {
    const text = readFileSync(join(PROJECT_ROOT, page), "utf8").replaceAll("bin/bench ", "bench ")
      // A form of a command is named by its option alone.
      .replaceAll(/(?<=bench run --)(rate|resume)(?=`)/g, "$1 N");
    count += printedCommands(text).length;
    assert.doesNotThrow(() => assertCommands(text), page);
  }
  assert.ok(count > 200, `${count} commands`);
});

test("each audit has five objections, and each figure in them stands in its tables, linked to its run", () => {
  const held = pages.filter((page) => /^docs\/audits\/[^/]+\.md$/.test(page) && page !== "docs/audits/README.md")
    .filter((page) => read(page).includes("<!-- audit:begin -->"));
  assert.ok(held.length >= 20);
  for (const page of held) {
    const [, tables, after] = read(page).split(/<!-- audit:(?:begin|end) -->/);
    const [, said = ""] = after!.split("\n## What its authors may say\n");
    assert.equal(said.match(/^\| .+ \|$/gm)?.slice(2).length, 5, page);
    const answers = [...said.matchAll(/^\| .+? +\| (.+?) +\|$/gm)].slice(2).map(([, answer]) => answer!);
    const open = answers.filter((answer) => !/Granted|[Nn]ot (tried|yet measured)|\/results\/|table/.test(answer));
    assert.deepEqual(open, [], `${page}: neither a run nor "granted", "not tried" or "not yet measured"`);
    for (const [figure, ratio, run] of said.matchAll(/\[(\d\S* ×)\]\(\.\.\/\.\.\/results\/([^/]+)\/\)|\d\S* ×/g)) {
      const table = tables!.split("\n**Changed: ").find((part) => part.includes(`../../results/${run}/`));
      assert.ok(ratio !== undefined && table?.includes(` ${ratio} `), `${page}: ${figure} is not in its run's table`);
    }
    assert.ok(
      !said.includes("not yet measured") || tables!.includes("not yet measured"),
      `${page}: it is measured now`,
    );
  }
});
