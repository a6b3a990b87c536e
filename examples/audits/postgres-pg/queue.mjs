// CPU time of a query of Postgres.js while a hundred are always in flight: as it is, and with a queue that drops what it
// has handed out. The rows come from the null PostgreSQL of this project; wrk has to be there.
//
//     node examples/audits/postgres-pg/queue.mjs
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as rest } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

const WINDOWS = 6, WINDOW_MS = 1_500, IN_FLIGHT = 100, CONNECTIONS = 4, ROWS = 10_000;
const HANDED_OUT = "xs[index - 1] = undefined";

const folder = mkdtempSync(join(tmpdir(), "postgres-queue-"));
const rows = Array.from({ length: ROWS }, (_, n) => `${n + 1}\t${n}\n`).join("");
writeFileSync(join(folder, "world.tsv"), `id int4\trandomnumber int4\n${rows}`);
const service = spawn("wrk", [
  ...["-t1", "-c1", "-d1", "-s", join(import.meta.dirname, "../../../servers/null/postgres.lua")],
  ...["-H", `table-world: ${join(folder, "world.tsv")}`, "-H", "end: stdin", "http://127.0.0.1:0"],
], { stdio: ["pipe", "pipe", "inherit"] });
const { port, env } = JSON.parse(await new Promise((said) => service.stdout.once("data", said)));

/** Prints the CPU time of a query in each window. */
async function measure(name, source) {
  const { default: postgres } = await import(pathToFileURL(source).href);
  const [password] = Object.values(env);
  const sql = postgres({ host: "127.0.0.1", port, user: "world", database: "world", password, max: CONNECTIONS });
  let done = 0, isOver = false;
  const ask = async () => {
    while (!isOver) await sql`SELECT id, randomnumber FROM world WHERE id = ${1 + done++ % ROWS}`;
  };
  const all = Array.from({ length: IN_FLIGHT }, ask), costs = [];
  for (let window = 0; window < WINDOWS; window++) {
    const before = done, since = process.cpuUsage();
    await rest(WINDOW_MS);
    const { user, system } = process.cpuUsage(since);
    costs.push(`${((user + system) / (done - before)).toFixed(1)} µs`);
  }
  isOver = true;
  await Promise.all(all);
  await sql.end();
  process.stdout.write(`${name}: ${costs.join(", ")} a query\n`);
}

const as = dirname(dirname(fileURLToPath(import.meta.resolve("postgres"))));
const mended = join(folder, "postgres");
cpSync(as, mended, { recursive: true });
const queue = readFileSync(join(as, "src", "queue.js"), "utf8");
if (!queue.includes(HANDED_OUT)) throw new Error("this version of Postgres.js has another queue");
const drops = `${HANDED_OUT}; if (index > 256) { xs = xs.slice(index); index = 0 }`;
writeFileSync(join(mended, "src", "queue.js"), queue.replace(HANDED_OUT, drops));
await measure("as it is", join(as, "src", "index.js"));
await measure("mended", join(mended, "src", "index.js"));
service.stdin.end();
rmSync(folder, { recursive: true });
