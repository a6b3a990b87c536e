import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { readPublishedRun } from "../runs/published-run.ts";
import { makeFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import { withResults } from "./suite-results.ts";

const PAGE = "# A\n\n<!-- results/one:begin -->\nold\n<!-- results/one:end -->\n\nThe rest.\n";

test("a block is written from the run it names, the rest stays, and again changes nothing", () => {
  const files = filesOf(makeFixture());
  const asked: string[] = [];
  const filesAt = (name: string) => (asked.push(name), files);
  const written = withResults(PAGE, filesAt);
  assert.deepEqual(asked, ["one"]);
  assert.ok(written.startsWith("# A\n\n<!-- results/one:begin -->\n") && written.endsWith("\n\nThe rest.\n"));
  assert.ok(!written.includes("old") && written.includes("../../results/one/"));
  assert.ok(written.includes(files.summary.answer.questions[0]!.title), written);
  assert.equal(withResults(written, filesAt), written);
});

test("a figure with a mark carries it, and one sample is called so", () => {
  const files = filesOf(makeFixture({ rounds: 1 }));
  const [card] = files.cells;
  const marked = { ...files, cells: [{ ...card!, status: "invalid" as const }, ...files.cells.slice(1)] };
  assert.match(withResults(PAGE, () => marked), /\(invalid\)/);
  assert.match(withResults(PAGE, () => files), /of each server alone, one sample:/);
});

const readmes = readdirSync(join(PROJECT_ROOT, "suites")).map((suite) => join("suites", suite, "README.md"))
  .filter((path) => existsSync(join(PROJECT_ROOT, path)));
const hasResults = existsSync(join(PROJECT_ROOT, "results"));

(hasResults ? test : test.skip)("each suite's README says what its runs say (else: bench report --readme)", () => {
  let blocks = 0;
  for (const path of readmes) {
    const page = readFileSync(join(PROJECT_ROOT, path), "utf8");
    const written = withResults(page, (name) => (blocks++, readPublishedRun(join(PROJECT_ROOT, "results", name))));
    assert.equal(written, page, path);
  }
  assert.ok(blocks >= readmes.length, `${blocks} blocks in ${readmes.length} pages`);
});
