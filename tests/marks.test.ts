/** The table of marks in the docs is that of the code. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { mark, MARKS } from "../bench/record/mark.ts";
import { markSchema } from "../bench/record/outcome-schema.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";

test("docs/marks.md lists every mark with its effect and what it means, and no other", () => {
  const docs = readFileSync(join(PROJECT_ROOT, "docs", "marks.md"), "utf8");
  const table = [...docs.matchAll(/^\| `([\w-]+)` +\| (\w+) +\| (.+?) +\|$/gm)];
  assert.deepEqual(
    table.map(([, code, effect, means]) => [code, effect, means]),
    Object.entries(MARKS).map(([code, { effect, means }]) => [code, effect, means]),
  );
});

test("a mark is read with the effect of its code alone", () => {
  const own = mark("contended", "others had the cores");
  assert.deepEqual(markSchema.parse(own), own);
  assert.equal(markSchema.safeParse({ ...own, effect: "note" }).success, false);
  assert.equal(markSchema.safeParse({ ...own, code: "other" }).success, false);
});
