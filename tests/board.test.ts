/** A board as somebody makes one: of the repository's own reference runs, from folders and packed; and who publishes it. */
import assert from "node:assert/strict";
import { appendFileSync, copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { optionsOfCommand } from "../bench/input/option-table.ts";
import { commandNamed } from "../bench/input/read-line.ts";
import { locateRuntime, PROJECT_ROOT } from "../bench/host/runtimes.ts";
import { MOST_PAGE_BYTES } from "../bench/report/board/paged.ts";
import { writeSealedRun } from "../lab/write-run.ts";
import { boardRun } from "./fixtures/board-runs.ts";
import { bench, onSite } from "./run-bench.ts";
import { ranToEnd } from "./testing.ts";

const RESULTS = join(PROJECT_ROOT, "results");
const REFERENCES = readdirSync(RESULTS).filter((name) => name.startsWith("reference-"));

test("a board of the reference runs shows all of them, from folders and packed ones alike", () =>
  onSite(async (site) => {
    const out = join(site.folder, "board");
    const made = await bench(site, ["board", RESULTS, "--out", out, "--json"]);
    assert.equal(made.code, 0, made.stderr);
    const told = JSON.parse(made.stdout);
    assert.deepEqual([told.runs, told.copies, told.refused], [REFERENCES.length, 0, []]);
    assert.ok(told.largest_page_bytes < MOST_PAGE_BYTES);
    const index = JSON.parse(readFileSync(join(out, "board.json"), "utf8"));
    assert.equal(index.schema, "levelfield.board/2");
    assert.ok(index.suites.length >= 5 && index.machines.length >= 1);
    for (const { page, data } of [...index.suites, ...index.machines]) {
      assert.ok(existsSync(join(out, page)) && (data === undefined || existsSync(join(out, data))), page);
    }
    // The packed runs of a board are runs to contribute: a board of them is the same board.
    const packed = join(out, "packed");
    assert.equal(readdirSync(packed).length, REFERENCES.length);
    const again = await bench(site, ["board", packed, "--out", join(site.folder, "again"), "--json"]);
    assert.equal(again.code, 0, again.stderr);
    for (const file of ["index.html", "board.json"]) {
      assert.equal(
        readFileSync(join(site.folder, "again", file), "utf8"),
        readFileSync(join(out, file), "utf8"),
        file,
      );
    }
  }));

test("a run is packed, unpacked and put on a board; what fails is told in a line, and exit says so", () =>
  onSite(async (site) => {
    const name = REFERENCES.toSorted((a, b) => sizeOf(a) - sizeOf(b))[0]!;
    mkdirSync(site.results);
    cpSync(join(RESULTS, name), join(site.results, name), { recursive: true });
    const file = join(site.folder, "mine.levelfield.gz");
    const packed = await bench(site, ["report", "--pack", name, "--output", file]);
    assert.equal(packed.code, 0, packed.stderr);
    assert.match(packed.stdout, /^mine\.levelfield\.gz: \d+ lines, \d+ cards, [\d.]+ KiB\n$/);
    const twice = await bench(site, ["report", "--unpack", file]);
    assert.equal(twice.code, 2);
    assert.match(twice.stderr, /is there already\n {2}try: /);
    const elsewhere = join(site.folder, "elsewhere");
    const unpacked = await bench(site, ["report", "--unpack", file, "--results", elsewhere]);
    assert.deepEqual([unpacked.code, unpacked.stderr], [0, ""]);
    assert.match(unpacked.stdout, /^✓ mine: .*: all published figures follow from its lines\n$/);

    appendFileSync(join(elsewhere, name, "journal.ndjson"), "{}\n");
    const refused = await bench(site, ["report", "--pack", name, "--results", elsewhere, "--output", file]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /does not pass verification: .*\n {2}try: bench verify /);
    copyFileSync(file, join(elsewhere, "mine.levelfield.gz"));
    const board = await bench(site, ["board", elsewhere, "--out", join(site.folder, "board")]);
    assert.equal(board.code, 3, board.stderr);
    assert.match(board.stderr, /not shown: .*: .*journal\.ndjson/);
    assert.match(board.stdout, /^1 run of 1 suite from 1 machine; 1 not shown\nboard\/index\.html /);
  }));

test("a run that says who made it is packed only when that is asked for", () =>
  onSite(async (site) => {
    const made = boardRun("mine");
    const home = join(os.homedir(), "bin", "node");
    const [first, ...runtimes] = made.run.runtimes;
    writeSealedRun(join(site.results, "mine"), {
      ...made,
      run: { ...made.run, runtimes: [{ ...first!, wanted: `node=${home}` }, ...runtimes] },
    });
    const refused = await bench(site, ["report", "--pack", "mine"]);
    assert.equal(refused.code, 2, refused.stdout + refused.stderr);
    assert.match(refused.stderr, /it holds the path of your home folder: .* \(run\.json\)\n/);
    assert.match(refused.stderr, /"mine" says who made it: .*\n {2}try: .*--as-is/);
    assert.ok(!existsSync(join(site.folder, "mine.levelfield.gz")));
    const asked = await bench(site, ["report", "--pack", "mine", "--as-is"]);
    assert.equal(asked.code, 0, asked.stderr);
    assert.ok(existsSync(join(site.folder, "mine.levelfield.gz")));
  }));

test("a run with secrets is packed only when that is asked for, and each is named by file and line, not in full", () =>
  onSite(async (site) => {
    const made = boardRun("mine");
    const [first, ...runtimes] = made.run.runtimes;
    const token = "hunter2-hunter2-hunter2";
    writeSealedRun(join(site.results, "mine"), {
      ...made,
      run: { ...made.run, runtimes: [{ ...first!, wanted: `node?access_token=${token}` }, ...runtimes] },
    });
    const refused = await bench(site, ["report", "--pack", "mine", "--as-is"]);
    assert.equal(refused.code, 2, refused.stdout + refused.stderr);
    const line = readFileSync(join(site.results, "mine", "run.json"), "utf8").split("\n").findIndex((text) =>
      text.includes(token)
    );
    assert.ok(
      refused.stderr.includes(`run.json:${line + 1}: what "access_token" holds (hunt…, 23 characters)\n`),
      refused.stderr,
    );
    assert.ok(!refused.stderr.includes(token));
    assert.match(refused.stderr, /"mine" holds 1 text like a secret\n {2}try: .*--anyway/);
    assert.ok(!existsSync(join(site.folder, "mine.levelfield.gz")));
    assert.equal((await bench(site, ["report", "--pack", "mine", "--anyway"])).code, 0);
    assert.ok(existsSync(join(site.folder, "mine.levelfield.gz")));
  }));

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, {
      readonly permissions?: Readonly<Record<string, string>>;
      readonly steps: readonly { readonly uses?: string; readonly run?: string; readonly shell?: string }[];
    }>
  >;
}

