/** The scripts that start things: through any link, from any folder, with empty variables, and for the shells they are for. */
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { findProgram } from "../bench/machine/programs.ts";
import { inBareCheckout, run, starting, USAGE, WAITING, waitsForAnother } from "./bare-checkout.ts";
import { folderTest, inTemporaryFolder } from "./testing.ts";

const BENCH = join(PROJECT_ROOT, "bin", "bench");
const textOf = (script: string) => readFileSync(join(PROJECT_ROOT, script), "utf8");
const SCRIPTS = ["bin/bench", "bin/test", "bin/setup.sh", ".ci/run", "container/entry.sh", "action/gate.sh"];
/** Those that say that the old bash of macOS will do. */
const OLD = SCRIPTS.filter((script) => /[Bb]ash 3\.2 will do/.test(textOf(script)));

/** A name that a script must not take apart, come upon in what a shell would expand, or lose the end of. */
const ODD = "a  b $(exit 3) 'c' * \"d\"\n";

/** Asserts that a launcher became the driver of the checkout it belongs to. */
function assertStarts(
  file: string,
  cwd: string,
  env: Record<string, string | undefined> = {},
  args = ["--help"],
): void {
  const { status, stdout, stderr } = run(file, args, cwd, env);
  const what = JSON.stringify([file, cwd, env]);
  assert.equal(status, 0, `${what}: ${stderr}`);
  assert.match(stdout, USAGE, what);
  assert.equal(stderr, "", what);
}

folderTest("bin/bench starts through links of every kind, from every folder, whatever CDPATH says", (folder) => {
  const odd = join(folder, ODD);
  mkdirSync(odd);
  mkdirSync(join(folder, "bin"));
  symlinkSync(BENCH, join(folder, "absolute"));
  symlinkSync(relative(odd, BENCH), join(odd, "relative"));
  symlinkSync(join(ODD, "relative"), join(folder, "link to link"));
  symlinkSync("../link to link", join(odd, `third${ODD}`));
  symlinkSync(PROJECT_ROOT, join(folder, "checkout"));
  symlinkSync("../link to link", join(folder, "bin", "bench"));
  assertStarts("./absolute", folder);
  assertStarts("./relative", odd);
  assertStarts(join(odd, `third${ODD}`), "/", { CDPATH: `${folder}:/` });
  assertStarts("./checkout/bin/bench", folder, { CDPATH: `${folder}:/` });
  assertStarts("./bench", join(PROJECT_ROOT, "bin"));
  assertStarts("bench", folder, { PATH: `:${join(folder, "bin")}::${process.env["PATH"]}` });
  assertStarts("bash", join(PROJECT_ROOT, "bin"), {}, ["bench", "--help"]);
  assertStarts("sh", odd, {}, [join(odd, `third${ODD}`), "--help"]);
});

folderTest("bin/bench starts in a checkout of any name", (folder) => {
  // Node takes a star in the path of a package for the one of its `exports`, so no package is found there.
  const checkout = join(folder, ODD.replace("*", ""));
  const parts = ["bin", "bench", "servers", "stores", "suites", "deno.json", "package.json", "package-lock.json"];
  for (const part of parts) cpSync(join(PROJECT_ROOT, part), join(checkout, part), { recursive: true });
  symlinkSync(join(PROJECT_ROOT, "node_modules"), join(checkout, "node_modules"));
  for (const driver of ["deno", "node"]) {
    assertStarts(join(checkout, "bin", "bench"), folder, { LEVELFIELD_DRIVER: driver });
  }
});

