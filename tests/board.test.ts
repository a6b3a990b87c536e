/** A board as somebody makes one: of the repository's own reference runs, from folders and packed; and who publishes it. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { optionsOfCommand } from "../bench/input/option-table.ts";
import { commandNamed } from "../bench/input/read-line.ts";
import { locateRuntime, PROJECT_ROOT } from "../bench/host/runtimes.ts";
import { MOST_PAGE_BYTES } from "../bench/report/board/paged.ts";
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