test("the workflow that publishes a board is well formed, gives no rights to what contributes, and calls what there is", async () => {
  const text = readFileSync(join(PROJECT_ROOT, "examples", "board", "board.yml"), "utf8");
  const program = "console.log(JSON.stringify(Bun.YAML.parse(process.argv[1])))";
  const { code, stdout, stderr } = await ranToEnd(locateRuntime("bun").file, ["-e", program, text]);
  assert.equal(code, 0, stderr);
  const { on, permissions, jobs }: Workflow = JSON.parse(stdout);
  assert.ok("pull_request" in on && !("pull_request_target" in on), "code of others must not get rights");
  assert.deepEqual(permissions, { contents: "read" });
  assert.deepEqual(Object.keys(jobs), ["verify", "publish"]);
  assert.equal(jobs["verify"]!.permissions, undefined);
  assert.deepEqual(jobs["publish"]!.permissions, { pages: "write", "id-token": "write" });
  const steps = Object.values(jobs).flatMap(({ steps }) => steps);
  for (const { uses, run, shell } of steps) {
    assert.ok(uses === undefined || /^actions\/[\w-]+@[0-9a-f]{40}$/.test(uses), uses ?? "");
    assert.ok(run === undefined || shell === "bash");
  }
  const script = steps.flatMap(({ run }) => run ?? [])[0]!;
  assert.equal((await ranToEnd("bash", ["-n", "-c", script])).code, 0);
  const options = optionsOfCommand(commandNamed("board")!).map(({ name }) => name);
  const given = /bench board (.*) \|\|/.exec(script)![1]!;
  assert.deepEqual(
    [...given.matchAll(/--([\w-]+)/g)].flatMap(([, name]) => options.includes(name!) ? [] : [name]),
    [],
  );
});

const sizeOf = (name: string) => readFileSync(join(RESULTS, name, "journal.ndjson")).length;
