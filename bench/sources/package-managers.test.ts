import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { folderTest } from "../../tests/testing.ts";
import { ownerTag } from "../machine/owner.ts";
import { markedProcesses } from "../machine/server-processes.ts";
import { foldersUpTo, installationOf, isInstalled } from "./package-managers.ts";
import { lastWords, runInstall } from "./run-install.ts";

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const WANTS = JSON.stringify({ dependencies: { hono: "4.0.0" } });

folderTest("the nearest lock file at or above the packages that are asked for says how they are installed", (root) => {
  const found = () => installationOf(root, foldersUpTo(root, join(root, "apps", "web")));
  write(root, { "apps/web/package.json": "{}", "package-lock.json": "{}", "package.json": "{}" });
  assert.equal(found(), null, "nothing is asked for");
  write(root, { "apps/web/package.json": WANTS });
  const npm = found();
  assert.ok(npm !== null && npm !== "unlocked");
  assert.deepEqual([npm.folder, npm.lock], ["", "package-lock.json"]);
  assert.match(npm.line, /^npm ci --prefer-offline/);
  rmSync(join(root, "package-lock.json"));
  assert.equal(found(), "unlocked");
  for (
    const [name, text, line] of [
      ["pnpm-lock.yaml", "", /^pnpm install --frozen-lockfile --prefer-offline$/],
      ["yarn.lock", "# yarn lockfile v1", /^yarn install --frozen-lockfile --prefer-offline$/],
      ["yarn.lock", "__metadata:\n", /^yarn install --immutable$/],
      ["bun.lock", "{}", /bun\S* install --frozen-lockfile$/],
      ["deno.lock", "{}", /deno\S* install --frozen$/],
    ] as const
  ) {
    write(root, { [`apps/web/${name}`]: text });
    const one = found();
    assert.ok(one !== null && one !== "unlocked", name);
    assert.deepEqual([one.folder, line.test(one.line)], ["apps/web", true], one.line);
    rmSync(join(root, "apps", "web", name));
  }
});

folderTest("installed packages are a lock file's if npm's own copy of it says so, needless ones aside", (root) => {
  const hono = { version: "4.0.0", integrity: "sha512-a" };
  const lockOf = (packages: object) => JSON.stringify({ packages: { "": {}, ...packages } });
  const of = (wanted: object, there: object) => {
    write(root, { "package-lock.json": lockOf(wanted), "node_modules/.package-lock.json": lockOf(there) });
    return isInstalled(root, { folder: "", lock: "package-lock.json", line: "" });
  };
  const [name, dev] = ["node_modules/hono", "node_modules/tsx"];
  assert.equal(of({ [name]: hono }, { [name]: hono }), true);
  assert.equal(of({ [name]: hono }, { [name]: { ...hono, version: "4.0.1" } }), false);
  assert.equal(of({ [name]: hono }, { [name]: { ...hono, integrity: "sha512-b" } }), false);
  assert.equal(of({ [name]: hono }, {}), false);
  assert.equal(of({}, { [name]: hono }), false);
  assert.equal(of({ [name]: hono, [dev]: { version: "1.0.0", dev: true } }, { [name]: hono }), true);
  rmSync(join(root, "node_modules"), { recursive: true });
  assert.equal(isInstalled(root, { folder: "", lock: "package-lock.json", line: "" }), false);
});

folderTest("an installation that fails is named with its last words; one too long is ended", async (root) => {
  const run = (line: string, timeoutMs?: number) =>
    runInstall({ line, at: root, tree: root, root, where: "the work tree" }, timeoutMs);
  await run('test "$LEVELFIELD_WORK_TREE" = "$PWD"');
  await assert.rejects(
    run("echo one; echo no compiler >&2; exit 3"),
    /"echo one.*failed in the work tree: no compiler$/,
  );
  // The inner one is in a session of its own, and holds the output open.
  await assert.rejects(run("setsid sh -c 'sleep 100; true' & sleep 100; true", 1_500), /it took more than/);
  assert.deepEqual(markedProcesses(`install-${ownerTag()}`), [], "nothing of it runs any more");
  const npm = ["npm error code EUSAGE", "npm error", "npm error `npm ci` can only install packages when …"];
  assert.equal(lastWords([...npm, "npm error Missing: a", "npm error aliases: ic"].join("\n")), npm[2]);
  assert.equal(
    lastWords("npm error sh: tsc: not found\nnpm error A complete log of this run\n"),
    "npm error sh: tsc: not found",
  );
});
