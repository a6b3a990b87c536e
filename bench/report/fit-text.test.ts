import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { foldedLines, widthOf } from "./align.ts";
import { inColumns, wordsOf } from "./wrap.ts";
import { columnsOf, fitText, wrappedCommand } from "./fit-text.ts";
import { styleFor } from "./style.ts";

const colourful = styleFor(true, {});

test("a line that fits stays as it is, and so does every line where nobody looks", () => {
  const text = `  ${"word ".repeat(60)}\n\nshort   line \n`;
  assert.equal(fitText(text, Infinity), text);
  assert.equal(fitText("a  b \n\n", 5), "a  b \n\n");
});

test("a longer line goes on below its last column, behind its mark, or further in than it began", () => {
  assert.equal(
    fitText("name  what it does and more of what it does", 38),
    "name  what it does and more of what it\n      does",
  );
  assert.equal(fitText("✓ all is well with this one", 16), "✓ all is well\n  with this one");
  assert.equal(fitText("  one two three four", 12), "  one two\n    three\n    four");
  assert.equal(
    fitText("averyveryverylongname  and a text after it", 24),
    "averyveryverylongname\n  and a text after it",
  );
});

test("colours take no room and end where they ended", () => {
  const text = fitText(`${colourful.red("✗")} ${colourful.dim("one two three four five")}`, 12);
  assert.deepEqual(stripVTControlCharacters(text).split("\n"), ["✗ one two", "  three four", "  five"]);
  assert.equal(text.split("\u001b[").length, 5);
});

test("a number keeps its unit, and a word that is too long begins as far out as it must", () => {
  assert.equal(wordsOf("below 8.1 % of 3 s, 1.5 × the 2 sizes").join("|"), "below|8.1 %|of|3 s,|1.5 ×|the|2|sizes");
  for (const columns of [12, 20, 33]) {
    const text = fitText(`no verdict          ${"x".repeat(30)} is 20 % off`, columns);
    for (const line of text.split("\n")) {
      assert.ok(widthOf(line) <= columns || !line.trim().includes(" "), `${columns}: ${line}`);
    }
  }
});

test("a command in several lines is one to a shell", () => {
  const lines = wrappedCommand(`bench run odd --way 'a/b,x y, "z" <b>' --size "1 2" --rounds 16`, 24);
  assert.ok(lines.length > 2 && lines.slice(0, -1).every((line) => line.endsWith(" \\")), lines.join("\n"));
  assert.equal(
    lines.join("\n").replaceAll("\\\n", ""),
    `bench run odd --way 'a/b,x y, "z" <b>' --size "1 2" --rounds 16`,
  );
  assert.match(
    fitText("  bench run users --store map --size 10k", 24),
    /^ {2}bench run users \\\n {4}--store map \\\n {4}--size 10k$/,
  );
});

test("a text stands beside its name where it has room there, else below it", () => {
  const wide = inColumns("✓ name", "one two three four five six seven", { width: 10, columns: 40 });
  assert.deepEqual(wide, ["✓ name      one two three four five six", "            seven"]);
  const narrow = inColumns("✓ name", "one two three four five six seven", { width: 10, columns: 30 });
  assert.deepEqual(narrow, ["✓ name", "    one two three four five", "    six seven"]);
  assert.deepEqual(inColumns("✓ name", "short", { width: 10, columns: 30 }), ["✓ name      short"]);
});

test("columns that have no room stand below the others, under each other", () => {
  const rows = [["cell", "a", "b", "verdict"], ["map", "10.1k", "9.0k", "slower"], ["linear", "1", "", ""]];
  const text = (column: number) => column === 0 || column === 3;
  assert.deepEqual(foldedLines(rows, text, Infinity).map((lines) => lines.length), [1, 1, 1]);
  assert.deepEqual(foldedLines(rows, text, 20), [
    ["cell        a     b", "    verdict"],
    ["map     10.1k  9.0k", "    slower"],
    ["linear      1"],
  ]);
  assert.deepEqual(foldedLines([["a"]], () => true, 0), [["a"]]);
  assert.deepEqual(foldedLines([], () => true, 10), []);
});

test("a word as long as a line leaves the mark before it a line of its own", () => {
  for (const length of [18, 19, 20, 21]) {
    const lines = fitText(`✓ ${"w".repeat(length)} is a path`, 20).split("\n");
    assert.ok(lines.every((line) => line.length <= Math.max(20, length)), lines.join("|"));
    assert.ok(lines.join(" ").includes("w".repeat(length)));
  }
});

test("a terminal says how wide it is, else COLUMNS does", () => {
  assert.equal(columnsOf({ isTTY: true, columns: 61 }, { COLUMNS: "80" }), 61);
  assert.equal(columnsOf({}, { COLUMNS: "80" }), 80);
  for (const odd of ["x", "0", "1", "-5", "80.5"]) assert.equal(columnsOf({}, { COLUMNS: odd }), Infinity, odd);
  assert.equal(columnsOf({}, {}), Infinity);
});

test("nothing that moves a cursor, hides text or turns it gets through, but our own colours do", () => {
  const hostile = "a\u001b[2J\u001b[8mb\rc\u009b1md\u202ee\u2028f\u0007";
  assert.equal(fitText(`${colourful.red(hostile)}\n`, Infinity), `${colourful.red("a [2J [8mb c 1md e f ")}\n`);
  assert.equal(fitText(`${hostile}\n`, 80), "a [2J [8mb c 1md e f \n");
});
