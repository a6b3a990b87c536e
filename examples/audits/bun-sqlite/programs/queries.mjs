// The tables in bun:sqlite on Bun, in better-sqlite3 on Node.
import process from "node:process";
import { readersOf } from "./tables.mjs";

const { default: Database } = await import(process.versions.bun === undefined ? "better-sqlite3" : "bun:sqlite");

export default readersOf(new Database(":memory:"));
