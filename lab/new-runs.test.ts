import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../bench/runtimes/project-folders.ts";
import { folderTest } from "../tests/testing.ts";
import { newRuns } from "./new-runs.ts";

const RESULTS = join(PROJECT_ROOT, "results");

folderTest("run folders that a change adds are verified and named, with what they add to those of the base", (root) => {
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...words], { cwd: root, encoding: "utf8" });
  const put = (name: string, as = name) => cpSync(join(RESULTS, name), join(root, "results", as), { recursive: true });
  const commit = () => (git("add", "-A"), git("commit", "-qm", "Runs"), git("rev-parse", "HEAD").trim());
  const linesSince = (base: string) => newRuns({ root, base });
  git("init", "-q");
  for (const name of ["audit-hono-express", "audit-srvx", "reference-routes-amd-25-17"]) put(name);
  const base = commit();
  assert.deepEqual(linesSince(base), { lines: [], faulty: 0 });

  put("audit-hono-express-on-intel-6-207");
  put("reference-routes-intel-6-207");
  rmSync(join(root, "results", "audit-hono-express"), { recursive: true });
  put("audit-hono-express-node-22", "audit-hono-express");
  rmSync(join(root, "results", "audit-srvx"), { recursive: true });
  put("reference-kv-intel-6-207", "reference-false");
  appendFileSync(join(root, "results", "reference-false", "journal.ndjson"), "{}\n");
  commit();
  const { lines, faulty } = linesSince(base), [again, other, removed, untrue, routes] = lines;
  assert.equal(faulty, 1);
  assert.equal(lines.length, 5);
  assert.match(
    again!,
    /^results\/audit-hono-express: audit hono-express, as published, on amd-26-2; Hono over Express: .+, was smaller here on amd-26-2/,
  );
  assert.match(
    other!,
    /-on-intel-6-207: audit hono-express, as published, on intel-6-207, a new kind of CPU for it; Hono over Express: smaller here;/,
  );
  assert.equal(removed, "results/audit-srvx: is removed");
  assert.match(untrue!, /^results\/reference-false: .*journal/);
  assert.match(routes!, /: suite routes, on intel-6-207, a new kind of CPU for it; the answer: /);
  assert.throws(() => linesSince("no-revision"), /no-revision/);
});
