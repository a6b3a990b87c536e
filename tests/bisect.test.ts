/** What a bisection refuses before it measures anything. */
import assert from "node:assert/strict";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "./gate-repository.ts";
import { locateRuntime } from "../bench/runtimes/runtimes.ts";
import { APP, makeRepository } from "./gate-repository.ts";
import { benchHere } from "./command-line.ts";
import { siteTest } from "./run-bench.ts";

siteTest("what cannot be bisected is refused in one line before anything is measured", async (site) => {
  const root = join(site.folder, "repo");
  await makeRepository(root, [
    { "app.ts": APP("a", 0) },
    { "app.ts": APP("a", 1), "late.ts": APP("b", 0) },
    { "app.ts": 'throw new Error("no database");' },
    { "app.ts": APP("a", 2), "package.json": '{"dependencies":{"hono":"4.0.0"}}', "package-lock.json": "{}" },
  ]);
  await git(root, "branch", "aside", "HEAD~3");
  await git(root, "branch", "pinned");
  await git(root, "reset", "-q", "--hard", "HEAD~1");
  for (const name of ["good", "mute"]) {
    const line = name === "mute" ? "exit 7" : `exec '${locateRuntime("node").file}' "$@"`;
    writeFileSync(join(root, name), `#!/bin/sh\n${line}\n`);
    chmodSync(join(root, name), 0o755);
  }
  const app = ["--app", "./app.ts"];
  const refusals: readonly [given: readonly string[], code: number, error: RegExp][] = [
    [[], 2, /--good says from where on/],
    [["--good", "bun@1.2.3", "--bad", "node@24.1.0"], 2, /have no versions between them/],
    [["--good", "bun", "--bad", "bun@1.2.3"], 2, /what lies between "bun" and the other end is not known/],
    [["--among", "node=./good"], 2, /a bisection needs two versions/],
    [["--among", "node=./good,node=./good"], 2, /a version stands in the list twice/],
    [["--among", "node=./good,node=./mute", ...app], 1, /the end node=.*mute cannot be measured: .* exit 7/],
    [["--good", "HEAD~1"], 2, /a bisection of revisions needs one --app, --program or --command/],
    [["--good", "nowhere", ...app], 2, /git knows no revision "nowhere"/],
    [["--good", "HEAD~1", "--bad", "HEAD~1", ...app], 2, /are one commit/],
    [["--good", "HEAD", "--bad", "aside", ...app], 2, /"HEAD" is no ancestor of "aside"/],
    [
      ["--good", "HEAD", "--bad", "pinned", ...app],
      1,
      /the end [0-9a-f]{10} cannot be measured: --install "npm ci .*" failed in revision "[0-9a-f]{10}": .*/,
    ],
    [["--good", "HEAD~1", ...app], 1, /the end [0-9a-f]{10} cannot be measured: .*no database/],
    [["--good", "HEAD~2", "--bad", "HEAD~1", "--app", "./late.ts"], 1, /the end [0-9a-f]{10} .*: it has no such file/],
  ];
  for (const [given, code, error] of refusals) {
    const runtime = given.includes("--app") && given[0] === "--good" ? ["--runtime", "bun"] : [];
    const ended = await benchHere({ ...site, folder: root }, ["bisect", ...given, ...runtime]);
    const line = ended.stderr.split("\n").find((one) => one.startsWith("error: ")) ?? "";
    assert.deepEqual([ended.code, error.test(line)], [code, true], `${given.join(" ")}: ${ended.stderr}`);
  }
  assert.ok(!existsSync(site.results), "nothing was written");
});
