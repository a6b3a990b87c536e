/** A config from the folder to the plan, and `bench init`, which writes one. Nothing is measured. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { locateRuntime } from "../bench/runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { benchHere } from "./command-line.ts";
import { bench as start, DRIVERS, type Ended, type Site, siteTest } from "./run-bench.ts";

const APP = `import { Hono } from "hono";
const app = new Hono();
app.get("/hello", (c) => c.text("Hello"));
app.get("/items/:id", (c) => c.json({ id: c.req.param("id") }));
app.get("/now", (c) => c.text(String(performance.now())));
app.get("/none", (c) => c.text("no", 404));
export default app;
`;

const CONFIG = `import { connectionsAxis, defineConfig, defineSuite, expectReply } from "levelfield";
const check = { name: "hello", run: (target) => expectReply(target, { path: "/" }, { status: 200 }).then(() => 1) };
export default defineConfig({
  app: { one: "./app.ts", other: "./app.ts" },
  request: ["GET /hello", { path: "/items/{id}", weight: 3, draws: { id: { kind: "uniform", below: 9 } } }],
  at: { runtime: "bun" },
  rounds: 6,
  duration: "3s",
  presets: { night: { rounds: 9 } },
  suites: [defineSuite({
    name: "there",
    title: "runs already",
    axes: [connectionsAxis(5)],
    server: () => ({ kind: "running", url: "http://127.0.0.1:9" }),
    requests: ({ at }) => ({ pace: { closed: Number(at.connections) }, mix: [{ path: "/", expect: [200] }] }),
    oracle: () => ({ alive: check, checks: () => [check] }),
  })],
});
`;

/** A project with an app and no config, and the bench started in it. */
function makeProject(site: Site) {
  const folder = join(site.folder, "project");
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(join(PROJECT_ROOT, "node_modules", "hono"), join(folder, "node_modules", "hono"));
  writeFileSync(join(folder, "package.json"), '{"name":"shop","type":"module","dependencies":{"hono":"*"}}');
  writeFileSync(join(folder, "app.ts"), APP);
  const own = { ...site, folder };
  return {
    folder,
    bench: (args: readonly string[], env?: Record<string, string>): Promise<Ended> => benchHere(own, args, env),
    /** The same in a process of its own. */
    started: (args: readonly string[], env?: Record<string, string>): Promise<Ended> => start(own, args, env),
    config: join(folder, "levelfield.config.ts"),
  };
}

const roundsOf = ({ stdout, stderr }: Ended) => {
  assert.ok(stdout.startsWith("{"), stderr);
  const { rounds, duration_ms } = JSON.parse(stdout).plan;
  return [rounds, duration_ms];
};

siteTest("what is measured comes from the config on every driver, and preset and flags win over it", async (site) => {
  const { bench, started, config } = makeProject(site);
  writeFileSync(config, CONFIG);
  for (const driver of DRIVERS) {
    const ended = await started(["run", "--dry-run"], { LEVELFIELD_DRIVER: driver });
    assert.equal(ended.code, 0, ended.stderr);
    assert.match(ended.stdout, /^own: 2 cells in 6 rounds, /, driver);
    assert.match(ended.stdout, /^from levelfield\.config\.ts: app, request, rounds, duration, runtime$/m, driver);
    assert.equal(ended.stderr, "one on bun: answers\nother on bun: answers as one on bun does\n", driver);
  }
  const json = ["there", "--dry-run", "--json"];
  assert.deepEqual(roundsOf(await bench(["run", ...json])), [6, 3_000]);
  assert.deepEqual(roundsOf(await bench(["run", ...json, "--preset", "night"])), [9, 3_000]);
  assert.deepEqual(roundsOf(await bench(["run", ...json, "--preset", "night", "--rounds", "2"])), [2, 3_000]);
  assert.deepEqual(roundsOf(await bench(["run", "routes", "--dry-run", "--json", "--no-config"])), [14, 2_000]);
  const listed = await bench(["list", "--config", "levelfield.config.ts"]);
  assert.match(listed.stdout, /^ {2}own +one, other under 2 kinds of request\n {2}there +runs already\n/m);
});

siteTest("a plan made by a config is run again without it, and refused when its source has changed", async (site) => {
  const { bench, config, folder } = makeProject(site);
  writeFileSync(config, CONFIG);
  const plan = join(folder, "plan.json");
  writeFileSync(plan, (await bench(["run", "--dry-run", "--json"])).stdout);
  rmSync(config);
  const again = await bench(["run", "--plan", plan, "--dry-run", "--json"]);
  assert.equal(again.code, 0, again.stderr);
  assert.deepEqual(JSON.parse(again.stdout).plan, JSON.parse(readFileSync(plan, "utf8")).plan);

  writeFileSync(config, CONFIG);
  writeFileSync(plan, (await bench(["run", "there", "--dry-run", "--json"])).stdout);
  const same = await bench(["run", "--plan", plan, "--dry-run"]);
  assert.equal(same.code, 0, same.stderr);
  writeFileSync(config, CONFIG.replace("status: 200", "status: 204"));
  const changed = await bench(["run", "--plan", plan, "--dry-run"]);
  assert.equal(changed.code, 2);
  assert.match(changed.stderr, /suite "there" is not the planned one any more: its source has changed/);
});

