import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { inTemporaryFolder, ranToEnd } from "../../tests/testing.ts";
import { settingsLacking } from "./lend-packages.ts";
import { foreignFile } from "./foreign-files.ts";
import { openedIn } from "../engine/opened-files.ts";
import { packageMaker } from "./package-makers.ts";
import { pathsWithin, whyNotShared } from "./shared-paths.ts";

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** The path that makes packages differ in a project with these scripts; null without one. */
function makerOf(folder: string, scripts: object, changed: readonly string[], opened?: ReadonlySet<string>) {
  const [root, other] = [join(folder, "a"), join(folder, "b")];
  for (const tree of [root, other]) write(tree, { "package.json": JSON.stringify({ scripts }) });
  return packageMaker({ root, other, changed, ...(opened && { opened }) }, ["src", ""])?.path ?? null;
}

test("patches, schemas, settings of package managers and what an install script names make other packages", () =>
  inTemporaryFolder((folder) => {
    for (
      const [changed, scripts] of [
        ["patches/slug.js", {}],
        ["patches/hono+4.0.0.patch", { postinstall: "patch-package" }],
        ["prisma/schema.prisma", { postinstall: "prisma generate" }],
        [".npmrc", {}],
        ["pnpm-workspace.yaml", {}],
        ["vendor/slug/index.js", { postinstall: "cp -r ./vendor/slug node_modules/" }],
        ["scripts/data.json", { prepare: "npm run -s patch", patch: "node scripts/patch.mjs" }],
      ] as const
    ) {
      assert.equal(makerOf(folder, scripts, ["README.md", changed]), changed);
    }
  }));

test("sources, documents and projects whose scripts set up hooks alone want the same packages", () =>
  inTemporaryFolder((folder) => {
    const changed = ["README.md", "src/app.js", "src/patches/list.js", "test/a.test.js"];
    assert.equal(makerOf(folder, {}, changed), null);
    assert.equal(makerOf(folder, { prepare: "husky", postinstall: "patch-package" }, changed, new Set(["a"])), null);
    const script = { postinstall: "node scripts/patch.mjs" };
    assert.equal(
      makerOf(folder, script, changed),
      null,
      "what it reads is unknown where nobody saw what the server opens",
    );
    const opened = new Set(["src/app.js", "src/patches/list.js"]);
    assert.equal(makerOf(folder, script, changed, opened), null, "each revision opens its own");
    assert.equal(makerOf(folder, script, [...changed, "overlay/slug.js"], opened), "overlay/slug.js");
  }));

test("what package.json says of installing makes other packages, and its other lines do not", () =>
  inTemporaryFolder((folder) => {
    const [root, other] = [join(folder, "a"), join(folder, "b")];
    const maker = (a: object, b: object) => {
      write(root, { "package.json": JSON.stringify(a) });
      write(other, { "package.json": JSON.stringify(b) });
      return packageMaker({ root, other, changed: ["package.json"] }, [""])?.path ?? null;
    };
    assert.equal(maker({ version: "1", scripts: { test: "a" } }, { version: "2", scripts: { test: "b" } }), null);
    assert.equal(maker({ scripts: { postinstall: "a" } }, {}), "package.json");
    assert.equal(maker({ patchedDependencies: { a: "b" } }, {}), "package.json");
  }));

test("a path of the work tree in a variable is shared only where it is the same for both revisions", () =>
  inTemporaryFolder((root) => {
    write(root, { "data/rows.json": "[]", "dist/app.js": "", "config.json": "{}", "node_modules/a/index.js": "" });
    assert.deepEqual(pathsWithin(root, `--require=${root}/config.json ${root}/gone ${root}x ./data`), ["config.json"]);
    assert.deepEqual(pathsWithin(root, `${root}/data/`), ["data"]);
    const why = (path: string, isIgnored = false) =>
      whyNotShared(root, path, { changed: ["config.json", "data/rows.json"], isIgnored });
    assert.equal(why("config.json"), "has changed");
    assert.equal(why("data"), "has changed in data/rows.json");
    assert.match(why("dist", true)!, /a build may make/);
    assert.deepEqual([why("node_modules/a"), why("dist")], [null, null]);
  }));

test("files that git ignores and the base has not are named, and so is what the base reads of the work tree", () =>
  inTemporaryFolder(async (folder) => {
    const [root, base] = [join(folder, "a"), join(folder, "b")];
    write(root, { ".gitignore": "local.json\n*.db\nnode_modules\n", "local.json": "{}", "rows.db": "", "app.js": "" });
    write(base, { "app.js": "", "made.db": "" });
    assert.equal((await ranToEnd("git", ["-C", root, "init", "-q"])).code, 0);
    const named = async (ofBase: readonly string[], ofYours: readonly string[]) => {
      const written = { root, folder: base, changed: ["app.js", "new.js"] };
      const found = await foreignFile(written, new Set(ofBase), new Set(ofYours));
      return found && [found.kind, found.path];
    };
    const of = (...names: readonly string[]) => names.map((name) => join(root, name));
    assert.deepEqual(await named([], of("app.js", "local.json")), ["base-lacks", "local.json"]);
    assert.equal(await named([], of("app.js", "new.js", "made.db", "node_modules/a/index.js")), null);
    assert.equal(await named([], ["/etc/hosts", `${root}-other/local.json`]), null);
    assert.deepEqual(await named(of("app.js"), []), ["base-reads-yours", "app.js"]);
    assert.equal(await named([...of("node_modules/a/index.js", "rows.db"), join(base, "app.js")], []), null);
  }));

test("files that opened are read from a trace by their true paths, and calls that failed have none", () => {
  const trace = `12  openat(AT_FDCWD</a>, "./b.json", O_RDONLY|O_CLOEXEC) = 21</a/true/b.json>
12  openat(AT_FDCWD</a>, "c.json", O_RDONLY) = -1 ENOENT (No such file or directory)
13  openat(AT_FDCWD</a>, "/dev/null", O_RDONLY <unfinished ...>
13  <... openat resumed>) = 4</dev/null>
`;
  assert.deepEqual([...openedIn(trace)], ["/a/true/b.json", "/dev/null"]);
});

test("settings that a tree lacks are those of the app's folders, and of no other name", () =>
  inTemporaryFolder((folder) => {
    const [root, other] = [join(folder, "a"), join(folder, "b")];
    write(root, { ".env": "A=1", "api/.env.local": "B=1", "api/.environment": "", "web/.env": "" });
    write(other, { "api/app.js": "", "web/app.js": "" });
    assert.deepEqual(settingsLacking(root, other, ["api", ""]), ["api/.env.local", ".env"]);
    symlinkSync(join(root, ".env"), join(other, ".env"));
    assert.deepEqual(settingsLacking(root, other, [""]), []);
  }));