test("help and what reads runs install neither runtimes nor suites' packages, and that once", async () => {
  await inBareCheckout(({ bench, calls }) => {
    const first = bench("--help");
    assert.equal(first.status, 0, first.stderr);
    assert.match(
      first.stderr,
      /^Installing what reads and shows runs \(once, about \d+ MB\); measuring installs the rest\n$/,
    );
    for (const args of [["list"], ["run", "--help"], ["report", "--help"], ["show", "--list"]]) {
      const { status, stderr } = bench(...args);
      assert.deepEqual([status, stderr], [0, ""], args.join(" "));
    }
    assert.equal(calls().length, 1);
    assert.match(calls()[0]!, /^install .*\bzod\b/);
    assert.doesNotMatch(calls()[0]!, /\b(deno|bun|koa|express|drizzle-orm)\b/);
  });
});

test("a start waits for another one that installs, and installs only what that one has not", async () => {
  for (const pair of WAITING.slice(0, 2)) await waitsForAnother(pair);
});

test("what a start left that was ended while it installed holds nobody up, whoever cleared away after it", async () => {
  await inBareCheckout(async (site) => {
    const gone = run("true", [], "/").pid;
    mkdirSync(join(site.checkout, ".data"));
    for (const name of ["installing", `installing.${gone}`]) {
      symlinkSync(String(gone), join(site.checkout, ".data", name));
    }
    writeFileSync(join(site.folder, "go"), "");
    for (const { code, stderr } of await Promise.all([1, 2, 3].map(() => starting(site, "reading").ended))) {
      assert.equal(code, 0, stderr);
    }
    assert.equal(site.calls().length, 1);
    assert.deepEqual(readdirSync(join(site.checkout, ".data")), []);
  });
});

test("all packages of another lock file are replaced by all packages, never by what reads runs", async () => {
  await inBareCheckout(({ checkout, bench, calls }) => {
    assert.equal(bench("--help").status, 0);
    for (const name of ["lock", "reading"]) {
      writeFileSync(join(checkout, "node_modules", `.levelfield-${name}`), "another");
    }
    const { status, stderr } = bench("--help");
    assert.equal(status, 0, stderr);
    assert.deepEqual(calls().map((line) => line.split(" ")[0]), ["install", "ci"]);
    assert.equal(existsSync(join(checkout, "node_modules", ".levelfield-reading")), false);
    assert.deepEqual(bench("--help").stderr, "");
  });
});

test("an empty variable is one that was not set", () => {
  const names = ["DRIVER", "TOOLS", "RESULTS", "DATA", "ENVIRONMENT", "GIT_COMMIT", "SQLITE", "IMAGE_DIGEST"];
  const empty = Object.fromEntries(names.map((name) => [`LEVELFIELD_${name}`, ""]));
  assertStarts(BENCH, "/", { ...empty, HOME: "", TMPDIR: "", CDPATH: "", XDG_CACHE_HOME: "", NO_COLOR: "" });
  assertStarts(BENCH, "/", { HOME: undefined, TMPDIR: undefined, USER: undefined, LANG: undefined, TERM: undefined });
  assert.equal(run(BENCH, ["--help"], "/", { LEVELFIELD_DRIVER: "perl" }).status, 2);
});

/** From `self` to `here`: how a script finds the checkout it belongs to. */
function finderOf(script: string): string[] {
  const lines = textOf(script).split("\n");
  const from = lines.findIndex((line) => line.startsWith("self="));
  return lines.slice(from, lines.findIndex((line, n) => n > from && line === "done") + 1);
}

test("the gate and its start in continuous integration find their checkout as bin/bench does", async () => {
  for (const script of ["bin/test", ".ci/run"]) assert.deepEqual(finderOf(script), finderOf("bin/bench"), script);
  const rest = (script: string) => /^case \$self in .*\nhere=.*\nhere=.*$/m.exec(textOf(script))?.[0];
  assert.ok(rest("bin/bench"));
  assert.equal(rest("bin/test"), rest("bin/bench"));
  await inTemporaryFolder((folder) => {
    const checkout = join(folder, ODD);
    mkdirSync(join(checkout, "bin"), { recursive: true });
    cpSync(join(PROJECT_ROOT, ".ci"), join(checkout, ".ci"), { recursive: true });
    // What the gate would be: here it is enough that it is found.
    symlinkSync(findProgram("true")!, join(checkout, "bin", "test"));
    symlinkSync(join(ODD, ".ci", "run"), join(folder, "run"));
    assert.equal(run("./run", [], folder, { CDPATH: "/" }).status, 0);
    assert.equal(run("bash", ["run"], join(checkout, ".ci")).status, 0);
  });
});

