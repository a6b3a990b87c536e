/** A bundled app with a dependency, made and profiled by real tools, under the names its source maps give. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { RUNTIME_NAMES, type RuntimeName } from "../../servers/runtime.ts";
import { folderTest } from "../../tests/testing.ts";
import { childEnvironment, locateRuntime, SCRIPT_ARGS } from "../runtimes/runtimes.ts";
import { profilerOf, readProfiles } from "./cpu-profile-files.ts";

const WORK = "let x = kept | 1; for (let i = 0; i < 5000; i++) x = (Math.imul(x, 1664525) + 1013904223) | 0; kept = x;";
const FILES = {
  "node_modules/other/package.json": '{ "name": "other", "type": "module", "main": "index.js" }',
  "node_modules/other/index.js": `let kept = 0;\nexport function otherWork() { ${WORK} }\n`,
  "src/grind.ts":
    `interface Unused { readonly x: number }\n\nlet kept = 0;\nexport function grind(): void {\n  ${WORK}\n}\n`,
  "src/main.ts": `import { grind } from "./grind.ts";
import { otherWork } from "other";
function serve(): void {
  for (let n = 0; n < 6_000; n++) { grind(); otherWork(); }
}
serve();
`,
};

/** Bundles the app of {@link FILES} in a folder, and returns its file. */
function bundled(folder: string, flags: readonly string[]): string {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const args = ["build", "src/main.ts", "--target=node", ...flags, ...(flags.length > 1 ? [] : ["--outdir=dist"])];
  execFileSync(locateRuntime("bun").file, args, { cwd: folder, stdio: "pipe" });
  return join(folder, "dist/main.js");
}

/** The functions of a bundle as its profile on a runtime has them. */
function profiled(name: RuntimeName, folder: string, script: string) {
  const profiles = mkdtempSync(join(folder, "profiles-"));
  const [first, ...rest] = SCRIPT_ARGS[name];
  const { flags, env } = profilerOf(name, profiles);
  execFileSync(locateRuntime(name).file, [...(first === undefined ? [] : [first]), ...flags, ...rest, script], {
    env: { ...childEnvironment(), ...env },
  });
  const [only] = readProfiles(profiles, "cell");
  return only!.profile.nodes.map(({ callFrame }) => callFrame);
}

const MAPS = [
  ["a source map next to it", ["--sourcemap=linked"]],
  ["a source map that it does not name", ["--sourcemap=external"]],
  ["an inline source map, whose sources are from another folder, and short names", [
    ...["--sourcemap=inline", "--minify", "--outfile=dist/main.js"],
  ]],
] as const;

for (const name of RUNTIME_NAMES) {
  for (const [how, flags] of MAPS) {
    folderTest(`functions of a bundle with ${how} stand on ${name} in the files they were written in`, (folder) => {
      const found = profiled(name, folder, bundled(folder, flags));
      const at = (path: string, line: number) =>
        found.find(({ url, lineNumber }) => url.endsWith(path) && lineNumber === line - 1);
      const [grind, other] = [at("/src/grind.ts", 4), at("/node_modules/other/index.js", 2)];
      const urls = JSON.stringify(found.map(({ url }) => url));
      assert.ok(grind !== undefined, urls);
      // Deno follows maps itself: it keeps short names, and the bundle for a package that is not where its map says.
      if (name === "deno" && flags.length > 1) return;
      assert.ok(other !== undefined, urls);
      assert.equal(fileURLToPath(grind.url), join(folder, "src/grind.ts"));
      assert.deepEqual([grind.functionName, other.functionName], ["grind", "otherWork"]);
    });
  }
}

folderTest("maps of sections and of sources without a folder are followed; a torn one changes nothing", (folder) => {
  const script = bundled(folder, ["--sourcemap=linked"]);
  const map = JSON.parse(readFileSync(`${script}.map`, "utf8"));
  const sources = map.sources.map((source: string) => source.replace(/^(\.\.\/)+/, "webpack://mill/./"));
  // Bundlers name code of their own so that it cannot be a file.
  const sections = [{ offset: { line: 0, column: 0 }, map: { ...map, sources: [...sources, "\0helpers"] } }];
  writeFileSync(`${script}.map`, JSON.stringify({ version: 3, sections }));
  const urlsOf = (found: ReturnType<typeof profiled>) => found.map(({ url }) => url);
  const mapped = urlsOf(profiled("node", folder, script));
  for (const name of ["src/grind.ts", "node_modules/other/index.js"]) {
    assert.ok(mapped.includes(`webpack://mill/${name}`), mapped.join("\n"));
  }
  writeFileSync(`${script}.map`, "no map");
  // Code outside of functions belongs to the bundle, and to none of its files alone.
  assert.ok(mapped.includes(pathToFileURL(script).href), mapped.join("\n"));
  const kept = urlsOf(profiled("node", folder, script));
  assert.ok(kept.includes(pathToFileURL(script).href), kept.join("\n"));
});
