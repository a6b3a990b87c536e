import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readPublishedRun } from "../runs/published-run.ts";
import { makeFixture, makeOddFixture } from "../../tests/fixtures/made-up-run.ts";
import { filesOf } from "../../tests/fixtures/run-files.ts";
import type { RunFiles } from "./shown-run.ts";
import { sampleText } from "../report/metrics.ts";
import { PICTURE, readmeFiles } from "./readme-results.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const at = (speed: number) => filesOf(makeFixture({ speed }));
const README = "# Name\n\n<!-- results:begin -->\nold\n<!-- results:end -->\n\nThe rest.\n";
const asMap = (files: ReturnType<typeof readmeFiles>) => new Map(files.map(({ path, text }) => [path, text]));

/** The kind of CPU whose run README.md's results name; undefined where they name none. */
function kindInReadme(readme: string): string | undefined {
  const [block = ""] = /<!-- results:begin -->.*(?=<!-- results:end -->)/s.exec(readme) ?? [];
  return / \(([a-z0-9-]+)\), \d+ CPUs?, /.exec(block)?.[1];
}

/** The files that are no longer what the run says, by path; empty when nothing drifted. */
function driftedFiles(current: ReadonlyMap<string, string>, files: RunFiles): string[] {
  return readmeFiles(current.get("README.md") ?? "", files).filter(({ path, text }) => current.get(path) !== text)
    .map(({ path }) => path);
}

test("README.md's results are written between the markers, the rest stays, and again changes nothing", () => {
  const files = at(1);
  const written = readmeFiles(README, files);
  const text = written[0]!.text;
  assert.ok(text.startsWith("# Name\n\n<!-- results:begin -->\n\n"));
  assert.ok(text.endsWith("<!-- results:end -->\n\nThe rest.\n"));
  assert.ok(!text.includes("old") && text.includes("- **Runtime: ") && text.includes(`(${PICTURE})`));
  assert.deepEqual(readmeFiles(text, files), written);
  assert.deepEqual(driftedFiles(asMap(written), files), []);
});

test("a README without markers is refused", () => {
  assert.throws(() => readmeFiles("# Name\n", at(1)), RangeError);
});

test("the picture has a row for each value against the slowest at each place, filled where it is proven, and no script", () => {
  const picture = readmeFiles(README, at(1))[1]!.text;
  assert.ok(picture.includes(">Runtime: how many times as fast as node?"), picture.slice(0, 2_000));
  const rows = picture.match(/<title>/g)!.length;
  // At most sixteen rows a question.
  assert.ok(rows > 16 && rows <= 32, String(rows));
  const filled = [...picture.matchAll(/<path [^>]*fill="([^"]*)" stroke="([^"]*)"[^>]*><title>([^<]*)/g)];
  for (const [, fill, stroke, title] of filled) {
    assert.equal(fill === stroke, /, (faster|slower)$/.test(title!), title!);
  }
  assert.ok(filled.length > 8, String(filled.length));
  assert.doesNotMatch(picture, /<script|NaN|Infinity|undefined/);
});

test("the picture is one for any names, and for a run in which nothing was compared", () => {
  const odd = readmeFiles(README, filesOf(makeOddFixture())).map(({ text }) => text).join("");
  assert.doesNotMatch(odd, /<script|NaN|Infinity|undefined/);
  const lonely = filesOf(makeFixture({ runtimes: ["node"], stores: ["map"], sizes: [10_000] }));
  assert.match(readmeFiles(README, lonely)[1]!.text, /nothing was compared/i);
});

test("the results name their run and its kind of CPU, by which the run is found again", () => {
  const text = readmeFiles(README, at(1))[0]!.text;
  assert.match(text, /on AMD EPYC \(amd-25-1\), 2 CPUs, shared\.[^]*Run `2026-11-20-120000`, with node /);
  assert.equal(kindInReadme(text), "amd-25-1");
  assert.equal(kindInReadme(README), undefined);
});

const RESULTS = join(ROOT, "results");
const references = existsSync(RESULTS) ? readdirSync(RESULTS).filter((name) => name.startsWith("reference")) : [];

(references.length > 0 ? test : test.skip)(
  "README.md says what the reference run it names says (else: bench report reference --readme)",
  () => {
    const current = new Map(["README.md", PICTURE].flatMap((path) => {
      const file = join(ROOT, path);
      return existsSync(file) ? [[path, readFileSync(file, "utf8")] as const] : [];
    }));
    const kind = kindInReadme(current.get("README.md")!);
    assert.ok(kind !== undefined, "README.md's results name no kind of CPU");
    const name = `reference-${kind}`;
    assert.ok(
      references.includes(name),
      `README.md is of results/${name}, but there are only ${references.join(", ")}`,
    );
    const stored = readPublishedRun(join(RESULTS, name));
    assert.deepEqual(driftedFiles(current, stored), []);
  },
);

test("what rates are made of is said as it is: rounds alone, and intervals only where there are any", () => {
  const { cells } = filesOf(makeFixture({ rounds: 6 }));
  const said = (alone: readonly number[]) =>
    sampleText(cells.map((card, n) => ({ ...card, observations_ok: alone[n % alone.length]! })));
  assert.deepEqual([said([1]), said([4]), said([6, 14, 5, 0])], [
    "one sample",
    "median of 4, with 95 % intervals",
    "median of 5 to 14, with 95 % intervals",
  ]);
});
