import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { publish } from "../core/result/published.ts";
import { readPublishedRun } from "../host/published-run.ts";
import { makeFixture } from "./fixture.ts";
import { driftedFiles, PICTURE, readmeFiles } from "./readme-results.ts";
import type { RunFiles } from "./shown-run.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

function filesOf(speed: number): RunFiles {
  const { run, lines } = makeFixture({ speed });
  const { cards, summary } = publish(run, lines);
  return { run, summary, cells: cards, lines: [] };
}

const README = "# Name\n\n<!-- results:begin -->\nold\n<!-- results:end -->\n\nThe rest.\n";
const asMap = (files: ReturnType<typeof readmeFiles>) => new Map(files.map(({ path, text }) => [path, text]));

test("README.md's results are written between the markers, the rest stays, and again changes nothing", () => {
  const files = filesOf(1);
  const written = readmeFiles(README, files);
  const text = written[0]!.text;
  assert.ok(text.startsWith("# Name\n\n<!-- results:begin -->\n\n"));
  assert.ok(text.endsWith("<!-- results:end -->\n\nThe rest.\n"));
  assert.ok(!text.includes("old") && text.includes("| map | deno |") && text.includes(`(${PICTURE})`));
  assert.deepEqual(readmeFiles(text, files), written);
  assert.deepEqual(driftedFiles(asMap(written), files), []);
});

test("a run that changed, and a table or picture edited by hand, are told as drift", () => {
  const written = asMap(readmeFiles(README, filesOf(1)));
  assert.deepEqual(driftedFiles(written, filesOf(1.3)), ["README.md", PICTURE]);
  assert.deepEqual(driftedFiles(new Map([...written, [PICTURE, "<svg/>"]]), filesOf(1)), [PICTURE]);
});

test("a README without markers is refused", () => {
  assert.throws(() => readmeFiles("# Name\n", filesOf(1)), RangeError);
});

test("the picture has a point for each cell, hollow where the generator was the limit, and no script", () => {
  const { cells } = filesOf(1);
  const picture = readmeFiles(README, filesOf(1))[1]!.text;
  const shown = cells.filter((card) => card.label === "main");
  assert.equal(picture.match(/<circle [^>]*r="3.2"/g)!.length, shown.length);
  assert.equal(picture.match(/class="open"/g)!.length, shown.filter((card) => card.bound === "generator").length);
  assert.doesNotMatch(picture, /<script|NaN|Infinity/);
});

const reference = join(ROOT, "results", "reference");
const hasReference = existsSync(join(reference, "run.json"));

(hasReference ? test : test.skip)(
  "README.md says what results/reference says (else: bench report reference --readme)",
  () => {
    const current = new Map(["README.md", PICTURE].flatMap((path) => {
      const file = join(ROOT, path);
      return existsSync(file) ? [[path, readFileSync(file, "utf8")] as const] : [];
    }));
    assert.deepEqual(driftedFiles(current, readPublishedRun(reference)), []);
  },
);
