import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STORE_NAMES } from "../../stores/registry.ts";
import { findProgram, startChild } from "../host/child.ts";
import { childEnvironment } from "../host/runtimes.ts";
import { prepareData } from "../trial/prepare-data.ts";
import type { Measurement } from "./measurements.ts";
import type { SelfSite } from "./self-site.ts";

const SIZE = 1_000_000;

/** Time to build a data set of 1M users and all stores' files, cold, on one core; SQLite's part against `.import`. */
export async function measureBuild(site: SelfSite): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-self-"));
  try {
    site.say("build: 1M users and all stores");
    const started = performance.now();
    const { parts, failed } = await prepareData({
      dataDirectory: folder,
      seed: 42,
      sizes: [SIZE],
      stores: STORE_NAMES,
      cpus: site.equipment.placement.serverCpus,
      onStart: site.interrupts.onStart,
    });
    const seconds = (performance.now() - started) / 1000;
    if (failed !== null) throw new Error(failed);
    const sqlite = parts.find((part) => part.part === "sqlite")!;
    const dataset = parts.find((part) => part.part === "dataset")!;
    const total: Measurement = {
      part: "build",
      name: "seconds to build 1M users and all stores on one core",
      ratio: seconds,
      goal: { most: 20 },
      note: `of it SQLite ${(sqlite.buildMs / 1000).toFixed(1)} s`,
    };
    const importMs = await sqliteImportMs(site, folder, join(dataset.directory, "users.jsonl"));
    const against: Measurement = {
      part: "build",
      name: "SQLite's part / sqlite3 .import of the same rows",
      ratio: typeof importMs === "number" ? sqlite.buildMs / importMs : null,
      goal: { most: 1.5 },
      note: typeof importMs === "number" ? `.import takes ${(importMs / 1000).toFixed(1)} s` : importMs,
    };
    return [total, against];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const SCHEMA = "CREATE TABLE users (id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, email TEXT NOT NULL, " +
  "age INTEGER NOT NULL, country TEXT NOT NULL, createdAt TEXT NOT NULL) STRICT, WITHOUT ROWID;";

/** Milliseconds `sqlite3 .import` takes for the same rows as CSV into the same table, or why it could not be measured. */
async function sqliteImportMs(site: SelfSite, folder: string, usersFile: string): Promise<number | string> {
  const sqlite3 = findProgram("sqlite3");
  if (sqlite3 === undefined) return "sqlite3 is not installed (apt-get install -y sqlite3)";
  const csv = join(folder, "users.csv");
  const run = async (script: string, database: string) => {
    const file = join(folder, "script.sql");
    writeFileSync(file, script);
    const started = performance.now();
    const child = startChild({
      file: sqlite3,
      args: [database, `.read ${file}`],
      cpus: site.equipment.placement.serverCpus,
      env: childEnvironment(),
    });
    site.interrupts.onStart(() => child.kill("SIGKILL"));
    const ending = await child.ended;
    const fine = "code" in ending && ending.code === 0 && child.stderrTail() === "";
    return fine ? performance.now() - started : child.stderrTail().split("\n")[0] || "sqlite3 failed";
  };
  site.say("build: sqlite3 .import");
  const columns = ["id", "name", "email", "age", "country", "createdAt"];
  const written = await run(
    `CREATE TABLE lines (line TEXT);\n.mode ascii\n.separator "\\001" "\\n"\n.import ${usersFile} lines\n` +
      `.headers off\n.mode csv\n.once ${csv}\n` +
      `SELECT ${columns.map((name) => `line ->> '$.${name}'`).join(", ")} FROM lines;\n`,
    ":memory:",
  );
  if (typeof written === "string") return written;
  return await run(`${SCHEMA}\n.mode csv\n.import ${csv} users\n`, join(folder, "import.db"));
}
