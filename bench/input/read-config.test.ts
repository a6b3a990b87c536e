import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inTemporaryFolder } from "../../tests/testing.ts";
import { OPTIONS } from "./options.ts";
import { optionName } from "../core/axis-options.ts";
import { BenchError } from "../basics/errors.ts";
import { CONFIG_KEYS } from "./config-schema.ts";
import { optionsOfConfig, OWN_KEYS, ownWordsOf, PLAIN } from "./config-words.ts";
import { findConfig } from "./find-config.ts";
import { readConfig } from "./read-config.ts";

/** Options that say what to do now, or which run is meant: a config says neither. */
const BY_HAND = [
  ..."body plan resume against port pid ready verify only fuzz-requests fuzz-app fault list base limit install with markdown format output serve card out as-is server-host load-host server-address"
    .split(
      " ",
    ),
  ..."verdicts readme dry-run json config no-config verbose help version".split(" "),
];

async function refused(folder: string, name: string, text: string): Promise<BenchError> {
  writeFileSync(join(folder, name), text);
  try {
    await readConfig(join(folder, name));
  } catch (error) {
    assert.ok(error instanceof BenchError, String(error));
    assert.equal(error.exit, 2);
    assert.doesNotMatch(error.message, /\n/);
    assert.ok(error.hint);
    return error;
  }
  throw new Error(`accepted: ${text}`);
}

test("every option of the command line is a key of the config, or is given by hand alone", () => {
  const keys = CONFIG_KEYS.map(optionName);
  for (const { name } of OPTIONS) {
    if (!BY_HAND.includes(name)) assert.ok(keys.includes(name), `--${name} is neither`);
  }
  const without = ["at", "suites", "presets", "modules"];
  assert.deepEqual([...PLAIN, ...OWN_KEYS, ...without].sort(), [...CONFIG_KEYS].sort());
  const options: readonly string[] = OPTIONS.map(({ name }) => name);
  for (const key of [...PLAIN, ...OWN_KEYS]) assert.ok(options.includes(optionName(key)), key);
});

test("a config is read with the types of this project, whoever has installed it", async () => {
  await inTemporaryFolder(async (folder) => {
    assert.equal(findConfig(folder), undefined);
    writeFileSync(join(folder, "package.json"), "{}");
    writeFileSync(
      join(folder, "levelfield.config.ts"),
      `import { defineConfig, defineSuite } from "levelfield";
const rounds: number = 6;
export default defineConfig({ rounds, suites: [defineSuite({ name: "mine" } as never)] });\n`,
    );
    const { config, folder: own } = await readConfig(findConfig(folder)!);
    assert.equal(config.rounds, 6);
    assert.deepEqual(config.suites, [{ name: "mine" }]);
    assert.ok(findConfig(own)!.endsWith("levelfield.config.ts"));
  });
});

test("what it may not say is one line with file, line and key", async () => {
  const cases: readonly [body: string, error: RegExp, hint: RegExp][] = [
    ["rounds: 0,", /, line 2: "rounds" is less than 1$/, /configuration/],
    ["rounds: 'many',", /, line 2: "rounds" is no whole number from 1 to 1000$/, /./],
    ["duration: '1500ms',", /, line 2: "duration" is not whole seconds/, /./],
    ["roundz: 3,", /, line 2: "roundz" is no key of a config$/, /did you mean "rounds"/],
    ["'server-cpus': '1',", /"server-cpus" is no key/, /did you mean "serverCpus"/],
    ["runtime: 'node',", /"runtime" is no key of a config/, /at: \{ runtime: … \}/],
    ["serverCpus: 'x',", /"serverCpus" is no list of CPUs/, /./],
    ["generator: 'wkr',", /"generator" is none of wrk, /, /./],
    ["request: 'users',", /"request" is no request such as "GET \/"/, /./],
    [
      "request: ['GET /',\n { path: '/', wieght: 2 }],",
      /, line 3: "request\.1\.wieght" is no key/,
      /did you mean "weight"/,
    ],
    ["request: { path: 'x' },", /"request\.path" does not begin with a slash/, /./],
    ["presets: { night: { round: 3 } },", /"presets\.night\.round" is no key/, /did you mean "rounds"/],
    ["env: 'SECRET=1',", /"env" is no name of a variable/, /./],
    ["quick: 'yes',", /"quick" is neither true nor false/, /./],
    ["suites: {},", /"suites" is no list of suites/, /./],
    ["at: { runtime: [] },", /"at\.runtime" is empty/, /./],
  ];
  await inTemporaryFolder(async (folder) => {
    for (const [n, [body, error, hint]] of cases.entries()) {
      const told = await refused(folder, `case-${n}.ts`, `export default {\n  ${body}\n};\n`);
      assert.match(told.message, error, body);
      assert.match(told.message, new RegExp(`case-${n}\\.ts`), body);
      assert.match(told.hint!, hint, body);
    }
  });
});

test("a config that throws, is torn, exports nothing or no object is one line", async () => {
  await inTemporaryFolder(async (folder) => {
    const message = async (name: string, text: string) => (await refused(folder, name, text)).message;
    assert.match(await message("a.ts", 'throw new Error("no\\nluck");'), /a\.ts does not load: no$/);
    assert.match(await message("b.ts", "export default {"), /b\.ts does not load: ./);
    assert.match(await message("c.ts", "export const rounds = 3;"), /c\.ts: has no default export$/);
    assert.match(await message("d.ts", "export default () => ({});"), /d\.ts: is no config: give it an object$/);
    assert.match(await message("e.ts", 'import "./none.ts";\nexport default {};'), /e\.ts does not load: ./);
    await assert.rejects(readConfig(join(folder, "none.ts")), /there is no config/);
  });
});

test("keys become the words of the command line, with paths from the config's folder", async () => {
  await inTemporaryFolder((root) => {
    const folder = join(root, "inner");
    mkdirSync(folder);
    const own = ownWordsOf({
      app: { a: "./a.ts" },
      command: "node server.js",
      port: 80,
      header: { accept: "a/b" },
      request: ["GET /", { path: "/{n}", weight: 2, draws: { n: { kind: "rows", file: "rows.txt" } } }],
      expect: [200, 404],
    }, process.cwd());
    assert.deepEqual(own, [
      ["app", "a=./a.ts"],
      ["command", "node server.js"],
      ["port", "80"],
      ["header", "accept: a/b"],
      ["request", "GET /"],
      ["request", '{"path":"/{n}","weight":2,"draws":{"n":{"kind":"rows","file":"rows.txt"}}}'],
      ["expect", "200"],
      ["expect", "404"],
    ]);
    const [[, app]] = ownWordsOf({ app: "x.ts" }, folder) as [readonly [string, string]];
    assert.match(app, /^\.\.?\/.*inner\/x\.ts$/);
    const options = optionsOfConfig(
      { quick: true, alone: false, serverCpus: "1", rate: [5, "1k"], results: "r" },
      folder,
    );
    assert.deepEqual([...options.keys()], ["quick", "serverCpus", "results", "rate"].map(optionName));
    assert.equal(options.get("rate"), "5,1k");
    assert.match(String(options.get("results")), /inner\/r$/);
  });
});
