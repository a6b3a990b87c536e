/**
 * Starts a PostgreSQL of its own on loopback, pinned to a core, runs bench with a store that reaches it, and ends it:
 * `node examples/database/run.ts [arguments of bench]`. What the database's own CPU time was is told at the end.
 */
import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { chooseCores } from "./cores.ts";
import { startDatabase } from "./server.ts";

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const SERVER_FILE = pathOf("./.server.json");
const STORE = relative(process.cwd(), pathOf("./store.ts"));
const DEFAULT = [
  ...["run", "--store", `postgres=${STORE},sqlite`, "--size", "10k"],
  ...["--alone", "--rounds", "4", "--duration", "2s"],
];

/** Transactions the server has ended: each look-up is one. */
async function transactions(port: number): Promise<number> {
  const sql = postgres({
    host: "127.0.0.1",
    port,
    user: "levelfield",
    database: "postgres",
    max: 1,
    fetch_types: false,
  });
  const [row] =
    await sql`select (xact_commit + xact_rollback)::text as ended from pg_stat_database where datname = 'postgres'`;
  await sql.end();
  return Number(row!["ended"]);
}

const cores = chooseCores();
const given = process.argv.slice(2);
const args = given.length > 0 ? given : DEFAULT;
const placed = args[0] === "run" && cores.server !== cores.load
  ? [...args, "--server-cpus", String(cores.server), "--load-cpus", String(cores.load)]
  : args;
// Whoever presses Ctrl-C ends bench, and then the database is ended here.
process.on("SIGINT", () => {});
const database = await startDatabase(cores.database);
try {
  const where = cores.shared === null ? "a core of its own" : `shared with ${cores.shared}`;
  process.stderr.write(`PostgreSQL on CPU ${cores.database} (${where}), port ${database.port}\n`);
  writeFileSync(SERVER_FILE, JSON.stringify({ port: database.port }) + "\n");
  const [cpuBefore, ended] = [database.cpuSeconds(), await transactions(database.port)];
  const bench = spawn(pathOf("../../bin/bench"), placed, { stdio: "inherit" });
  process.exitCode = await new Promise<number>((resolve) => bench.once("exit", (code) => resolve(code ?? 1)));
  const cpu = database.cpuSeconds() - cpuBefore;
  // What backends counted is there for all to see a second later.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const made = await transactions(database.port) - ended;
  process.stderr.write(
    `PostgreSQL used ${cpu.toFixed(1)} s of CPU time for ${made} transactions, ${
      (1e6 * cpu / made).toFixed(0)
    } µs each, ` +
      "loading included; no figure above holds any of it\n",
  );
} finally {
  rmSync(SERVER_FILE, { force: true });
  await database.stop();
}
