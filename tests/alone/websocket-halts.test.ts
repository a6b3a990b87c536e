/** WebSocket servers that halts make end connections: by a timer that comes late, and by a heartbeat without a pong in time. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isOnlyAlone } from "../../bench/judge/halts.ts";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { readRun } from "../../bench/runs/read-run.ts";
import { readPublishedRun } from "../../bench/runs/published-run.ts";
import { benchHere } from "../command-line.ts";
import { bench, runsIn, siteTest } from "../run-bench.ts";
import { threeInTwoRounds } from "../three-in-two-rounds.ts";

/** A turn of two others takes longer. */
const PATIENT_MS = 300;

const program = (opened: string) =>
  `import { createServer } from "node:http";
import { createRequire } from "node:module";
const { WebSocketServer } = createRequire(${JSON.stringify(join(PROJECT_ROOT, "package.json"))})("ws");
const server = createServer((_, reply) => reply.end("ready"));
new WebSocketServer({ server }).on("connection", (socket) => {
  ${opened}
  socket.on("message", (data) => socket.send(String(data)));
});
server.listen(Number(process.env.PORT), "127.0.0.1");
`;

const FILES = {
  "package.json": '{"type":"module"}',
  "idle.js": program(`const close = () => socket.close(4408, "idle");
  let timer = setTimeout(close, ${PATIENT_MS});
  socket.on("message", () => (clearTimeout(timer), timer = setTimeout(close, ${PATIENT_MS})));`),
  "beat.js": program(`let seen = performance.now();
  socket.on("pong", () => seen = performance.now());
  const beat = () => performance.now() - seen > ${PATIENT_MS} ? socket.terminate() : socket.ping();
  const beats = setInterval(beat, ${PATIENT_MS / 5});
  socket.on("close", () => clearInterval(beats));`),
  "plain.js": program(""),
};

siteTest(
  "servers whose connections do not outlive a halt are named by their connections, and measured alone",
  async (site) => {
    const project = join(site.folder, "project");
    mkdirSync(project);
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(project, name), text);
    const programs = ["idle", "beat", "plain"].flatMap((name) => ["--program", `${name}=./project/${name}.js`]);
    const short = ["--runtime", "node", "--rounds", "3", "--duration", "1s", "--warmup", "1s"];
    const sent = ["--websocket", "/", "--message", "hello"];
    const planned = await benchHere(site, ["run", ...programs, ...sent, ...short, "--dry-run", "--json"]);
    assert.equal(planned.code, 0, planned.stderr);
    const file = threeInTwoRounds(site, planned.stdout);
    const { stdout, stderr } = await bench(site, ["run", "--plan", file, "--yes"]);
    const [path] = runsIn(site).map((run) => join(site.results, run));
    assert.ok(path !== undefined, stderr);
    const together = readRun(path).lines.filter(({ kind }) => kind === "ensemble");
    assert.deepEqual(together.map(isOnlyAlone), [false, true], stderr);
    const failed = (app: string) =>
      together[0]!.members.find(({ cell }) => cell.point.at["app"] === app)!.failed?.[0] ?? 0;
    assert.deepEqual([failed("idle") > 0, failed("beat") > 0, failed("plain")], [true, true, 0], stderr);
    const { answer, families } = readPublishedRun(path).summary;
    assert.ok(families.flatMap(({ comparisons }) => comparisons).every(({ basis }) => basis === "solo"));
    const halts = answer.marks.find(({ code }) => code === "halts")?.text ?? "";
    assert.match(
      halts,
      /^After each halt connections to (idle|beat)\/node .*broke, alone (never|hardly ever): so servers were measured alone and are compared by rates\.$/,
    );
    assert.doesNotMatch(halts, /plain/);
    assert.ok(stdout.replace(/\s+/g, " ").includes(halts), stdout);
  },
);
