/** Plans and runs of somebody else's: what they name is told word for word, and nothing of it is touched without a word. */
import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { UserServer, UserSpec } from "../bench/record/user-spec.ts";
import type { Plan } from "../bench/record/plan.ts";
import { makeFixture } from "./fixtures/made-up-run.ts";
import { smallPlan } from "./fixtures/small-plan.ts";
import { commandServer, userSpec } from "./fixtures/user-spec.ts";
import { benchHere } from "./command-line.ts";
import { sha256 } from "./testing.ts";
import { type Bench, bench, onSite, type Site, siteTest } from "./run-bench.ts";

/** What a printed plan holds. */
interface Printed {
  readonly plan: Plan;
  readonly runtimes?: readonly { readonly wanted: string }[];
  readonly against?: { readonly ref: string; readonly commit: string };
}

const own = (servers: readonly UserServer[], change: Partial<UserSpec> = {}): Printed => ({
  plan: { ...smallPlan, suite: { name: "own", title: "own", module: null, own: userSpec(servers, change) } },
});

const command = commandServer("c", ["sh", "-c", "touch marker\u001b[2J\u202e"]);
const app = (module: string): UserServer => ({
  ...{ kind: "app", name: "a", module, home: ".", sha256: "0", source: { of: "module", files: 1 }, needs: {} },
});
const target = (url: string): UserServer => ({ kind: "target", name: "t", url, pid: null });
const rows = (file: string) => own([command], { draws: { row: { kind: "rows", file } } });
const suite = (module: string): Printed => ({ plan: { ...smallPlan, suite: { ...smallPlan.suite, module } } });
const store = (file: string): Printed => ({
  plan: {
    ...smallPlan,
    axes: smallPlan.axes.map((axis) => ({
      ...axis,
      values: axis.values.map((value) => ({ ...value, facts: { file, sha256: "0" } })),
    })),
  },
});

const COMMIT = "a".repeat(40);

/** Each thing a plan may name, and the line that tells it. */
const NAMED: readonly (readonly [what: string, printed: Printed, told: RegExp])[] = [
  ["a command", own([command]), /^ {2}run the command "sh" "-c" "touch marker\\u001b\[2J\\u\{202e\}", in "\."$/m],
  ["an app", own([app("evil.ts")]), /^ {2}import the app "evil\.ts", in "\."$/m],
  [
    "a program",
    own([{ ...app("evil.ts"), listens: { args: ["x y"], ready: "/", port: null } } as UserServer]),
    /^ {2}run the program "evil\.ts" "x y", in "\."$/m,
  ],
  [
    "a server",
    own([target("http://127.0.0.1:2375")]),
    /^ {2}load the server at "http:\/\/127\.0\.0\.1:2375"\n {2}send "GET \/" to it$/m,
  ],
  ["a variable", own([command], { env: ["AWS_SECRET"] }), /^ {2}hand your variable "AWS_SECRET" to them$/m],
  ["rows", rows("rows.txt"), /^ {2}send lines of the file "rows\.txt"$/m],
  ["a suite", suite("evil.ts"), /^ {2}import the suite "evil\.ts"$/m],
  ["a module", store("evil.ts"), /^ {2}import the module "evil\.ts", as "steam"$/m],
  [
    "a runtime",
    { plan: smallPlan, runtimes: [{ wanted: "node=./evil.sh" }] },
    /^ {2}run the runtime "node=\.\/evil\.sh"$/m,
  ],
  [
    "a version",
    { plan: smallPlan, runtimes: [{ wanted: "bun@1.0.0" }] },
    /^ {2}fetch and run the runtime "bun@1\.0\.0"$/m,
  ],
  [
    "a revision",
    { plan: smallPlan, against: { ref: "x", commit: COMMIT } },
    /^ {2}check out and run revision "x", commit "a{40}"$/m,
  ],
];

