import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ASKS_ONCE } from "../../lab/asks-once.ts";
import { smallPlan } from "../../tests/fixtures/small-plan.ts";
import type { UserSpec } from "../record/user-spec.ts";
import { changedSinceKnown, rememberPlan } from "./known-plans.ts";

/** Runs with a cache folder of its own, and gives the folder of known plans. */
function withCache(run: (known: string, folder: string) => void): void {
  const before = process.env["XDG_CACHE_HOME"];
  const folder = mkdtempSync(join(tmpdir(), "levelfield-known-"));
  process.env["XDG_CACHE_HOME"] = folder;
  try {
    run(join(folder, "levelfield", "known-plans"), folder);
  } finally {
    if (before === undefined) delete process.env["XDG_CACHE_HOME"];
    else process.env["XDG_CACHE_HOME"] = before;
    rmSync(folder, { recursive: true, force: true });
  }
}

const suite = { ...smallPlan.suite, module: "./mine.ts" };
const whole = (seed: number) => ({ plan: { ...smallPlan, suite, seed }, wanted: ["node"], against: undefined });

test("a plan is known whole, from its folder, in whatever order its fields stand; the newest are kept", () => {
  withCache((folder) => {
    rememberPlan(whole(1), "/here");
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.match(readdirSync(folder).join(), /^[0-9a-f]{64}$/);
    const turned = Object.fromEntries(Object.entries(whole(1).plan).reverse()) as typeof smallPlan;
    assert.deepEqual(changedSinceKnown({ ...whole(1), plan: turned }, "/here"), []);
    assert.equal(changedSinceKnown(whole(1), "/there"), null);
    assert.equal(changedSinceKnown(whole(2), "/here"), null);
    assert.equal(changedSinceKnown({ ...whole(1), wanted: ["node=./evil"] }, "/here"), null);
    assert.equal(changedSinceKnown({ ...whole(1), against: { ref: "a", commit: "b" } }, "/here"), null);
    assert.equal(changedSinceKnown({ ...whole(1), hosts: { server: "ssh evil" } }, "/here"), null);
    assert.equal(changedSinceKnown({ ...whole(1), hosts: { service: "ssh evil" } }, "/here"), null);

    for (let n = 0; n < 1_010; n++) {
      writeFileSync(join(folder, `old-${n}`), "");
      utimesSync(join(folder, `old-${n}`), 1, 1);
    }
    rememberPlan(whole(3), "/here");
    const kept = readdirSync(folder);
    assert.equal(kept.length, 1_000);
    assert.equal(kept.filter((name) => !name.startsWith("old-")).length, 2);
    rememberPlan({ ...whole(4), plan: smallPlan }, "/here");
    assert.equal(readdirSync(folder).length, 1_000, "what names nothing needs no place");
  });
});

test("a plan is known with the contents of the files it names: what changes, comes or goes since is told by its name", () =>
  withCache((known, folder) => {
    const at = (name: string) => join(folder, name);
    const write = (name: string, text: string) => writeFileSync(at(name), text);
    const server = { kind: "command" as const, name: "c", port: null, ready: "/" };
    const files = [{ path: "held.sh", sha256: "0" }];
    const words = ["sh", "-c", "exec ./inner.sh", "--import=late.sh", "held.sh"];
    const spec: UserSpec = {
      ...ASKS_ONCE,
      requests: [...ASKS_ONCE.requests],
      ...{ ignore: [], samples: [], refused: [], env: [], words: [], asked_first: { app: "c", runtime: null } },
      draws: { row: { kind: "rows", file: "rows.txt" }, odd: { kind: "rows", file: "__proto__" } },
      servers: [{ ...server, command: words, files }],
    };
    const module = "suite.ts";
    const plan = { ...smallPlan, suite: { ...smallPlan.suite, module, own: spec } };
    const hosts = { server: "sh agent.sh" };
    const given = { plan, wanted: ["node=./runtime"], against: undefined, hosts };
    const named = ["inner.sh", "held.sh", "rows.txt", "suite.ts", "runtime", "agent.sh", "__proto__"];
    for (const name of [...named, "package.json", "beside.ts"]) write(name, "1");
    rememberPlan(given, folder);
    assert.deepEqual(changedSinceKnown(given, folder), []);
    assert.equal(readdirSync(known).length, 1);
    for (const name of ["inner.sh", "rows.txt", "runtime", "agent.sh", "__proto__"]) {
      write(name, "2");
      assert.deepEqual(changedSinceKnown(given, folder), [name]);
      write(name, "1");
    }
    write("late.sh", "");
    assert.deepEqual(changedSinceKnown(given, folder), ["late.sh"], "it was not there");
    rmSync(at("late.sh"));
    write("beside.ts", "2");
    assert.deepEqual(changedSinceKnown(given, folder), ["./"], "it may import what lies beside it");
    write("beside.ts", "1");
    write("suite.ts", "2");
    assert.deepEqual(changedSinceKnown(given, folder), ["./", "suite.ts"]);
    write("suite.ts", "1");
    rmSync(at("rows.txt"));
    symlinkSync("inner.sh", at("rows.txt"));
    assert.deepEqual(changedSinceKnown(given, folder), [], "the same contents");
    execFileSync("mkfifo", [at("late.sh")]);
    write("held.sh", "2");
    assert.deepEqual(changedSinceKnown(given, folder), [], "a pipe is never read, and the plan holds the other's hash");
    write("inner.sh", "2");
    assert.deepEqual(changedSinceKnown(given, folder), ["inner.sh", "rows.txt"]);
    rememberPlan(given, folder);
    assert.deepEqual(changedSinceKnown(given, folder), []);
  }));
