import assert from "node:assert/strict";
import { test } from "node:test";
import { shellQuoted, shellWords } from "./shell.ts";

test("words are split as a shell splits them, and nothing is expanded", () => {
  const cases: readonly [text: string, words: readonly string[] | null][] = [
    ["", []],
    ["  ", []],
    ["node app.js --port {port}", ["node", "app.js", "--port", "{port}"]],
    [`sh -c 'echo "a  b" $HOME'`, ["sh", "-c", 'echo "a  b" $HOME']],
    [`a "b \\"c\\" \\d" ''`, ["a", 'b "c" \\d', ""]],
    ["a\\ b c", ["a b", "c"]],
    [`x=a"b c"d`, ["x=ab cd"]],
    [`a 'b`, null],
    [`a "b`, null],
  ];
  for (const [text, words] of cases) assert.deepEqual(shellWords(text), words, text);
});

test("a word is quoted where a shell would change it, and so that it can be read", () => {
  const cases: readonly [word: string, quoted: string][] = [
    ["GET", "GET"],
    ["./a.ts", "./a.ts"],
    ["{port}", "{port}"],
    ["{a,b}", "'{a,b}'"],
    ["GET /", "'GET /'"],
    ["", "''"],
    ["it's", `"it's"`],
    ["node 'a b.js'", `"node 'a b.js'"`],
    [`it's "so"`, `'it'\\''s "so"'`],
    ["it's $HOME", `'it'\\''s $HOME'`],
  ];
  for (const [word, quoted] of cases) {
    assert.equal(shellQuoted(word), quoted);
    assert.deepEqual(shellWords(quoted), [word]);
    assert.deepEqual(shellWords(shellWords(shellQuoted(quoted))![0]!), [word]);
  }
});