/** What a plan from elsewhere never names, trusted or not. */
const REFUSED: readonly (readonly [what: string, printed: Printed, why: RegExp])[] = [
  ["rows by an absolute path", rows("/etc/passwd"), /rows "\/etc\/passwd" is outside its folder/],
  ["rows by a way out", rows("a/../../secret"), /rows "a\/\.\.\/\.\.\/secret" is outside its folder/],
  ["rows through a link", rows("link/passwd"), /rows "link\/passwd" is outside its folder/],
  ["an app by a way out", own([app("../evil.ts")]), /app "\.\.\/evil\.ts" is outside its folder/],
  ["a suite by an absolute path", suite("/tmp/evil.ts"), /suite "\/tmp\/evil\.ts" is outside its folder/],
  ["a module by a way out", store("../evil.ts"), /module "\.\.\/evil\.ts" is outside its folder/],
  ...["HEAD", "main", "--output=/tmp/x", COMMIT.slice(1), COMMIT.toUpperCase()].map((commit) =>
    [`a revision by ${commit}`, { plan: smallPlan, against: { ref: "x", commit } }, /which is no whole hash/] as const
  ),
  ["a home elsewhere", own([{ ...command, home: "/" }]), /home "\/" is outside its folder/],
  ...["http://example.com:80", "http://10.0.0.1:80", "http://127.0.0.1.example.com:80", "http://localhost@10.0.0.1:80"]
    .map((url) => [`a server at ${url}`, own([target(url)]), /no address of a server on this machine/] as const),
];

/** A folder with what a plan may name: whatever is executed leaves a marker, and what is read shows when. */
function trapIn({ folder }: Site) {
  const marker = join(folder, "marker");
  const leave = `require("node:fs").writeFileSync(${JSON.stringify(marker)}, "");`;
  writeFileSync(
    join(folder, "evil.ts"),
    `import { createRequire } from "node:module";
const require = createRequire(import.meta.url);\n${leave}\n`,
  );
  writeFileSync(join(folder, "evil.sh"), `#!/bin/sh\ntouch '${marker}'\necho v26.0.0\n`);
  chmodSync(join(folder, "evil.sh"), 0o755);
  writeFileSync(join(folder, "rows.txt"), "secret\n");
  // A file read after it was written has another time of access than this one.
  utimesSync(join(folder, "rows.txt"), 1_000, 2_000);
  symlinkSync("/etc", join(folder, "link"));
  return {
    write(printed: unknown) {
      writeFileSync(join(folder, "plan.json"), JSON.stringify(printed));
      return join(folder, "plan.json");
    },
    untouched: (what: string) => {
      assert.ok(!existsSync(marker), `${what} was executed`);
      assert.equal(statSync(join(folder, "rows.txt")).atimeMs, 1_000_000, `${what}: a file was read`);
    },
    sprung: () => existsSync(marker),
  };
}

test("whatever a plan names is told word for word, and refused before any of it is touched", () =>
  onSite(async (site) => {
    const { write, untouched } = trapIn(site);
    for (const [n, [what, printed, told]] of NAMED.entries()) {
      // The first is refused in a process of its own, too.
      const command = n === 0 ? bench : benchHere;
      const { code, stdout, stderr } = await command(site, ["run", "--plan", write(printed), "--dry-run"]);
      assert.equal(code, 2, `${what}: ${stderr}`);
      assert.equal(stdout, "");
      assert.match(stderr, told);
      assert.match(
        stderr,
        /^error: the plan was not made by you in this folder, and nothing of it was done\n {2}try: --trust, /m,
      );
      untouched(what);
    }
  }));

test("files outside its folder and servers of other machines are refused, trusted or not", () =>
  onSite(async (site) => {
    const { write, untouched } = trapIn(site);
    for (const [what, printed, why] of REFUSED) {
      const { code, stderr } = await benchHere(site, ["run", "--plan", write(printed), "--dry-run", "--trust"]);
      assert.equal(code, 2, `${what}: ${stderr}`);
      assert.match(stderr, why);
      untouched(what);
    }
  }));

