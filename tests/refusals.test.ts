/** What cannot be done is refused in one line with the next thing to try, before anything is measured. */
import assert from "node:assert/strict";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { locateRuntime } from "../bench/runtimes/runtimes.ts";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { benchHere, commandLine } from "./command-line.ts";
import { type Ended, onSite, pathWith, runsIn, siteTest, toolTest } from "./run-bench.ts";

const RUN = ["run", "--runtime", "node", "--store", "map", "--size", "1k", "--rounds", "1", "--duration", "1s"];

/** One line of error, one of what to try, and nothing else that looks like a report. */
function assertRefused(ended: Omit<Ended, "signal">, code: number, error: RegExp, hint: RegExp, what: string): void {
  assert.equal(ended.code, code, `${what}: ${ended.stderr}`);
  assert.equal(ended.stdout, "", what);
  const lines = ended.stderr.trimEnd().split("\n");
  const at = lines.findIndex((line) => line.startsWith("error: "));
  assert.ok(at >= 0 && at === lines.length - 2, `${what}: ${ended.stderr}`);
  assert.match(lines[at]!, error, what);
  assert.match(lines[at + 1]!, /^ {2}try: ./, what);
  assert.match(lines[at + 1]!, hint, what);
}

/** One line of each kind of refusal; values of axes, options and requests are refused beside the code that reads them. */
const USAGE: [line: string[], error: RegExp, hint: RegExp][] = [
  [["run", "--size", "0"], /suite "users": axis "size" has no value "0"$/, /--size: .*10k, 100k, 1m/],
  [
    ["run", "--store", "map", "--engine", "node", "--runtime", "bun", "--size", "10k"],
    /suite "users" cannot be measured at runtime "bun", store "map", size "10k", engine "node": it has no SQLite engine/,
    /bench list users/,
  ],
  [["run", "users", "--preset", "hull"], /suite "users" has no preset "hull"/, /its presets are tutorial/],
  [["run", "--warmup-loads", "3"], /--warmup-loads "3" counts loads of --warmup/, /--warmup 1s --warmup-loads 3/],
  [["run", "--schedule", "poisson"], /--schedule "poisson" is of rates/, /--rate 1000 --schedule poisson/],
  [["run", "--schedule", "even"], /--schedule "even" is none of fixed, poisson/, /poisson/],
  [["run", "--plan", "none.json"], /cannot read plan "none\.json": ENOENT/, /--dry-run --json/],
  [
    ["run", "--plan", "none.json", "--store", "map"],
    /--plan measures the file's own plan, so --store/,
    /bench run --plan none/,
  ],
  [["run", "./none.ts"], /there is no suite file "\.\/none\.ts"/, /bench list/],
  [["run", "--pair", "node/10k", "bun/1m"], /cannot be compared on one core: .*10k, 1m/, /bench run/],
  [["run", "--pair", "node"], /--pair needs two cells/, /--help/],
  [
    ["reproduce", "reference", "--with", "reference", "--server-host", "ssh box1"],
    /--with measures nothing, so --server-host has no meaning/,
    /leave one of them out/,
  ],
  [["reproduce", "no-such-run"], /there is no run "no-such-run"/, /./],
  [["run", "toString"], /unknown suite "toString"/, /users/],
  [["run", "--duration", "3"], /--duration "3" is no duration of whole seconds/, /3s/],
  [["run", "--seed", "4294967296"], /--seed "4294967296"/, /digits/],
  [["run", "--rounds", "1__0"], /--rounds "1__0"/, /digits/],
  [["run", "--label", "AA"], /--label "AA"/, /./],
  [["report", "--readme", "--format", "csv"], /--readme and --format exclude each other/, /one of them/],
  [["show", "../../etc"], /there is no run/, /./],
  [["report", "--card", "--readme"], /--readme and --card exclude each other/, /one of them/],
  [["compare", "a", "b", "--json", "--markdown"], /exclude each other/, /one of them/],
  [["compare", "a", "b", "--all"], /--all belongs to runs in order of time/, /three runs/],
  [["compare", "a", "b", "c", "--fail-on", "5%"], /--fail-on belongs to two runs/, /compare RUN RUN --fail-on 5%/],
  [["compare", "a"], /compare needs two runs/, /RUN@main RUN@label/],
  [["compare", "--results", import.meta.dirname], /there is no run in "/, /bench run/],
  [["show", "--list", "a"], /--list shows all runs, so "a" cannot be given/, /bench show --list/],
  [["run", "--prepare", "--dry-run"], /--prepare and --dry-run exclude each other/, /one of them/],
  [["run", "--quick", "--thorough"], /exclude each other/, /one of them/],
  [["serve", "--port", "70000"], /--port "70000"/, /digits/],
  [
    ["run", "--pair", "users", "bun/map", "deno/map", "--generator", "h2load"],
    /a duet loads two servers at once, and h2load loads one/,
    /bench run/,
  ],
  [
    ["run", "users", "--workload", "write", "--generator", "h2load"],
    /"serial" must never come twice/,
    /bench list users/,
  ],
  [["latency", "--slo", "p42<1ms"], /--slo "p42<1ms" is no limit/, /p99<10ms/],
  [["run", "--server-host", "'no end"], /--server-host "'no end" is no command$/, /./],
  [["run", "--server-address", "192.0.2.1"], /the servers' host has no address "192\.0\.2\.1"$/, /./],
];

siteTest("what the command line cannot mean is refused with exit code 2", async (site) => {
  for (const [line, error, hint] of USAGE) {
    assertRefused(await commandLine(line, site.results), 2, error, hint, `bench ${line.join(" ")}`);
  }
  assert.deepEqual(runsIn(site), []);
});

siteTest("a refusal shows each unseen sign by its number, counts blanks and is cut", async (site) => {
  const refused = async (name: string) => {
    const { code, stderr } = await commandLine(["show", name], site.results, 80);
    assert.equal(code, 2);
    return stderr.split("\n  try: ")[0]!.replaceAll(/\s+/g, " ");
  };
  assert.match(await refused("a\u202e\u200bb\u001b[2J"), /no run "a\\u\{202e\}\\u\{200b\}b\\u\{1b\}\[2J" in /);
  assert.match(await refused(`a${" ".repeat(9_000)}b`), /no run "a\\u\{20\}×9000b" in /);
  const verbose = await commandLine(["show", "a\u202e\u009b2J", "--verbose"], site.results, 80);
  assert.match(verbose.stderr, /^ +at /m);
  assert.doesNotMatch(verbose.stderr, /(?!\n)[\p{Cc}\u202e]/u);
  const long = await refused("a ".repeat(50_000));
  assert.match(long, / … \d+ characters not shown … /);
  assert.ok(long.length < 2_000);
});

siteTest("bench run that names nothing in a folder with a project says how the app there is measured", async (site) => {
  const hinted = async (...line: string[]) => {
    const { code, stderr } = await benchHere(site, [...line, "--dry-run"]);
    assert.equal(code, 0, stderr);
    return /^measuring this tool's suite users; .* bench init, or with --app/m.test(stderr);
  };
  assert.equal(await hinted("run"), false);
  writeFileSync(join(site.folder, "package.json"), "{}");
  assert.deepEqual([await hinted("run"), await hinted("run", "--runtime", "node")], [true, true]);
  assert.deepEqual([await hinted("run", "users"), await hinted("run", "--size", "10k")], [false, false]);
});

siteTest("bench run that names nothing is quick and says so; what takes long needs a yes", async (site) => {
  const profileOf = async (...line: string[]) => {
    const { code, stdout, stderr } = await commandLine([...line, "--dry-run"], site.results);
    assert.equal(code, 0, stderr);
    return [/profile (\w+)/.exec(stdout)![1], /^taking --quick/m.test(stderr)];
  };
  assert.deepEqual(await profileOf("run"), ["quick", true]);
  for (
    const line of [["all"], ["all", "users"], ["run", "users"], ["run", "--size", "10k"], ["run", "--rounds", "5"]]
  ) {
    assert.deepEqual(await profileOf(...line), ["default", false], line.join(" "));
  }
  assert.deepEqual(await profileOf("all", "--quick"), ["quick", false]);
  assertRefused(
    await commandLine(["run", "users", "--rounds", "500"], site.results),
    2,
    /^error: this takes about [\dhms ]+ and needs --yes to begin$/,
    /--quick/,
    "a run of hours",
  );
  assert.deepEqual(runsIn(site), []);
});

siteTest("a suite file that is not right is refused with exit code 2, naming file and part", async (site) => {
  const good = readFileSync(join(PROJECT_ROOT, "tests", "fixtures", "odd-suite.ts"), "utf8")
    .replaceAll(/from "\.\.\/\.\.\//g, `from "${PROJECT_ROOT}`);
  const file = (name: string, text: string) => {
    writeFileSync(join(site.folder, name), text);
    return ["run", `./${name}`, "--dry-run"];
  };
  const right = await benchHere(site, file("right.ts", good));
  assert.equal(right.code, 0, right.stderr);
  const wrong: [line: string[], error: RegExp, hint: RegExp][] = [
    [
      file("part.ts", good.replace("  oracle:", "  oracel:")),
      /suite file "\.\/part\.ts": "oracle" is missing or no function/,
      /bench list \.\/part\.ts/,
    ],
    [
      file("clash.ts", good.replace('name: "mood?"', 'name: "rounds"')),
      /suite "odd": axis "rounds" would be --rounds, which is an option of bench/,
      /another name/,
    ],
    [
      [...file("point.ts", good), "--way-how", 'x y, "z" <b>', "--items-page", "100"],
      /suite "odd" cannot be measured at way \/ how "x y, .*", engine room "bun", items \/ page "100": <too> long/,
      /bench list point\.ts/,
    ],
  ];
  for (const [line, error, hint] of wrong) assertRefused(await benchHere(site, line), 2, error, hint, line.join(" "));
  assert.deepEqual(runsIn(site), []);
});

siteTest("an app that throws when it is opened is named with its point, and is no usage error", async (site) => {
  const suite = join(PROJECT_ROOT, "tests", "fixtures", "odd-suite.ts");
  const text = readFileSync(suite, "utf8").replaceAll(/from "\.\.\/\.\.\//g, `from "${PROJECT_ROOT}`)
    .replace("const page = pageOf(", 'throw new Error("no page today");\n  const page = pageOf(');
  writeFileSync(join(site.folder, "broken.ts"), text);
  const ended = await benchHere(site, ["serve", "./broken.ts", "--port", "0"]);
  assertRefused(
    ended,
    1,
    /suite "odd" at way \/ how "a\/b", engine room "bun".*: .*no page today/,
    /mend the server/,
    "serve",
  );
});

const REDIS = ["run", "redis", "--service", "real", "--driver", "ioredis", "--runtime", "node", "--rounds", "1"];
const AWAY = "sh -c 'echo no route to box1 >&2; exit 255'";

/** What is not there, or cannot be written: the line, the programs on PATH where not all are, and what is said. */
const MISSING: readonly (readonly [line: readonly string[], programs: readonly string[] | null, RegExp, RegExp])[] = [
  [RUN, [], /wrk is not installed/, /apt-get install -y wrk/],
  ...[[...REDIS, "--dry-run"], REDIS].map((line) =>
    [line, ["wrk"], /service "redis": Redis is not installed/, /apt-get install redis-server/] as const
  ),
  [RUN, ["wrk", "deno"], /runtime "node" is not installed/, /npm ci.*--runtime/],
  [[...RUN, "--results", "file/results"], null, /cannot write results to ".*file\/results"/, /--results/],
  [["run", "--prepare", "--size", "1k", "--store", "map", "--data", "file/data"], null, /file/, /--data/],
  [
    [...RUN, "--server-host", AWAY, "--dry-run"],
    null,
    /host "sh -c 'echo no route to box1 >&2; exit 255'": there is no agent: no route to box1$/,
    /./,
  ],
  ...[["run", "--pair", "bun/map/1k", "deno/map/1k"], ["latency"]].map((line) =>
    [[...line, "--load-host", "false"], null, /host "false": there is no agent: exit 1$/, /./] as const
  ),
];

toolTest("what is missing is named before anything starts, with how to get it or leave it out", async () => {
  for (const [line, programs, error, hint] of MISSING) {
    await onSite(async (site) => {
      writeFileSync(join(site.folder, "file"), "");
      const path = programs && pathWith(site, ...programs.filter((name) => name !== "deno"));
      if (programs?.includes("deno")) symlinkSync(locateRuntime("deno").file, join(path!, "deno"));
      const env = path === null
        ? {}
        : { PATH: path, ...(programs!.includes("deno") ? { LEVELFIELD_TOOLS: "path" } : {}) };
      assertRefused(await benchHere(site, [...line], env), 1, error, hint, `bench ${line.join(" ")}`);
      assert.deepEqual(runsIn(site), []);
    });
  }
});

siteTest("CPUs that overlap, or that this process may not use, are refused with exit code 2", async (site) => {
  const overlapping = await benchHere(site, [...RUN, "--server-cpus", "0", "--load-cpus", "0"]);
  assertRefused(overlapping, 2, /both name CPU 0/, /different CPUs/, "overlapping");
  const missing = await benchHere(site, [...RUN, "--server-cpus", "4000"]);
  assertRefused(missing, 2, /names CPU 4000/, /choose from/, "missing");
  assert.deepEqual(runsIn(site), []);
});
