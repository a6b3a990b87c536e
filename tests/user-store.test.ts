/** Stores of one's own: a dry run of good and broken ones, and a file as a value of the matrix. */
import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { runCommand } from "../bench/commands/run.ts";
import { failuresOf } from "./check-store.ts";
import { benchHere } from "./command-line.ts";
import { bench, runsIn, type Site, siteTest } from "./run-bench.ts";
import { folderTest } from "./testing.ts";

const STORES = JSON.stringify(join(PROJECT_ROOT, "stores"));

/** A module that breaks the store `map` of the project, or `binary`, in one way. */
const mutant = (of: "map" | "binary", change: string, open = "store") =>
  `import { driver as whole } from ${STORES.slice(0, -1)}/${of}.ts";
import { openSync, writeFileSync } from "node:fs";
export const driver = {
  ...whole, name: "mutant", layout: "mutant-1", ${change}
  async open(directory) {
    const store = await whole.open(directory);
    return ${open};
  },
};
void [openSync, writeFileSync];
`;

interface Told {
  readonly runtimes: readonly {
    readonly status: string;
    readonly message: string | null;
    readonly checks: number;
    readonly failed: readonly { readonly check: string; readonly message: string; readonly advice: string }[];
  }[];
}

/** A file that a store writes again and again once it hangs. */
const HANGS = "hangs";

/** Checks a store with a clock that is a minute further each time it says that it hangs, and with no time to end after it. */
async function check(site: Site, text: string, runtime = "bun"): Promise<{ code: number | null; told: Told }> {
  const hangs = join(site.folder, HANGS);
  writeFileSync(join(site.folder, "mine.ts"), text.replaceAll(`"${HANGS}"`, JSON.stringify(hangs)));
  let ahead = 0;
  const now = () => {
    if (existsSync(hangs)) rmSync(hangs), ahead += 60_000;
    return performance.now() + ahead;
  };
  const words = ["run", "--store", "./mine.ts", "--size", "1k", "--dry-run", "--json", "--runtime", runtime];
  const { code, stdout, stderr } = await benchHere(
    site,
    words,
    {},
    (context) => runCommand(context, { now, endsMs: 100 }),
  );
  assert.notEqual(stdout, "", stderr);
  return { code, told: JSON.parse(stdout).modules[0] };
}

siteTest("a good store passes on all three runtimes, one line each", async (site) => {
  writeFileSync(join(site.folder, "mine.ts"), mutant("map", ""));
  const { code, stdout, stderr } = await bench(site, ["run", "--store", "./mine.ts", "--size", "1k", "--dry-run"]);
  assert.equal(code, 0, stdout + stderr);
  for (const runtime of ["node", "deno", "bun"]) {
    assert.match(stdout, new RegExp(`^✓ mine\\.ts on ${runtime} \\S+: 26 checks passed$`, "m"));
  }
  assert.match(stdout, /\nusers: .*\d+ cells?/);
});

/** What is wrong with a store, and for each failure that is told: the check, and what is said of it. */
const FAULTS: readonly {
  fault: string;
  text: string;
  runtime?: string;
  fails: readonly (readonly [check: RegExp, message: RegExp])[];
}[] = [
  {
    fault: "loses on a kill what it says it keeps",
    runtime: "deno",
    text: mutant(
      "binary",
      "",
      `(() => { const kept = new Map(); return { ...store,
        find: (id) => kept.get(id) ?? store.find(id), create: (user) => void kept.set(user.id, { ...user }),
        async close() { for (const user of kept.values()) await store.create(user); await store.close(); } }; })()`,
    ),
    fails: [[/after its process was killed/, /of \d+ that it kept \d+ are gone after a kill.*"buffered"/]],
  },
  {
    fault: "never ends a second close",
    text: mutant(
      "map",
      "",
      `(() => { let closed = false; return { ...store,
        close() {
          if (closed) return new Promise(() => setInterval(() => writeFileSync("${HANGS}", ""), 100));
          closed = true;
        } }; })()`,
    ),
    fails: [[/closing again/, /^it does not come to an end within 30 s$/]],
  },
  {
    fault: "leaks a file each time it is opened",
    text: mutant("map", "", "(openSync(directory, 0), store)"),
    fails: [[/leaves nothing open/, /^20 more files or sockets are open/]],
  },
  {
    fault: "keeps its process from ending",
    text: mutant("map", "", "(setInterval(() => {}, 1000), store)"),
    fails: [[/ends by itself/, /its process still ran/]],
  },
  {
    fault: "ends the process",
    text: mutant("map", "", "{ ...store, close() { process.exit(7); } }"),
    fails: [[/first, middle, last/, /ended its process \(exit 7\)/]],
  },
];

