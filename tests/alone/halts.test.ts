/** Servers that bear no halts: they err after each, are named, and are measured alone from then on, by a driver on Bun. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isOnlyAlone } from "../../bench/judge/halts.ts";
import { readRun } from "../../bench/runs/read-run.ts";
import { readPublishedRun } from "../../bench/runs/published-run.ts";
import { benchHere } from "../command-line.ts";
import { bench, runsIn, siteTest } from "../run-bench.ts";
import { threeInTwoRounds } from "../three-in-two-rounds.ts";
import { everything } from "../user-project.ts";

const FILES = {
  "package.json": '{"type":"module"}',
  // Sheds load after a halt, as a watcher of the event loop does whose timer comes late.
  "sheds.js": `let late = 0;
process.on("SIGCONT", () => late = 20);
export default { fetch: () => late-- > 0 ? new Response("busy", { status: 503 }) : new Response("done") };
`,
  // Ends connections that were idle for 0.3 s; a turn of three others takes longer.
  "keep.mjs": `import { createServer } from "node:http";
const server = createServer((_, reply) => reply.setHeader("content-type", "text/plain;charset=UTF-8").end("done"));
server.keepAliveTimeout = 300;
server.keepAliveTimeoutBuffer = 0;
server.listen(Number(process.env.PORT), "127.0.0.1");
`,
  "plain.js": 'export default { fetch: () => new Response("done") };\n',
};

siteTest("servers that shed load or end connections after halts are named, and then measured alone", async (site) => {
  const project = join(site.folder, "project");
  mkdirSync(project);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(project, name), text);
  const before = everything(project);
  const apps = ["--app", "sheds=./project/sheds.js,plain=./project/plain.js", "--program", "keep=./project/keep.mjs"];
  const short = ["--rounds", "3", "--duration", "1s", "--warmup", "1s"];
  const planned = await benchHere(site, ["run", ...apps, "--runtime", "node", ...short, "--dry-run", "--json"]);
  assert.equal(planned.code, 0, planned.stderr);
  const file = threeInTwoRounds(site, planned.stdout);
  const { stdout, stderr } = await bench(site, ["run", "--plan", file, "--yes"], { LEVELFIELD_DRIVER: "bun" });
  const [path] = runsIn(site).map((run) => join(site.results, run));
  assert.ok(path !== undefined, stderr);
  const together = readRun(path).lines.filter(({ kind }) => kind === "ensemble");
  assert.deepEqual(together.map(isOnlyAlone), [false, true], stderr);
  const [first] = together;
  const failed = (app: string) => first!.members.find(({ cell }) => cell.point.at["app"] === app)!.failed ?? [0, 0, 0];
  assert.ok(failed("sheds")[2] > 0 && failed("keep")[0] > 0, JSON.stringify(first!.load?.errors));
  assert.deepEqual([failed("plain"), failed("keep")[2]], [[0, 0, 0], 0]);
  const { answer, families } = readPublishedRun(path).summary;
  assert.ok(families.flatMap(({ comparisons }) => comparisons).every(({ basis }) => basis === "solo"));
  const halts = answer.marks.find(({ code }) => code === "halts")?.text ?? "";
  assert.match(
    halts,
    /^After each halt .*sheds\/node answered (503|with an error status).*, alone (never|hardly ever): so servers were measured alone and are compared by rates\.$/,
  );
  // On a machine that stands still for 0.3 s such a server ends connections alone, too.
  const alone = first!.members.flatMap((member) => member.alone?.marks ?? []);
  if (alone.every(({ code }) => code !== "socket-errors")) assert.match(halts, /connections to keep\/node broke/);
  assert.doesNotMatch(halts, /plain/);
  assert.ok(stdout.replace(/\s+/g, " ").includes(halts), stdout);

  const verified = await benchHere(site, ["verify", path]);
  assert.equal(verified.code, 0, verified.stdout + verified.stderr);
  assert.deepEqual(everything(project), before, "something in the project's folder has changed");
  writeFileSync(join(project, "plain.js"), 'export default { fetch: () => new Response("other") };\n');
  const changed = await benchHere(site, ["run", "--plan", file]);
  assert.equal(changed.code, 2);
  assert.match(changed.stderr, /app "\w+" is not the planned one any more: its source has changed/);
});
