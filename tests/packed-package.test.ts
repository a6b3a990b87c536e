/** The packed file as the ecosystem's checks and a first reader see it. tests/long/package.test.ts installs and runs it. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { findProgram } from "../bench/machine/programs.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { locateRuntime } from "../bench/runtimes/runtimes.ts";
import { absoluteLinks, namesOfPackage } from "../package/names.ts";
import { inTemporaryFolder, ranToEnd } from "./testing.ts";

const npmTest = findProgram("npm") === undefined || findProgram("git") === undefined ? test.skip : test;
const tool = (name: string) => join(PROJECT_ROOT, "node_modules", ".bin", name);

npmTest(
  "publint and attw find nothing in the packed file, and its names, links and declarations are whole",
  () =>
    inTemporaryFolder(async (folder) => {
      // The step "types" of the gate checks them.
      const program = `import("./package/pack.ts").then(({ packPackage }) =>
      console.log(packPackage(${JSON.stringify(folder)}, { typeCheck: false })))`;
      const packed = await ranToEnd(locateRuntime("node").file, ["-e", program], PROJECT_ROOT);
      assert.equal(packed.code, 0, packed.stderr);
      const tarball = packed.stdout.trim();

      const publint = await ranToEnd(tool("publint"), [tarball, "--strict"], folder);
      assert.equal(publint.code, 0, publint.stdout + publint.stderr);
      assert.match(publint.stdout, /All good/);
      const attw = await ranToEnd(tool("attw"), [tarball, "--profile", "esm-only", "--format", "json"], folder);
      assert.equal(attw.code, 0, attw.stdout);

      assert.equal((await ranToEnd("tar", ["-xzf", tarball, "-C", folder])).code, 0);
      const at = (...path: string[]) => join(folder, "package", ...path);
      const manifest = JSON.parse(readFileSync(at("package.json"), "utf8"));
      assert.deepEqual(manifest.bin, { levelfield: "package/levelfield.js" });
      for (
        const field of ["repository", "homepage", "bugs", "keywords", "author", "sideEffects", "license", "engines"]
      ) {
        assert.ok(manifest[field], field);
      }
      assert.deepEqual(manifest.publishConfig, { access: "public", provenance: true });
      for (const [name, range] of Object.entries(manifest.peerDependencies)) assert.match(String(range), /^>=/, name);
      for (const name of ["private", "devDependencies", "optionalDependencies"]) {
        assert.equal(manifest[name], undefined);
      }

      const files = readdirSync(at(), { recursive: true, encoding: "utf8" });
      for (
        const file of files.filter((name) => name.endsWith(".js") && !name.startsWith("package/bundled/"))
      ) {
        const text = readFileSync(at(file), "utf8");
        assert.equal(text, namesOfPackage(text), `${file} names a command of a checkout`);
      }
      for (const file of files.filter((name) => name.endsWith(".d.ts"))) {
        const external = [...readFileSync(at(file), "utf8").matchAll(/^(?! *\*).* from "([^.][^"]*)"/gm)].map((
          [, name],
        ) => name!);
        for (const name of external.filter((each) => !each.startsWith("node:") && !builtinModules.includes(each))) {
          assert.ok(manifest.dependencies[name], `${file} has types of "${name}", which is not installed with it`);
        }
      }
      const licences = readFileSync(at("package", "bundled", "LICENSES.txt"), "utf8");
      for (const name of ["@observablehq/plot", "d3-scale", "log-update", "string-width", "fastest-levenshtein"]) {
        assert.ok(licences.includes(`\n${name} `) || licences.startsWith(`${name} `), name);
      }
      for (const paper of ["README.md", "docs/library.md", "CHANGELOG.md"]) {
        const text = readFileSync(at(paper), "utf8").replaceAll(/^```[^]*?^```/gm, "");
        const within = [...text.matchAll(/\]\((?!https:|#)[^)]*\)/g)].map(([link]) => link);
        assert.deepEqual(within, [], `${paper} has links that lead nowhere on a page of the package`);
      }
    }),
);

test("commands get the name under which they are installed, and words of other texts stay", () => {
  const named: Readonly<Record<string, string>> = {
    "try: bench run --quick": "try: levelfield run --quick",
    '"bin/bench doctor"': '"levelfield doctor"',
    "bench ${name} --help": "levelfield ${name} --help",
    "Usage: bench <command>": "Usage: levelfield <command>",
    "which no bench makes": "which no bench makes",
    "ssh box1 /path/bin/bench agent": "ssh box1 /path/bin/bench agent",
    "bench/main.js": "bench/main.js",
  };
  for (const [before, after] of Object.entries(named)) assert.equal(namesOfPackage(before), after);
});

test("links of a packed page lead to the repository at its version, those of pictures to the file", () => {
  const page = "[a](../README.md#x) ![b [c]](pictures/d.svg) [e](https://f.g/h) [i](#j) [`k`](l/)";
  const [address, tree] = ["https://host/me/it", "https://host/me/it/blob/v1.2.3"];
  assert.equal(
    absoluteLinks(page, address, "1.2.3", "docs"),
    `[a](${tree}/README.md#x) ![b [c]](${address}/raw/v1.2.3/docs/pictures/d.svg) ` +
      `[e](https://f.g/h) [i](#j) [\`k\`](${tree}/docs/l/)`,
  );
});