for (const { fault, text, runtime, fails } of FAULTS) {
  siteTest(`a store that ${fault} is told so, with what to do`, async (site) => {
    const { code, told } = await check(site, text, runtime);
    const [only] = told.runtimes;
    assert.equal(code, 3, JSON.stringify(told));
    assert.equal(only!.status, "failed");
    for (const [name, message] of fails) {
      const failure = only!.failed.find(({ check }) => name.test(check));
      assert.match(failure?.message ?? JSON.stringify(told), message);
      assert.ok(failure!.advice.length > 10);
      assert.doesNotMatch(failure!.message, /\n/);
    }
  });
}

siteTest("a module that is no store is told so in one line, with what to try", async (site) => {
  const modules: [text: string, message: RegExp, hint: RegExp][] = [
    [`throw new Error("not today");`, /throws when it is imported: not today/, /mend it/],
    [`import "no-such-package-anywhere";`, /throws when it is imported: .*no-such-package/, /npm install/],
    ["export const other = 1;", /exports no store, only other/, /export const driver/],
    ["export default { fetch: () => new Response('a') };", /is an app, no store: /, /bench run --app \.\/mine\.ts$/m],
    ["export default () => new Response('a');", /is an app, no store: /, /bench run --app \.\/mine\.ts$/m],
    ["export default { name: 'a', axes: [], requests() {} };", /is a suite, no store/, /bench run \.\/mine\.ts$/m],
    ["export const driver = { title: 'x' };", /driver's complexity is missing: it must be/, /stores\/store\.ts/],
  ];
  for (const [text, message, hint] of modules) {
    writeFileSync(join(site.folder, "mine.ts"), text);
    const { code, stderr } = await benchHere(site, [...LINE, "--store", "./mine.ts", "--dry-run"]);
    assert.equal(code, 1, stderr);
    const [error, next] = stderr.split("\n  try: ");
    assert.match(error!, message);
    assert.match(next!, hint);
  }
  const { code, told } = await check(site, mutant("map", `runtimes: ["bun"],`), "node,bun");
  assert.equal(code, 0);
  assert.deepEqual(told.runtimes.map(({ status }) => status), ["unsupported", "passed"]);
});

const LINE = ["run", "--runtime", "node", "--size", "1k", "--rounds", "1", "--duration", "1s"];

siteTest(
  "a file is a value of the axis: named, hashed, refused under a taken name, its change noticed",
  async (site) => {
    const file = join(site.folder, "mine.ts");
    writeFileSync(file, mutant("map", ""));
    const planned = await benchHere(site, [...LINE, "--store", "./mine.ts,other=./mine.ts,map", "--dry-run", "--json"]);
    assert.equal(planned.code, 0, planned.stderr);
    const printed = JSON.parse(planned.stdout);
    const values = printed.plan.axes.find(({ name }: { name: string }) => name === "store").values;
    assert.deepEqual(values.map(({ value }: { value: string }) => value), ["map", "mine", "other"]);
    assert.equal(values[1].facts.file, "mine.ts");
    assert.match(values[1].facts.sha256, /^[0-9a-f]{64}$/);
    const plan = join(site.folder, "plan.json");
    writeFileSync(plan, planned.stdout);
    assert.equal((await benchHere(site, ["run", "--plan", plan, "--dry-run"])).code, 0);
    appendFileSync(file, "// changed\n");
    const changed = await benchHere(site, ["run", "--plan", plan, "--dry-run"]);
    assert.equal(changed.code, 1);
    assert.match(changed.stderr, /error: "mine\.ts" is not what was planned: it has changed since\n {2}try: /);

    const refusals: [value: string, error: RegExp][] = [
      ["map=./mine.ts", /would be called "map", which is listed already\n {2}try: .*--store other-map=\.\/mine\.ts/],
      ["./none.ts", /there is no file "\.\/none\.ts"/],
      ["no good=./mine.ts", /"no good" cannot be the name/],
    ];
    for (const [value, error] of refusals) {
      const refused = await benchHere(site, [...LINE, "--store", value]);
      assert.equal(refused.code, 2, refused.stderr);
      assert.match(refused.stderr, error);
    }
    writeFileSync(file, "export const driver = 1;");
    const broken = await benchHere(site, [...LINE, "--store", "./mine.ts"]);
    assert.equal(broken.code, 1);
    assert.match(broken.stderr, /"mine\.ts" cannot be used: bun: it exports no store.*\n {2}try: export const driver/);
    assert.deepEqual(runsIn(site), []);
    assert.equal(readFileSync(file, "utf8"), "export const driver = 1;");
  },
);

/** The store that docs/adding-a-store.md has readers write. */
const DOCUMENTED = /<!-- store:begin -->\s*```ts\n([^]*?)```/.exec(
  readFileSync(join(PROJECT_ROOT, "docs", "adding-a-store.md"), "utf8"),
)?.[1];

folderTest("the documented store is under 50 lines and keeps the contract", async (folder) => {
  assert.ok(DOCUMENTED !== undefined && DOCUMENTED.split("\n").length < 50);
  writeFileSync(join(folder, "mine.ts"), DOCUMENTED);
  const { driver } = await import(pathToFileURL(join(folder, "mine.ts")).href);
  assert.deepEqual(await failuresOf(driver), new Map());
});
