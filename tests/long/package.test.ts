/** The package as a stranger gets it: packed, installed into an empty project, imported, and run. */
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { MAIN } from "../../bench/record/cell.ts";
import { findProgram } from "../../bench/machine/programs.ts";
import { locateRuntime, SCRIPT_ARGS } from "../../bench/runtimes/runtimes.ts";
import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import { ranToEnd } from "../testing.ts";
import { bench, onSite, pathWith, shortened, type Site, toolTest } from "../run-bench.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MODULES = join(ROOT, "node_modules");

/** A project that has nothing but Levelfield. */
interface Project extends Site {
  readonly bin: string;
  readonly installed: string;
}

/** Packs the checkout and installs it. The registry is never asked: npm has what it needs in its cache, or it is linked. */
async function installed(site: Site): Promise<Project> {
  const packed = await ranToEnd(join(ROOT, "bin", "pack"), [site.folder], ROOT);
  assert.equal(packed.code, 0, packed.stderr);
  const tarball = packed.stdout.trim();
  assert.ok(existsSync(tarball), packed.stdout);
  const folder = join(site.folder, "project");
  const modules = join(folder, "node_modules");
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "a-project", private: true, type: "module" }));
  const args = ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", tarball];
  const npm = await ranToEnd("npm", args, folder);
  if (npm.code !== 0) {
    assert.match(npm.stderr, /ENOTCACHED/, npm.stderr);
    process.stderr.write(
      "npm's cache lacks packages: the package is unpacked and the checkout's packages are linked\n",
    );
    await linkByHand(tarball, modules);
  }
  return { ...site, folder, bin: join(modules, ".bin"), installed: join(modules, "levelfield") };
}

/** What npm does, without npm: the package's files, its programs, and each package it depends on as a link. */
async function linkByHand(tarball: string, modules: string): Promise<void> {
  const own = join(modules, "levelfield");
  mkdirSync(own, { recursive: true });
  mkdirSync(join(modules, ".bin"), { recursive: true });
  const tar = await ranToEnd("tar", ["-xzf", tarball, "-C", own, "--strip-components=1"]);
  assert.equal(tar.code, 0, tar.stderr);
  const { bin } = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
  for (const [name, path] of Object.entries<string>(bin)) {
    symlinkSync(join("..", "levelfield", path), join(modules, ".bin", name));
  }
  const { triedWith } = JSON.parse(readFileSync(join(own, "package.json"), "utf8"));
  for (const name of packagesIn(MODULES).filter((each) => triedWith[each] === undefined)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(MODULES, name), join(modules, name));
  }
}

/** The packages of a folder, those of a scope by their whole names. */
const packagesIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => !name.startsWith(".")).flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(folder, name)).map((own) => `${name}/${own}`) : [name]
  );

/** Puts a runtime where `npm install node`, say, would put it. */
function addRuntime({ bin }: Project, name: (typeof RUNTIME_NAMES)[number]): void {
  if (!existsSync(join(bin, name))) symlinkSync(locateRuntime(name).file, join(bin, name));
}

const environment = (project: Project, path = process.env["PATH"]!) => ({
  PATH: [project.bin, path].join(delimiter),
  LEVELFIELD_RESULTS: undefined,
  LEVELFIELD_TOOLS: undefined,
});

const npmTest = findProgram("npm") !== undefined && findProgram("npx") !== undefined ? toolTest : test.skip;

npmTest("the packed package imports on all runtimes, runs from npx, and names a runtime that is missing", async () => {
  await onSite(async (site) => {
    const project = await installed(site);
    holdsNoSource(project);
    addRuntime(project, "node");

    const { folder } = project;
    const without = pathWith(site, "wrk", "setpriv", "setsid", "nice", "git");
    const cache = join(site.folder, "cache");
    const alone = (...args: string[]) =>
      bench(
        { ...project, results: join(folder, "none"), data: cache },
        args,
        environment(project, without),
        join(project.bin, "levelfield"),
      );
    for (const args of [["list"], ["--version"], ["run", "routes", "--runtime", "deno", "--dry-run"]]) {
      const { code, stdout, stderr } = await alone(...args);
      assert.equal(code, 0, stderr);
      assert.doesNotMatch(stderr, /Fetching/);
      assert.match(stdout, /deno +(not installed|runtime "deno" is not installed: the first run fetches 2|2\.\d)/);
    }
    const { stdout: frameworks } = await alone("list", "frameworks");
    assert.match(frameworks, /"koa".*it is not installed: npm install levelfield koa@\d\S+ @koa\/router@\d/);
    const missing = await alone("run", "routes", "--runtime", "deno");
    assert.equal(missing.code, 1, missing.stdout);
    assert.match(
      missing.stderr,
      /^Fetching Deno (\S+): about \d+ MB, once, into .*\nerror: deno \1 could not be fetched: .*npm.*\n {2}try: .*deno=/m,
    );

    writeFileSync(join(folder, "use.mjs"), USE);
    for (const name of RUNTIME_NAMES) {
      addRuntime(project, name);
      const ended = await ranToEnd(join(project.bin, name), [...SCRIPT_ARGS[name], "use.mjs"], folder);
      assert.deepEqual([ended.code, ended.stdout.trim()], [0, "2 bounded 50"], `${name}: ${ended.stderr}`);
    }

    await configIsRead(project);
    await typesAreThere(project);

    const npx = (...args: string[]) =>
      bench(project, ["--no-install", ...args], environment(project), findProgram("npx"));
    const versions = await npx("levelfield", "--version");
    assert.match(versions.stdout, /^node +\S+ \(from node_modules\)$/m, versions.stderr);
    const { code, stderr } = await npx("levelfield", "self");
    assert.equal(code, 2);
    assert.match(stderr, /^error: unknown command "self"$/m);

    const run = ["run", "routes", "--route", "health", "--rounds", "1", "--duration", "1s", "--warmup", "1s"];
    const planned = await npx("levelfield", ...run, "--alone", "--dry-run", "--json");
    assert.equal(planned.code, 0, planned.stderr);
    const file = shortened(project, JSON.parse(planned.stdout), ({ label }) => label === MAIN);
    const ended = await npx("levelfield", "run", "--plan", file, "--json");
    assert.ok(ended.code === 0 || ended.code === 3, ended.stderr);
    const { run: record, cells } = JSON.parse(ended.stdout);
    assert.equal(record.levelfield.version, JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version);
    const runtimes = cells.map(({ cell }: { cell: { point: { at: { runtime: string } } } }) => cell.point.at.runtime);
    assert.deepEqual([...new Set(runtimes)].sort(), [...RUNTIME_NAMES].sort());
    for (const { name, reasons, status } of cells) {
      assert.ok(status !== "failed", `${name}: ${JSON.stringify(reasons)}`);
    }
    assert.deepEqual(
      readdirSync(join(folder, "levelfield-results")),
      [record.run],
      "in the project's folder, not in the package",
    );
    const verified = await npx("levelfield", "verify");
    assert.equal(verified.code, 0, verified.stdout + verified.stderr);
    const page = await npx("levelfield", "report");
    assert.equal(page.code, 0, page.stderr);
    assert.match(readFileSync(join(folder, "levelfield-results", record.run, "report.html"), "utf8"), /<\/html>/);
    assert.ok(!existsSync(join(project.installed, ".data")) && !existsSync(join(project.installed, "results")));
  });
});

