import assert from "node:assert/strict";
import { test } from "node:test";
import { firstFew, visible, visibleLine } from "./visible.ts";

test("each sign that would not be seen, moves a cursor or turns text stands as its number", () => {
  const unseen = [
    ...["\u001b", "\u0007", "\u007f", "\u009b", "\u00ad", "\u034f", "\u061c", "\u200b", "\u200d", "\u202e", "\u2066"],
    ...[
      "\u2028",
      "\u2029",
      "\u2060",
      "\ufeff",
      "\ufe0f",
      "\u{e0041}",
      "\u00a0",
      "\u2003",
      "\u3000",
      "\u2800",
      "\u3164",
    ],
  ];
  for (const sign of unseen) {
    const code = sign.codePointAt(0)!.toString(16);
    for (const shown of [visible(`a${sign}b`), visibleLine(`a${sign}b`)]) {
      assert.match(shown, new RegExp(`^"?a\\\\u(\\{${code}\\}|${code.padStart(4, "0")})b"?$`), code);
    }
  }
  assert.equal(visibleLine(`e${"\u0301".repeat(5)}`), `e${"\u0301".repeat(3)}\\u{301}\\u{301}`);
  assert.equal(visibleLine("a\r\tb"), "a\\u{d}\\u{9}b");
  assert.equal(visible('a"\\\n'), '"a\\"\\\\\\n"');
  for (const text of ["ä → ж 漢字 🙂", "sh -c 'x   y'"]) {
    assert.deepEqual([visible(text), visibleLine(text)], [`"${text}"`, text]);
  }
});

test("blanks that would push text out of view are counted", () => {
  assert.equal(visible(`true${" ".repeat(5_000)}; rm -r x`), '"true\\u{20}×5000; rm -r x"');
  assert.equal(visibleLine(`true${" ".repeat(4)}; rm -r x`), "true\\u{20}×4; rm -r x");
});

test("a long text keeps its ends, and how much is left out cannot be made up inside the quotes", () => {
  const shown = visible(`${"a".repeat(5_000)}" … 7 characters not shown … "b`);
  assert.match(shown, /^"a{300}" … 4631 characters not shown … "a{69}\\" … 7 characters not shown … \\"b"$/);
  const line = visibleLine(`${"\u202e".repeat(1_000)}${"b".repeat(1_000_000)}c`);
  assert.match(line, /^(\\u\{202e\}){900} … \d+ characters not shown … b{299}c$/);
  assert.equal(visible("🙂".repeat(1_000)).isWellFormed(), true);
});

test("a message is its first line", () => {
  assert.equal(visibleLine("error\nerror: forged"), "error");
});

test("of many names the first are shown, and the number of the others", () => {
  const names = Array.from({ length: 5_000 }, (_, n) => `V${n}`);
  assert.equal(firstFew(names, 3), "V0, V1, V2 and 4997 more");
  assert.equal(firstFew(names.slice(0, 3), 3), "V0, V1, V2");
});
