import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { folderTest } from "../../tests/testing.ts";
import oddSuite from "../../tests/fixtures/odd-suite.ts";
import { SUITES } from "../../suites/registry.ts";
import type { Axis, Suite } from "../../suites/suite.ts";
import { BenchError, EXIT } from "../basics/errors.ts";
import { loadSuite, suiteFault } from "./load-suite.ts";
import { looksLikeFile } from "../files/plain-file.ts";

const ODD = fileURLToPath(new URL("../../tests/fixtures/odd-suite.ts", import.meta.url));

async function refusal(word: string): Promise<BenchError> {
  try {
    await loadSuite(word);
  } catch (error) {
    assert.ok(error instanceof BenchError, String(error));
    assert.equal(error.exit, EXIT.usage);
    assert.ok(error.hint !== undefined && !error.message.includes("\n"), error.message);
    return error;
  }
  throw new Error(`"${word}" was loaded`);
}

test("a suite is one of the project by its name, or what a file exports", async () => {
  const [first] = SUITES as [Suite];
  assert.deepEqual(await loadSuite(first.name), { suite: first, module: null });
  const { suite, module } = await loadSuite(ODD);
  assert.equal(suite, oddSuite);
  assert.equal(resolve(module!), ODD);
  assert.deepEqual(await loadSuite(relative(process.cwd(), ODD)), { suite, module });
});

test("a word with the ending of a module, or a path that is there, is a file", () => {
  const files = ["a.ts", "./b.mjs", "c.js", ODD];
  assert.deepEqual([...files, "odd", "a.json", "a/b", "node/map/10k"].filter(looksLikeFile), files);
});

folderTest("what cannot be loaded is refused in one line that names it", async (folder) => {
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const near = `${SUITES[0]!.name}x`;
  assert.equal((await refusal(near)).message, `unknown suite "${near}"`);
  assert.equal((await refusal(near)).hint, `did you mean "${SUITES[0]!.name}"?`);
  assert.match((await refusal(join(folder, "none.ts"))).message, /^there is no suite file ".*none\.ts"$/);
  assert.match(
    (await refusal(file("torn.ts", "export default {{;"))).message,
    /^suite file ".*torn\.ts" does not load: ./,
  );
  const thrown = await refusal(file("throws.ts", "null.x;\nexport default {};"));
  assert.match(thrown.message, /^suite file ".*throws\.ts" does not load: .*null/i);
  assert.match((await refusal(file("nothing.ts", "throw undefined;"))).message, /nothing\.ts" does not load: ./);
  assert.match((await refusal(file("lone.ts", 'import "./gone.ts";'))).message, /lone\.ts" does not load: .*gone/);
  assert.match((await refusal(file("empty.ts", "export const x = 1;"))).message, /empty\.ts" exports no suite$/);
  assert.match(
    (await refusal(file("number.ts", "export default 5;"))).message,
    /number\.ts": the export is wrong: expected object/,
  );
  for (
    const [text, option] of [
      ["export default { fetch: () => new Response() };", "app"],
      ["export default () => new Response();", "app"],
      ["module.exports = { handler() {}, listen() {} };", "app"],
      ['throw new Error("loaded");\nDeno.serve(() => new Response());', "program"],
    ] as const
  ) {
    const { message, hint } = await refusal(file(`${option}.ts`, text));
    assert.match(message, /^"[^"]*" is an? (app|program that listens by itself), no suite$/);
    assert.match(hint!, new RegExp(`^bench run --${option} \\S+${option}\\.ts$`), text);
    rmSync(join(folder, `${option}.ts`));
  }
  assert.match((await refusal(folder)).hint!, /^bench run --app \S+$/);
  const part = await refusal(file("part.ts", 'export const suite = { name: "part", title: "t", axes: [] };'));
  assert.match(part.message, /part\.ts": "axes" is empty$/);
  assert.match(part.hint!, /^mend it, then: bench list .*part\.ts$/);
});

const [way, ...axes] = oddSuite.axes as [Axis, ...Axis[]];
const without = (part: keyof Suite) => ({ ...oddSuite, [part]: undefined });
const withWay = (change: Partial<Axis>) => ({ ...oddSuite, axes: [{ ...way, ...change }, ...axes] });

/** Suites that are not quite one, and what is said of them. */
const FAULTS: [suite: unknown, fault: RegExp][] = [
  [null, /^the export is wrong: expected object/],
  [without("name"), /^"name" is missing$/],
  [without("axes"), /^"axes" is missing$/],
  [without("server"), /^"server" is missing or no function$/],
  [{ ...oddSuite, name: "Odd One" }, /^"name" is not lower-case letters/],
  [{ ...oddSuite, supports: true }, /^"supports" is no function$/],
  [withWay({ role: "other" as never }), /^"role" of axis "way \/ how" is wrong: expected one of/],
  [withWay({ parse: "x" as never }), /^"parse" of axis "way \/ how" is missing or no function$/],
  [withWay({ values: [] }), /^"values" of axis "way \/ how" is empty$/],
  [withWay({ values: [true as never] }), /^"values\.0" of axis "way \/ how" is neither a text nor a number$/],
  [withWay({ name: "mood?" }), /^suite "odd" has two axes named "mood\?"$/],
  [
    withWay({ parse: () => undefined }),
    /^suite "odd", axis "way \/ how": the value "a\/b" is written "a\/b", which parse reads as no value$/,
  ],
  [withWay({ format: () => "" }), /format gives no text for "a\/b"$/],
  [
    withWay({
      format() {
        throw new Error("oh");
      },
    }),
    /format or parse fails for "a\/b": oh$/,
  ],
  [{ ...oddSuite, probe: { "way / how": "c" } }, /^suite "odd", probe, axis "way \/ how": the value "c"/],
  [{ ...oddSuite, probe: { way: "c" } }, /^suite "odd", probe: there is no axis "way"$/],
  [{ ...oddSuite, quick: { at: { "items / page": [3] } } }, /^suite "odd", quick, axis "items \/ page": the value 3/],
  [
    { ...oddSuite, presets: { big: { title: "", at: { size: [3] } } } },
    /^suite "odd", preset "big": there is no axis "size"$/,
  ],
  [
    { ...oddSuite, presets: { big: { title: "", durationMs: 1_500 } } },
    /^"presets\.big\.durationMs" is not whole seconds/,
  ],
  [{ ...oddSuite, presets: { big: { title: "", duration: 1_000 } } }, /^"presets\.big" .*duration/],
  [{ ...oddSuite, expectations: [{ kind: "ceiling", at: {} }] }, /^"expectations\.0\.least" is missing$/],
];

test("a suite with a part missing or wrong is told which, by suite, axis and value", () => {
  assert.equal(suiteFault(oddSuite), null);
  for (const suite of SUITES) assert.equal(suiteFault(suite), null, suite.name);
  for (const [suite, fault] of FAULTS) assert.match(suiteFault(suite) ?? "nothing", fault);
});
