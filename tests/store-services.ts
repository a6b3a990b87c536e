/** Services of stores, filled as the suite fills them, whose rows each checked directory has to itself. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import postgres from "postgres";
import { ROWS_FILE } from "../stores/files/service-rows.ts";
import { CHECKED_SEED, CHECKED_SIZE } from "../stores/own/context.ts";
import { prepareDataset } from "../stores/prepared/prepare.ts";
import { loadStore, SERVICE_STORES } from "../stores/registry.ts";
import { SMALL_SIZES } from "../stores/store-checks.ts";
import type { OpenOptions } from "../stores/store.ts";
import { users } from "../suites/users/suite.ts";
import { keptService } from "./kept-service.ts";
import { inTemporaryFolder, sha256, until } from "./testing.ts";

/** A service that holds rows of several data sets and shows one of them at a time. */
interface RowService {
  readonly port: number;
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
  const { port } = service;
  const connect = () => postgres({ host: HOST, port, user: "postgres", database: "postgres", max: 1, onnotice() {} });
  const first = connect();
  // The server never dies here: nothing waits for its disk.
  await first`ALTER DATABASE postgres SET synchronous_commit = off`;
  await first.end();
  return {
    port,
    async show(hash) {
      const sql = connect();
      const others = sql`FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
      // A store that was killed may have sent what has not been done yet.
      await until(async () => (await sql`SELECT pg_terminate_backend(pid) ${others}`).length === 0);
      const source = `filled_${hashes.indexOf(hash)}`;
      await sql.unsafe(`DROP TABLE IF EXISTS users; CREATE TABLE users (LIKE ${source} INCLUDING ALL);
        INSERT INTO users SELECT * FROM ${source}`);
      await sql.end();
    },
  };
}

/** Copies all keys from one of Redis' databases to another that has none. */
const COPY_KEYS = `redis.call('SELECT', ARGV[2]) redis.call('FLUSHDB') redis.call('SELECT', ARGV[1])
  for _, key in ipairs(redis.call('KEYS', '*')) do redis.call('COPY', key, key, 'DB', ARGV[2]) end`;

/** A Redis for each data set; its rows are kept in a database that stores do not ask. */
async function redisOf(directory: string): Promise<RowService | null> {
  const service = await keptService(specOf("redis", directory));
  if (service === null) return null;
  const { port } = service;
  const copy = async (from: number, to: number) => {
    const client = new Redis({ host: HOST, port });
    await client.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    await client.eval(COPY_KEYS, 0, from, to);
    await client.quit();
  };
  await copy(0, 1);
  return { port, show: () => copy(1, 0) };
}

type Rows = Map<string, Promise<RowService | null>>;
const services = new Map<string, Promise<Rows>>();

/** Services of a store by the hash of the rows they hold. */
function servicesOf(store: string): Promise<Rows> {
  const { service } = SERVICE_STORES[store]!;
  const make = () =>
    inTemporaryFolder(async (folder): Promise<Rows> => {
      const rows = await preparedRows(store, folder);
      const one = service === "postgres" ? postgresOf(rows) : null;
      const all = [...rows].map(([hash, directory]) => [hash, one ?? redisOf(directory)] as const);
      await Promise.all(all.map(([, made]) => made));
      return new Map(all);
    });
  if (!services.has(service)) services.set(service, make());
  return services.get(service)!;
}

/**
 * Works with directories of a store that hold users of {@link CHECKED_SEED}, each with a service filled from it as the suite
 * fills it; undefined where the service is not installed. A directory's rows are there until the next one is asked for.
 */
export async function withStoreServices<T>(
  store: string,
  work: (optionsOf: (directory: string) => Promise<OpenOptions>) => Promise<T>,
): Promise<T | undefined> {
  const rows = await servicesOf(store);
  if ((await [...rows.values()][0]) === null) return undefined;
  const asked: string[] = [];
  return await work(async (directory) => {
    const hash = hashOf(directory);
    const service = await rows.get(hash);
    assert.ok(service, `"${directory}" has no users of a checked size`);
    if (asked.at(-1) !== directory) {
      assert.ok(!asked.includes(directory), `the rows of "${directory}" went to another directory meanwhile`);
      asked.push(directory);
      await service.show(hash);
    }
    return { service: { host: HOST, port: service.port } };
  });
}
