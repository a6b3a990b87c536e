/**
 * The other process that writes an app's SQLite file: it takes the file's one write lock again and again and keeps it for
 * a moment, as a process does that waits for something inside a transaction. It costs little of the core it shares.
 *
 * Started with one JSON argument by contention.ts. Prints a line once it has written, a second with its counts when it
 * has to stop writing, and ends when its stdin closes.
 */
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { COLUMNS, openDatabase } from "../../stores/sqlite/database.ts";
import type { OpenOptions } from "../../stores/store.ts";
import { isBusy } from "./busy.ts";
import { createdUserMaker, OTHERS_FROM } from "./workloads.ts";

/** Arguments of the process. */
export interface OtherWriterRequest {
  readonly directory: string;
  readonly dataSeed: number;
  readonly options: OpenOptions;
}

/** Milliseconds inside a transaction and between two: timers of all runtimes keep whole ones. */
const HOLD_MS = 1;
const REST_MS = 2;

const { directory, dataSeed, options }: OtherWriterRequest = JSON.parse(process.argv.at(-1)!);
const userOf = createdUserMaker(dataSeed);
const { connection, close } = await openDatabase(directory, options);
const insert = connection.prepare(`INSERT INTO users (${COLUMNS}) VALUES (?,?,?,?,?,?)`);

let writes = 0;
let busy = 0;
let writing = true;

function insertNext(): void {
  const { id, name, email, age, country, createdAt } = userOf(OTHERS_FROM + writes);
  insert.run(id, name, email, age, country, createdAt);
  writes += 1;
}

const say = (event: Readonly<Record<string, number>>) => process.stdout.write(JSON.stringify(event) + "\n");

async function write(): Promise<void> {
  while (writing) {
    try {
      connection.exec("BEGIN IMMEDIATE");
    } catch (error) {
      if (!isBusy(error)) throw error;
      busy += 1;
      await sleep(REST_MS);
      continue;
    }
    insertNext();
    await sleep(HOLD_MS);
    insertNext();
    connection.exec("COMMIT");
    if (writes === 2) say({ writes });
    await sleep(REST_MS);
  }
}

const written = write();
createInterface({ input: process.stdin }).on("line", async () => {
  writing = false;
  await written;
  const { rows } = connection.prepare("SELECT count(*) AS rows FROM users").get() as { rows: number };
  say({ writes, busy, rows });
}).on("close", async () => {
  writing = false;
  await written;
  close();
});
await written;
