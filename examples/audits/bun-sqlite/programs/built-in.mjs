// The tables in what each runtime has by itself: bun:sqlite on Bun, node:sqlite on Node.
import process from "node:process";
import { readersOf } from "./tables.mjs";

const isNode = process.versions.bun === undefined;
const { DatabaseSync, Database } = await import(isNode ? "node:sqlite" : "bun:sqlite");

export default readersOf(isNode ? new DatabaseSync(":memory:") : new Database(":memory:"));
