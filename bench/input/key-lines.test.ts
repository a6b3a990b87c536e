import assert from "node:assert/strict";
import { test } from "node:test";
import { keyLine } from "./key-lines.ts";

const SOURCE = `import { defineConfig } from "levelfield";
// rounds: 1
const text = "rounds: 2, { duration: 3 }";
export default defineConfig({
  app: { a: "./a.ts", "b-c": "./b.ts" }, /* rounds: 4 */
  rounds: 5,
  request: [
    "GET /{id}",
    { path: "/x", weight: text.length > 1 ? 2 : 1 },
  ],
  presets: {
    night: { rounds: 20 },
    'day': { rounds: 3, at: { runtime: ["node"] } },
  },
  suites: [defineSuite({
    name: "mine",
    server({ at }) { return { kind: at.kind }; },
    oracle: () => ({ alive: 1 }),
  })],
  text,
});
`;

test("the line of a key is found by the keys and places that lead to it", () => {
  const lines: readonly [path: readonly PropertyKey[], line: number][] = [
    [["app"], 5],
    [["app", "b-c"], 5],
    [["rounds"], 6],
    [["request"], 7],
    [["request", 0], 8],
    [["request", 1], 9],
    [["request", 1, "weight"], 9],
    [["presets", "night", "rounds"], 12],
    [["presets", "day", "rounds"], 13],
    [["presets", "day", "at", "runtime", 0], 13],
    [["suites", 0], 15],
    [["suites", 0, "name"], 16],
    [["suites", 0, "server"], 17],
    [["text"], 20],
  ];
  for (const [path, line] of lines) assert.equal(keyLine(SOURCE, path), line, path.join("."));
});

test("what is missing has the line of what it is missing in", () => {
  assert.equal(keyLine(SOURCE, ["presets", "night", "duration"]), 12);
  assert.equal(keyLine(SOURCE, ["request", 1, "path", "deeper"]), 9);
});

test("no line is told where none or more than one would fit", () => {
  assert.equal(keyLine(SOURCE, ["nothing"]), undefined);
  assert.equal(keyLine(SOURCE, []), undefined);
  assert.equal(keyLine("const old = { rounds: 1 };\nexport default { rounds: 2 };", ["rounds"]), undefined);
  assert.equal(keyLine("export default { ...base }", ["rounds"]), undefined);
});

test("a source that is no program does not break it", () => {
  for (const source of ["", "}}])", "{ a: [", "`${a", '{ "a', "/* {"]) {
    assert.ok([1, undefined].includes(keyLine(source, ["a", 0, "b"])), source);
  }
});