siteTest("a config that is not right is one line with exit code 2, and help is there all the same", async (site) => {
  const cases: readonly [text: string, error: RegExp][] = [
    [CONFIG.replace("rounds: 6", "roundz: 6"), /: "roundz": there is no such key$/],
    ['throw new Error("no luck");', /levelfield\.config\.ts does not load: no luck$/],
  ];
  const projects = cases.map((_, n) => makeProject({ ...site, folder: join(site.folder, `case-${n}`) }));
  for (const [n, [text, error]] of cases.entries()) {
    const { bench, config } = projects[n]!;
    writeFileSync(config, text);
    const ended = await bench(["run", "--dry-run"]);
    assert.equal(ended.code, 2, ended.stderr);
    const [first, second, ...rest] = ended.stderr.trimEnd().split("\n");
    assert.match(first!, /^error: levelfield\.config\.ts/);
    assert.match(first!, error);
    assert.match(second!, /^ {2}try: ./);
    assert.deepEqual(rest, []);
  }
  const { bench } = projects.at(-1)!;
  assert.equal((await bench(["run", "--help"])).code, 0);
  assert.equal((await bench(["list"])).code, 0);
});

siteTest("bench init writes a config that runs once its requests are filled in, and nothing else", async (site) => {
  const { bench, started, config, folder } = makeProject(site);
  const before = readdirSync(folder);
  const ended = await started(["init"]);
  assert.equal(ended.code, 0, ended.stderr);
  assert.deepEqual(readdirSync(folder).sort(), [...before, "levelfield.config.ts"].sort());
  const written = readFileSync(config, "utf8");
  assert.match(written, /\n {2}app: \{ shop: "\.\/app\.ts" \},\n/);
  const again = await bench(["init"]);
  assert.equal(again.code, 2);
  assert.match(again.stderr, /"levelfield\.config\.ts" is there already/);
  assert.equal(readFileSync(config, "utf8"), written);
  const errorOf = async (...line: string[]) => (await bench(line)).stderr.replace(/^[^]*error: /, "");
  assert.match(await errorOf("run", "--dry-run"), /^GET \/ on shop .*status 404.*\n {2}try: --request "GET \/PATH"/);
  // Other faults are named before that.
  assert.match(await errorOf("run", "--rouns", "3"), /^unknown option "--rouns"/);
  assert.match(await errorOf("run", "--app", "./none.ts"), /^--app: there is no file "\.\/none\.ts"/);
  assert.match(await errorOf("gate", "--base", "nosuch"), /is in no git repository/);
  // A config that was read once is not read again.
  writeFileSync(join(folder, "filled.config.ts"), written.replace('"GET /"', '"GET /hello"'));
  const run = await bench(["run", "--config", "filled.config.ts", "--dry-run"]);
  assert.equal(run.code, 0, run.stderr);
  // In so many rounds, or as few to as many: a busy machine may have its servers measured each alone.
  assert.match(run.stdout, /^own: 3 cells in \d+ /);
});

siteTest("bench init starts nothing, and takes the likeliest server of several", async (site) => {
  const { bench, folder } = makeProject(site);
  const mark = (name: string) => `import { writeFileSync } from "node:fs";\nwriteFileSync("${name}.started", "");\n`;
  writeFileSync(join(folder, "app.ts"), `${mark("app")}${APP}`);
  writeFileSync(join(folder, "web.mjs"), `${mark("web")}import "node:http";\n`);
  const scripts = { start: "node web.mjs", prestart: "node web.mjs" };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "my-shop", type: "module", scripts }));
  // A command by its name would say so, too.
  const programs = join(site.folder, "programs");
  mkdirSync(programs);
  for (const name of ["node", "deno", "bun", "npm"]) {
    writeFileSync(join(programs, name), `#!/bin/sh\n: >"${folder}/${name}.started"\nexit 1\n`, { mode: 0o755 });
  }
  const before = readdirSync(folder);
  const { code, stdout, stderr } = await bench(["init", "--dry-run"], { PATH: `${programs}:${process.env["PATH"]}` });
  assert.equal(code, 0, stderr);
  assert.deepEqual(readdirSync(folder), before);
  assert.match(stderr, /^takes the app \.\/app\.ts: app\.ts has a default export$/m);
  assert.match(stderr, /^leaves out the program \.\/web\.mjs: package\.json starts it with "node web\.mjs"$/m);
  assert.match(stdout, /app: \{ "my-shop": "\.\/app\.ts" \}/);
});

siteTest("bench init names programs and commands as they are started, and says what to do without", async (site) => {
  const { bench, folder } = makeProject(site);
  rmSync(join(folder, "app.ts"));
  const none = await bench(["init"]);
  assert.equal(none.code, 2);
  assert.match(none.stderr, /^error: there is no app here: .*\n {2}try: bench run --app/m);
  const written = async (start: string) => {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts: { start } }));
    return (await bench(["init", "--dry-run"])).stdout;
  };
  const node = locateRuntime("node").file;
  writeFileSync(join(folder, "web.cjs"), "");
  assert.match(await written("node web.cjs --fast"), /program: \{ server: "\.\/web\.cjs --fast" \}/);
  assert.match(await written(`${node} web.cjs`), /command: \{ server: ".*node web\.cjs" \}/);
});