/** What bash 3.2 does not know, or does otherwise. */
const NEWER: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["mapfile", /\b(mapfile|readarray)\b/],
  ["wait -n", /\bwait -[fnp]/],
  ["associative arrays, references, global locals", /\b(declare|local|typeset) -[a-zA-Z]*[Ang]/],
  ["upper and lower case", /\$\{[^}]*(\^|,)+\}/],
  ["quoting by expansion", /\$\{[^}]*@[A-Za-z]\}/],
  ["arrays, which fail under set -u when they are empty", /\$\{!?\w+\[[@*]\]/],
  ["the last of an array", /\[-\d+\]/],
  ["|& and &>>", /\|&|&>>/],
  ["going on to the next case", /;;?&/],
  ["coproc", /\bcoproc\b/],
  ["[[ -v", /\[\[? -[vR] /],
  ["dates in printf, printf -v into arrays", /printf .*%\(|printf -v \w+\[/],
  ["globstar and lastpipe", /\b(globstar|lastpipe|inherit_errexit)\b/],
  ["variables that came later", /\$\{?(BASHPID|EPOCHSECONDS|EPOCHREALTIME|SRANDOM|BASH_ARGV0)\b/],
  ["fractions of seconds, read -N", /\bread .*-(N|t 0?\.)/],
  ["unicode escapes", /\$'[^']*\\[uU]/],
  ["descriptors chosen by the shell", /\{\w+\}[<>]/],
  ["fallthrough of CDPATH, substring from the end", /\$\{\w+:[^}]*:\s*-/],
];

/** A bash 3.2 that somebody has built or brought: LEVELFIELD_OLD_BASH is its path. */
const oldBash = process.env["LEVELFIELD_OLD_BASH"];
const oldTest = oldBash === undefined ? test.skip : test;

oldTest("bin/bench starts under bash 3.2 itself, where LEVELFIELD_OLD_BASH names one", async () => {
  assert.match(run(oldBash!, ["--version"], "/").stdout, /version 3\.2\./);
  await inTemporaryFolder((folder) => {
    const odd = join(folder, ODD);
    mkdirSync(odd);
    symlinkSync(oldBash!, join(odd, "bash"));
    symlinkSync(BENCH, join(odd, "link"));
    symlinkSync("link", join(odd, `second${ODD}`));
    const env = { PATH: `${odd}:${process.env["PATH"]}` };
    assertStarts(BENCH, "/", env);
    assertStarts("./link", odd, { ...env, CDPATH: "/" });
    assertStarts(join(odd, `second${ODD}`), "/", { ...env, HOME: "", TMPDIR: "", LEVELFIELD_DRIVER: "" });
    assertStarts("bash", odd, env, [`second${ODD}`, "--help"]);
    assert.equal(run(BENCH, ["--help"], "/", { ...env, LEVELFIELD_DRIVER: "perl" }).status, 2);
  });
});

const codeOf = (script: string) => textOf(script).split("\n").filter((line) => !/^\s*#/.test(line));
const newerIn = (lines: readonly string[]) =>
  lines.flatMap((line) => NEWER.flatMap(([what, pattern]) => pattern.test(line) ? `${what}: ${line.trim()}` : []));

test("the launcher, the gate and what they source use nothing that bash 3.2 does not know", () => {
  assert.deepEqual(OLD, ["bin/bench", "bin/test", "bin/setup.sh"]);
  for (const script of OLD) assert.deepEqual(newerIn(codeOf(script)), [], script);
});
