import assert from "node:assert/strict";
import { test } from "node:test";
import { shellWords } from "./shell-words.ts";

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
