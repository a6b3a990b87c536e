/** `bench explain` through real servers, profilers and loads. What others disturb is of no matter here. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ExplainedCell, explanationSchema } from "../../bench/record/explanation-schema.ts";
import { RUNTIME_NAMES } from "../../servers/runtime.ts";
import { bench, siteTest } from "../run-bench.ts";

const SERVER = `require("http").createServer((_, reply) => reply.end("hi")).listen(process.env.PORT, "127.0.0.1");`;
const SHORT = ["--rounds", "3", "--duration", "1s"];

siteTest("a program that would die of SIGTERM writes its profile, too, on each runtime", async (site) => {
  writeFileSync(join(site.folder, "server.cjs"), SERVER);
  for (const runtime of RUNTIME_NAMES) {
    const args = ["explain", "--program", "./server.cjs", "--runtime", runtime, ...SHORT, "--json"];
    const { code, stdout, stderr } = await bench(site, args);
    assert.equal(code, 0, stderr);
    const [{ passes, layers }] = explanationSchema.parse(JSON.parse(stdout)).cells as [ExplainedCell];
    assert.ok(passes[0]!.profile !== null && layers.length > 0, `${runtime}: ${stdout.slice(0, 500)}`);
  }
});

siteTest("a program of which there is no profile is told all the same, with a mark", async (site) => {
  writeFileSync(join(site.folder, "server.cjs"), SERVER);
  const { code, stdout, stderr } = await bench(site, ["explain", "--command", "node server.cjs", ...SHORT]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^node\S*: \d+(\.\d+)? µs of CPU time a request$/m);
  assert.match(stdout, /! no profile was written/);
});

siteTest("a custom app is explained beside another revision of itself, with the functions of each", async (site) => {
  // Temporary files of the bench are beside it, not in it.
  const repository = join(site.folder, "repository");
  mkdirSync(repository);
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", repository, "-c", "user.name=a", "-c", "user.email=a@b", ...args]);
  const write = (work: string) =>
    writeFileSync(
      join(repository, "app.mjs"),
      `let kept = 1;
function grind() { let x = kept; for (let n = 0; n < 200_000; n++) x = (Math.imul(x, 1664525) + 1013904223) | 0; return kept = x; }
export default { fetch: () => { ${work} return new Response("hi"); } };`,
    );
  write("");
  git("init", "-q");
  git("add", "app.mjs");
  git("commit", "-qm", "before");
  const args = ["explain", "--app", "./repository/app.mjs", "node", "--against"];
  write("grind();");
  const { code, stdout, stderr } = await bench(site, [...args, "HEAD", ...SHORT, "--json"]);
  assert.equal(code, 0, stderr);
  const { cells } = explanationSchema.parse(JSON.parse(stdout));
  assert.deepEqual(cells.map(({ cell }) => cell.point.at["app"]), ["yours", "base"]);
  const grinds = cells.map(({ layers }) =>
    layers.some(({ layer, functions }) => layer === "app" && functions.some(({ name }) => name === "grind"))
  );
  assert.deepEqual(grinds, [true, false]);
});
