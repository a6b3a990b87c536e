import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST_PAGE_BYTES, type PagedSection, pagedTables } from "./paged.ts";

const section = (id: string, rows: PagedSection["rows"]): PagedSection => ({
  id,
  title: `Title ${id}`,
  hint: "a hint",
  heads: ["name", "text"],
  rows,
  empty: "nothing here",
});
const page = { heading: "board", name: "", lead: "x" };
const rowsOf = (count: number, text: string) => Array.from({ length: count }, (_, n) => [`row-${n}-`, text]);

test("each row stands once, in order, on pages that lead to each other and stay small", () => {
  const pages = [...pagedTables("index", page, [section("a", rowsOf(1_200, "ok")), section("b", rowsOf(10, "ok"))])];
  assert.deepEqual(pages.map(({ file }) => file), ["index.html", "index-2.html", "index-3.html"]);
  const named = pages.flatMap(({ text }) => [...text.matchAll(/row-(\d+)-/g)].map(([, n]) => Number(n)));
  assert.deepEqual(named, [...Array(1_200).keys(), ...Array(10).keys()]);
  assert.match(pages[1]!.text, /Title a \(continued\)/);
  assert.match(pages[1]!.text, /<a href="index\.html">previous<\/a>/);
  assert.match(pages[1]!.text, /<a href="index-3\.html">next<\/a>/);
  assert.doesNotMatch(pages[0]!.text, />previous</);
  assert.equal(pages[2]!.text.match(/<h2/g)!.length, 2);
});

test("rows of the longest texts, in signs that take the most bytes, leave pages below their limit", () => {
  // Three bytes for one of JavaScript's characters is the most there is; "&" becomes five characters.
  for (const text of ["\u20ac".repeat(300), "&".repeat(300), "x".repeat(30_000)]) {
    const pages = [...pagedTables("p", page, [section("a", rowsOf(2_000, text))])];
    assert.ok(pages.length > 3);
    for (const { file, text } of pages) assert.ok(Buffer.byteLength(text) < MOST_PAGE_BYTES, file);
  }
});

test("a section without rows says so, and a title never stands alone at the end of a page", () => {
  const [only] = [...pagedTables("p", page, [section("a", [])])];
  assert.match(only!.text, /nothing here/);
  const pages = [...pagedTables("p", page, [section("a", rowsOf(500, "ok")), section("b", rowsOf(1, "ok"))])];
  assert.equal(pages.length, 2);
  assert.doesNotMatch(pages[0]!.text, /Title b/);
  assert.match(pages[1]!.text, /Title b<\/h2>/);
});