/** A program that uses the package: a suite's plan needs its modules, a median none of the machine. */
const USE = `
import { plan } from "levelfield";
import { medianInterval } from "levelfield/statistics";
const { cells, axes } = await plan("routes", { at: { runtime: ["node"], route: ["health", "bare"] }, rounds: 1, alone: true });
const seen = new Set(cells.map(({ point }) => point.at.route));
console.log(seen.size, medianInterval([1, 2, 3, 4, 5, 6]).kind, axes.find(({ name }) => name === "connections").values[0].value);
`;

/** A config that imports the package is read by the package itself, on whichever runtime it runs. */
async function configIsRead({ folder, bin }: Project): Promise<void> {
  const config = join(folder, "levelfield.config.ts");
  const text = `import { defineConfig, type Config } from "levelfield";
export default defineConfig({ command: "a-program {port}", request: "GET /a" } satisfies Config);
`;
  writeFileSync(config, text);
  for (const name of RUNTIME_NAMES) {
    const args = [...SCRIPT_ARGS[name], realpathSync(join(bin, "levelfield")), "list", "--config", config, "--json"];
    const { code, stdout, stderr } = await ranToEnd(join(bin, name), args, folder);
    assert.equal(code, 0, `${name}: ${stderr}`);
    assert.equal(JSON.parse(stdout).suites[0].title, "a-program under GET /a", name);
  }
  // What follows is measured without.
  rmSync(config);
}

/** A program's own compiler finds the types, and they are no `any`. */
async function typesAreThere({ folder }: Project): Promise<void> {
  const code = `import { defineConfig, plan, run } from "levelfield";
import { median } from "levelfield/statistics";
export const half: number = median([1, 2]);
for await (const event of run(await plan("routes"))) if (event.kind === "ended") event.result.run.state satisfies string;
// @ts-expect-error: a plan is of a suite
await plan(1);
defineConfig({ rounds: 3 });
// @ts-expect-error: rounds are counted
defineConfig({ rounds: "three" });
`;
  writeFileSync(join(folder, "typed.ts"), code);
  const options = { module: "nodenext", strict: true, noEmit: true, skipLibCheck: true, lib: ["esnext", "dom"] };
  const types = { typeRoots: [join(MODULES, "@types")], types: ["node"] };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...options, ...types }, files: ["typed.ts"] }),
  );
  const tsc = await ranToEnd(join(MODULES, ".bin", "tsc"), ["-p", folder, "--singleThreaded"], folder);
  assert.equal(tsc.code, 0, tsc.stdout + tsc.stderr);
}

/** No TypeScript but declarations, no test, and nothing that names what is not there. */
function holdsNoSource({ installed: folder }: Project): void {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  assert.ok(files.length > 400, `only ${files.length} files`);
  assert.deepEqual(files.filter((file) => /\.ts$/.test(file) && !/\.d\.ts$/.test(file)), []);
  assert.deepEqual(files.filter((file) => /\.test\.|golden|^lab\b/.test(file)), []);
  for (const file of files.filter((name) => name.endsWith(".js"))) {
    const text = readFileSync(join(folder, file), "utf8");
    for (const [, name] of text.matchAll(/^(?:import|export)\b[^"\n]*"(\.{1,2}\/[^"]+)";$/gm)) {
      assert.ok(existsSync(join(folder, dirname(file), name!)), `${file} imports ${name}`);
    }
  }
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  for (const name of [...RUNTIME_NAMES, "express", "koa", "drizzle-orm", "dejavu-fonts-ttf"]) {
    assert.equal(manifest.dependencies[name], undefined);
    assert.match(manifest.triedWith[name], /^\d+\./, name);
  }
  for (const runtime of RUNTIME_NAMES) {
    assert.deepEqual(manifest.peerDependenciesMeta[runtime], { optional: true });
  }
  assert.equal(manifest.private, undefined);
}
