import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { folderTest, inTemporaryFolder } from "../../tests/testing.ts";
import { CONFIG_OPTIONS, helpOf, keyOf, shownOf } from "./option-table.ts";
import type { Option } from "./options.ts";
import { BenchError } from "../basics/errors.ts";
import { type Config, findConfig } from "./config.ts";
import { readConfig } from "./read-config.ts";

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

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
/** Types of keys as they follow from the table; no type where one is another. */
const TYPED: readonly true[] = [
  true satisfies Same<Config["rounds"], number | undefined>,
  true satisfies Same<Config["duration"], string | undefined>,
  true satisfies Same<Config["quick"], boolean | undefined>,
  true satisfies Same<Config["generator"], string | undefined>,
  true satisfies Same<Config["expect"], number | readonly number[] | undefined>,
  true satisfies Same<Config["rate"], number | string | readonly (number | string)[] | undefined>,
  true satisfies Same<Config["app"], string | Readonly<Record<string, string>> | undefined>,
];

const DOCS = fileURLToPath(new URL("../../docs/configuration.md", import.meta.url));

/** The docs' table of the keys that are options. */
function keysTable(): string {
  const rows = [
    ["key", "as on the command line", "meaning"],
    ...CONFIG_OPTIONS.map((
      option,
    ) => [`\`${keyOf(option.name)}\``, valueOf(option), helpOf(option).replaceAll("|", "\\|")]),
  ];
  const widths = [0, 1, 2].map((n) => Math.max(...rows.map((row) => row[n]!.length)));
  const line = (row: readonly string[]) => `| ${row.map((cell, n) => cell.padEnd(widths[n]!)).join(" | ")} |`;
  return [line(rows[0]!), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rows.slice(1).map(line)]
    .join("\n");
}

const valueOf = (option: Option) => shownOf(option) === "" ? "true or false" : `\`${shownOf(option)}\``;

test("the docs have the keys of the table (LEVELFIELD_UPDATE_GOLDEN=1 writes them anew)", () => {
  assert.ok(TYPED.every((same) => same));
  const docs = readFileSync(DOCS, "utf8");
  const found = /^\| key .*(?:\n\|.*)*/m.exec(docs)![0];
  if (process.env["LEVELFIELD_UPDATE_GOLDEN"] === "1") writeFileSync(DOCS, docs.replace(found, () => keysTable()));
  assert.equal(/^\| key .*(?:\n\|.*)*/m.exec(readFileSync(DOCS, "utf8"))![0], keysTable());
});

folderTest("a config is read with the types of this project, whoever has installed it", async (folder) => {
  assert.equal(findConfig(folder), undefined);
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(
    join(folder, "levelfield.config.ts"),
    `import { defineConfig, defineSuite } from "levelfield";
const rounds: number = 6;
export default defineConfig({ rounds, suites: [defineSuite({ name: "mine" } as never)] });\n`,
  );
  const { config, folder: found } = await readConfig(findConfig(folder)!);
  assert.equal(config.rounds, 6);
  assert.deepEqual(config.suites, [{ name: "mine" }]);
  assert.ok(findConfig(found)!.endsWith("levelfield.config.ts"));
});

test("what it may not say is one line with file and key", async () => {
  const cases: readonly [body: string, error: RegExp, hint: RegExp][] = [
    ["rounds: 0,", /"rounds": 0 is no whole number from 1 to 1000$/, /./],
    ["rounds: 'many',", /"rounds": "many" is no whole number from 1 to 1000$/, /./],
    ["duration: '1500ms',", /"duration": "1500ms" is no duration of whole seconds/, /./],
    ["roundz: 3,", /"roundz": there is no such key$/, /did you mean "rounds"/],
    ["'server-cpus': '1',", /"server-cpus": there is no such key/, /did you mean "serverCpus"/],
    ["runtime: 'node',", /"runtime": there is no such key/, /at: \{ runtime: … \}/],
    ["serverCpus: 'x',", /"serverCpus": "x" is no list of CPUs/, /./],
    ["generator: 'wkr',", /"generator": "wkr" is none of wrk, /, /did you mean "wrk"/],
    ["request: 'users',", /"request": "users" is no request$/, /"GET \/"/],
    ["request: ['GET /',\n { path: '/', wieght: 2 }],", /"request\.1" has no key "wieght"/, /"weight"/],
    ["request: { path: 'x' },", /"request\.path": "x" does not begin with a slash/, /./],
    ["presets: { night: { round: 3 } },", /"presets\.night\.round": there is no such key/, /did you mean "rounds"/],
    ["env: 'SECRET=1',", /"env": "SECRET=…" is no name of a variable/, /set SECRET before/],
    ["quick: 'yes',", /"quick": "yes" is neither true nor false/, /./],
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

folderTest("a config that throws, is torn, exports nothing or no object is one line", async (folder) => {
  const message = async (name: string, text: string) => (await refused(folder, name, text)).message;
  assert.match(await message("a.ts", 'throw new Error("no\\nluck");'), /a\.ts does not load: no$/);
  assert.match(await message("b.ts", "export default {"), /b\.ts does not load: ./);
  assert.match(await message("c.ts", "export const rounds = 3;"), /c\.ts: has no default export$/);
  assert.match(await message("d.ts", "export default () => ({});"), /d\.ts: is no config: give it an object$/);
  assert.match(await message("e.ts", 'import "./none.ts";\nexport default {};'), /e\.ts does not load: ./);
  await assert.rejects(readConfig(join(folder, "none.ts")), /there is no config/);
});
