/** Services of stores, filled as the suite fills them, whose rows each checked directory has to itself. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { orElse } from "../bench/basics/errors.ts";
import { ROWS_FILE } from "../stores/files/service-rows.ts";
import { CHECKED_SEED, CHECKED_SIZE } from "../stores/user/context.ts";
import { prepareDataset } from "../stores/prepared/prepare.ts";
import { loadStore, SERVICE_STORES } from "../stores/registry.ts";
import { SMALL_SIZES } from "../stores/store-checks.ts";
import type { OpenOptions } from "../stores/store.ts";
import { users } from "../suites/users/suite.ts";
import { keptService, startKept } from "./kept-service.ts";
import { isServiceHere } from "./service-here.ts";
import { inTemporaryFolder, sha256, until } from "./testing.ts";

/** The folder of the socket by which a PostgreSQL's superuser comes, as the options it was started with say. */
function socketFolder(port: number): string {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const words = orElse(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"), "").split("\0");
    const folder = words.find((word) => word.startsWith("unix_socket_directories="))?.split("=")[1];
    if (folder !== undefined && words[words.indexOf("-p") + 1] === String(port)) return folder;
  }
  throw new Error(`no PostgreSQL at port ${port}`);
}

/** A service that holds rows of several data sets and shows one of them at a time. */
interface RowService {
  readonly options: NonNullable<OpenOptions["service"]>;
  /** Ends all connections and shows the rows of a file as if nothing had changed them. */
  show(rows: string): Promise<void>;
}

const HOST = "127.0.0.1";

const hashOf = (directory: string) => sha256(readFileSync(join(directory, ROWS_FILE)));

/** The suite's service of a store, filled from a directory. */
const specOf = (store: string, directory: string) => users.services!({ suite: "users", at: { store } }, directory)[0]!;

/** Prepares the rows of every checked size; gives the directory of each by the hash of its rows. */
async function preparedRows(store: string, folder: string): Promise<Map<string, string>> {
  const driver = await loadStore(store);
  const directories = new Map<string, string>();
  for (const size of [CHECKED_SIZE, ...SMALL_SIZES]) {
    const { usersFile } = await prepareDataset({ dataDirectory: folder, seed: CHECKED_SEED, size });
    const directory = join(folder, `rows-${size}`);
    mkdirSync(directory);
    await driver.prepare({ usersFile, size }, directory);
    directories.set(hashOf(directory), directory);
  }
  return directories;
}

/** One PostgreSQL with a table for each data set, which is copied to the table that stores ask. */
async function postgresOf(rows: ReadonlyMap<string, string>): Promise<RowService | null> {
  const hashes = [...rows.keys()];
  const commands = [...rows.values()].map((directory, n) =>
    specOf("postgres", directory).command.map((word) => word.replace(/^users=/, `filled_${n}=`))
  );
  const service = await keptService({ command: commands.flatMap((words, n) => n === 0 ? words : words.slice(2)) });
  if (service === null) return null;
  const { port, env } = service;
  const socket = socketFolder(port);
  const connect = () =>
    postgres({ host: socket, port, user: "levelfield", database: "postgres", max: 1, onnotice() {} });
  const first = connect();
  // The server never dies here: nothing waits for its disk.
  await first`ALTER DATABASE postgres SET synchronous_commit = off`;
  await first.end();
  return {
    options: { host: HOST, port, password: env!["PGPASSWORD"]! },
    async show(hash) {
      const sql = connect();
      const others = sql`FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
      // A store that was killed may have sent what has not been done yet.
      await until(async () => (await sql`SELECT pg_terminate_backend(pid) ${others}`).length === 0);
      const place = hashes.indexOf(hash);
      assert.ok(place >= 0, "these are no users of a checked size");
      const source = `filled_${place}`;
      await sql.unsafe(`DROP TABLE IF EXISTS users; CREATE TABLE users (LIKE ${source} INCLUDING ALL);
        INSERT INTO users SELECT * FROM ${source}; ALTER TABLE users OWNER TO postgres`);
      await sql.end();
    },
  };
}

/** A Redis with the rows of a directory, for that alone: apps may not empty one, and it starts in a moment. */
async function redisOf(directory: string): Promise<RowService["options"]> {
  const { port, env } = (await startKept(specOf("redis", directory).command))!;
  return { host: HOST, port, password: env!["REDIS_PASSWORD"]! };
}

let kept: Promise<RowService | null> | undefined;

/** The PostgreSQL of this process with the rows of each checked size; null where it is not installed. */
const keptPostgres = (store: string): Promise<RowService | null> =>
  kept ??= inTemporaryFolder(async (folder) => await postgresOf(await preparedRows(store, folder)));

/**
 * Works with directories of a store that hold users of {@link CHECKED_SEED}, each with a service filled from it as the suite
 * fills it; undefined where the service is not installed. A directory's rows are there until the next one is asked for.
 */
export async function withStoreServices<T>(
  store: string,
  work: (optionsOf: (directory: string) => Promise<OpenOptions>) => Promise<T>,
): Promise<T | undefined> {
  const { service: name } = SERVICE_STORES[store]!;
  if (!isServiceHere(name)) return undefined;
  if (name === "redis") {
    const made = new Map<string, Promise<RowService["options"]>>();
    return await work(async (directory) => {
      if (!made.has(directory)) made.set(directory, redisOf(directory));
      return { service: await made.get(directory)! };
    });
  }
  const service = await keptPostgres(store);
  if (service === null) return undefined;
  const asked: string[] = [];
  return await work(async (directory) => {
    if (asked.at(-1) !== directory) {
      assert.ok(!asked.includes(directory), `the rows of "${directory}" went to another directory meanwhile`);
      asked.push(directory);
      await service.show(hashOf(directory));
    }
    return { service: service.options };
  });
}
