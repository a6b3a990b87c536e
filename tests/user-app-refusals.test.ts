/** A person's own apps and servers that cannot be measured: told in one line, before anything is. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeProject } from "./user-project.ts";
import { benchHere } from "./command-line.ts";
import { siteTest } from "./run-bench.ts";

const SHORT = ["--rounds", "1", "--duration", "1s", "--warmup", "1s", "--alone"];

siteTest("what cannot be measured is one line that names it, and a cell beside those that can", async (site) => {
  const folder = makeProject(site);
  writeFileSync(join(folder, "throws.ts"), 'throw new Error("no database");');
  const cases: readonly [given: readonly string[], code: number, error: RegExp][] = [
    [["--app", "project/throws.ts", "--runtime", "node"], 1, /"throws" cannot be measured on node: .*no database/],
    [["--command", "no-such-program"], 1, /"no-such-program" cannot be measured: does not start: .*no-such-program/],
    [["--target", "http://127.0.0.1:1"], 1, /"port-1" cannot be measured: GET \/: .*(ECONNREFUSED|refused)/],
    [["--request", "GET /"], 2, /--request belongs to a server of your own/],
    [["users", "--app", "project/app.ts"], 2, /"users" and --app exclude each other/],
    [["--app", "project/app.ts", "--against", "HEAD"], 2, /--against measures another revision of this project/],
  ];
  for (const [given, code, error] of cases) {
    const ended = await benchHere(site, ["run", ...given, ...SHORT]);
    assert.equal(ended.code, code, `${given.join(" ")}: ${ended.stderr}`);
    const lines = ended.stderr.trimEnd().split("\n");
    assert.match(lines.find((line) => line.startsWith("error: ")) ?? "", error, given.join(" "));
  }
  const three = await benchHere(site, ["run", "--app", "project/throws.ts", ...SHORT]);
  assert.match(three.stderr, /^error: "throws" cannot be measured on node, deno and bun: .*no database$/m);
  assert.equal(three.stderr.split("no database").length - 1, 1, "one failure of three starts is printed once");
  const both = await benchHere(site, [
    ...["run", "--app", "throws=project/throws.ts,app=project/app.ts", "--runtime", "bun"],
    ...["--request", "GET /hello/you", ...SHORT, "--dry-run"],
  ]);
  assert.equal(both.code, 0, both.stderr);
  assert.match(both.stdout, /unsupported: throws\/bun: does not start: .*no database/);
});
