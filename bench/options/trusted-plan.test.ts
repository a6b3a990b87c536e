import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { smallPlan } from "../../tests/fixtures/small-plan.ts";
import { sha256 } from "../../tests/testing.ts";
import { rememberPlan } from "../sources/known-plans.ts";
import type { StoredPlan } from "./stored-plan.ts";
import { trustedPlan } from "./trusted-plan.ts";

const theirs = (folder: string, module: string | null): StoredPlan => ({
  ...{ plan: { ...smallPlan, suite: { ...smallPlan.suite, module } }, wanted: null, against: undefined },
  folder: join(folder, "theirs"),
});

/** The lines of a decision and its outcome: the folder of the plan, or the error. */
function decided(stored: StoredPlan, trust: boolean) {
  const said: string[] = [];
  try {
    const { folder } = trustedPlan(stored, { trust, say: (line) => said.push(line) });
    return { said, folder };
  } catch (error) {
    return { said, error: (error as Error).message };
  }
}

/** Runs in a folder with a suite, under a cache of its own. */
function inProject(run: (folder: string, write: (name: string, text: string) => void) => void): void {
  const [cwd, cache] = [process.cwd(), process.env["XDG_CACHE_HOME"]];
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "levelfield-trust-")));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  process.chdir(folder);
  process.env["XDG_CACHE_HOME"] = join(folder, "cache");
  try {
    for (const name of ["suite.ts", "beside.ts", "package.json"]) write(name, "1");
    run(folder, write);
  } finally {
    process.chdir(cwd);
    if (cache === undefined) delete process.env["XDG_CACHE_HOME"];
    else process.env["XDG_CACHE_HOME"] = cache;
    rmSync(folder, { recursive: true, force: true });
  }
}

test("a plan made here passes in silence until a file it names changes, which is told in a line and asked again", () =>
  inProject((folder, write) => {
    const stored = theirs(folder, "suite.ts");
    const list = ["This plan would, with all rights you have:", '  import the suite "suite.ts"'];
    const unknown = "the plan was not made by you in this folder, and nothing of it was done";
    assert.deepEqual(decided(stored, false), { said: list, error: unknown });
    rememberPlan(stored, folder);
    assert.deepEqual(decided(stored, false), { said: [], folder });
    write("beside.ts", "2");
    const since = '"./" changed since the plan was made or trusted here';
    assert.deepEqual(decided(stored, false), { said: list, error: `${since}, and nothing of it was done` });
    const { said, folder: from } = decided(stored, true);
    assert.equal(from, stored.folder);
    assert.deepEqual(said.slice(0, 2), [since, "Trusted by --trust, this plan does, with all rights you have:"]);
    rememberPlan(stored, folder);
    assert.deepEqual(decided(stored, false), { said: [], folder });
  }));

test("--trust tells what it trusts and the hash of its contents every time, and where there is nothing to trust", () =>
  inProject((folder, write) => {
    const stored = theirs(folder, "suite.ts");
    for (const text of ["1", "1", "2"]) {
      write("suite.ts", text);
      const { said } = decided(stored, true);
      assert.deepEqual(said.slice(0, 2), [
        "Trusted by --trust, this plan does, with all rights you have:",
        '  import the suite "suite.ts"',
      ]);
      assert.equal(said.at(-1), `  with "suite.ts" as it is now, SHA-256 ${sha256(text)}`);
    }
    rememberPlan(stored, folder);
    assert.equal(decided(stored, true).said.length, 4, "also of what was made here");
    assert.match(decided(theirs(folder, null), true).said.join("\n"), /^--trust changes nothing: .*$/);
    assert.deepEqual(decided(theirs(folder, null), false).said, []);
  }));

test("trusted or not, what a plan names is inside its folder once it is another than was made here", () =>
  inProject((folder, write) => {
    const stored = theirs(folder, "../suite.ts");
    rememberPlan(stored, folder);
    assert.deepEqual(decided(stored, false), { said: [], folder }, "its maker may name any file");
    const linked = theirs(folder, "link.ts");
    symlinkSync("suite.ts", join(folder, "link.ts"));
    rememberPlan(linked, folder);
    write("suite.ts", "2");
    assert.equal(decided(linked, true).error, undefined, "a link inside");
    rmSync(join(folder, "link.ts"));
    symlinkSync("/etc/hostname", join(folder, "link.ts"));
    for (const trust of [false, true]) {
      assert.match(
        decided(linked, trust).error ?? "",
        /^the plan's suite "link\.ts" is outside its folder, and the plan as/,
      );
      assert.match(
        decided(theirs(folder, "../other.ts"), trust).error ?? "",
        /"\.\.\/other\.ts" is outside its folder/,
      );
    }
  }));