test("a run of somebody else's is gone on with and reproduced by a word only, its hosts among what it names", () =>
  onSite(async (site) => {
    const { untouched } = trapIn(site);
    const { run } = makeFixture();
    const folder = join(site.folder, "theirs");
    mkdirSync(folder);
    writeFileSync(join(folder, "journal.ndjson"), "");
    const link = { name: "lo", bits_per_second: null };
    const hosts = { server: "sh -c 'touch marker'", load: null, address: "0.0.0.0", link };
    for (const { plan, runtimes } of [own([command]), { plan: smallPlan, runtimes: [{ wanted: "node=./evil.sh" }] }]) {
      const wanted = runtimes?.map((one) => ({ ...run.runtimes[0]!, ...one })) ?? run.runtimes;
      writeFileSync(
        join(folder, "run.json"),
        JSON.stringify({ ...run, plan, runtimes: wanted, hosts, state: "interrupted", finished_at: null }),
      );
      for (const line of [["run", "--resume", folder], ["reproduce", folder]]) {
        const { code, stderr } = await benchHere(site, line);
        assert.equal(code, 2, stderr);
        assert.match(stderr, runtimes === undefined ? /run the command "sh"/ : /run the runtime "node=/);
        const reached = /reach a host by the command "sh -c 'touch marker'"\n {2}listen on the address "0\.0\.0\.0"\n/;
        assert.equal(reached.test(stderr), line[0] === "run", stderr);
        assert.match(stderr, /^error: the plan was not made by you/m);
        untouched(line.join(" "));
      }
      for (const line of [["verify"], ["show"], ["report", "--format", "csv"]]) {
        await benchHere(site, [line[0]!, folder, ...line.slice(1)]);
        untouched(line.join(" "));
      }
      await benchHere(site, ["compare", folder]);
      untouched("compare");
    }
  }));

siteTest("a trusted plan is measured, so these traps are traps", async (site) => {
  const { write, sprung } = trapIn(site);
  const { stdout } = await bench(site, ["run", "routes", "--runtime", "node", "--dry-run", "--json"]);
  const planned: Printed = JSON.parse(stdout);
  const runtime = { ...planned, runtimes: [{ wanted: "node=./evil.sh" }] };
  for (
    const [file, printed, action] of [["evil.ts", suite("evil.ts"), "import"], ["evil.sh", runtime, "run"]] as const
  ) {
    const ended = await bench(site, ["run", "--plan", write(printed), "--dry-run", "--trust"]);
    assert.ok(sprung());
    const hash = sha256(readFileSync(join(site.folder, file)));
    assert.match(
      ended.stderr,
      new RegExp(
        `^Trusted by --trust, this plan does, with all rights you have:\n  ${action} .*\n(  .*\n)*` +
          `  with "${file}" as it is now, SHA-256 ${hash}\n`,
      ),
    );
    rmSync(join(site.folder, "marker"));
  }
  const { stderr } = await benchHere(site, ["run", "routes", "--trust", "--dry-run"]);
  assert.match(stderr, /--trust belongs to --plan or --resume/);
});

siteTest("a plan somebody printed is theirs in that folder, and nobody's once it is changed", async (site) => {
  const [mine, other] = ["mine", "other"].map((name) => join(site.folder, name)) as [string, string];
  const text = readFileSync(join(import.meta.dirname!, "fixtures", "fetch-app.ts"), "utf8");
  for (const folder of [mine, other]) {
    mkdirSync(folder);
    writeFileSync(join(folder, "app.ts"), text);
  }
  const cache = join(site.folder, "cache");
  const by = (command: Bench) => (folder: string, ...line: string[]) =>
    command({ ...site, folder }, ["run", ...line, "--dry-run"], { XDG_CACHE_HOME: cache });
  // A process that has made a plan, or measured one, knows it without the folder of known plans.
  const [at, asAnother] = [by(benchHere), by(bench)];
  const line = ["--app", "./app.ts", "--runtime", "node", "--json"];
  const printed = await asAnother(mine, ...line);
  assert.equal(printed.code, 0, printed.stderr);
  const file = join(site.folder, "plan.json");
  writeFileSync(file, printed.stdout);
  const again = await asAnother(mine, "--plan", file);
  assert.equal(again.code, 0, again.stderr);
  assert.match((await at(other, "--plan", file)).stderr, /^error: the plan was not made by you/m);
  const known = join(cache, "levelfield", "known-plans");
  chmodSync(known, 0o777);
  assert.match((await at(mine, "--plan", file)).stderr, /^error: the plan was not made/m, "anybody wrote there");
  chmodSync(known, 0o700);
  writeFileSync(file, printed.stdout.replace("GET", "PUT"));
  assert.match((await at(mine, "--plan", file)).stderr, /^error: the plan was not made by you/m);
  const trusted = await at(mine, "--plan", file, "--trust", "--json");
  assert.equal(trusted.code, 0, trusted.stderr);
  const unsaid = await at(mine, "--plan", file);
  assert.match(unsaid.stderr, /^error: the plan was not made by you/m, "a dry run leaves no trust behind");
});
