/** Drivers of databases as the tests use them: one face, so that the same questions go through each. */
import type { RuntimeName } from "../servers/runtime.ts";

/** What a statement gave: rows as the driver makes them, and how many rows it read or changed. */
export interface Answer {
  readonly rows: readonly unknown[];
  readonly count: number;
}

/** Asks one statement; values stand for `$1`, `$2` and so on. */
export type Ask = (sql: string, values?: readonly unknown[]) => Promise<Answer>;

/** A driver that is connected. */
export interface SqlClient {
  readonly ask: Ask;
  /** All that `work` asks is one transaction, which ends with it. */
  transaction<T>(work: (ask: Ask) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A driver of PostgreSQL in one of the ways it may be used. */
interface SqlDriver {
  readonly name: string;
  readonly runtimes: readonly RuntimeName[];
  open(url: string, connections: number): Promise<SqlClient>;
}

const EVERYWHERE = ["node", "deno", "bun"] as const;

/** Types are not looked at: a checkout may have older packages. */
// deno-lint-ignore no-explicit-any
const load = (name: string): Promise<any> => import(name);

/** What of pg, postgres and Bun.sql is used. */
interface PgLike {
  query(
    query: { name?: string; text: string; values: readonly unknown[] },
  ): Promise<{ rows: unknown[]; rowCount: number }>;
}
interface SqlLike {
  unsafe(text: string, values?: readonly unknown[], options?: object): Promise<unknown[] & { count: number }>;
  begin<T>(work: (sql: SqlLike) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

const pg = (named: boolean): SqlDriver => ({
  name: named ? "pg, named statements" : "pg",
  runtimes: EVERYWHERE,
  async open(url, max) {
    const { Pool } = (await load("pg")).default;
    const pool = new Pool({ connectionString: url, max });
    // A service may end before its connections have closed.
    pool.on("error", () => {});
    const names = new Map<string, string>();
    const nameOf = (text: string) => {
      if (!names.has(text)) names.set(text, `statement ${names.size}`);
      return named ? { name: names.get(text)! } : {};
    };
    const askOver = (client: PgLike): Ask => async (text, values = []) => {
      const { rows, rowCount } = await client.query({ ...nameOf(text), text, values });
      return { rows, count: rowCount };
    };
    return {
      ask: askOver(pool),
      async transaction(work) {
        const client = await pool.connect();
        try {
          await client.query("BEGIN");
          const result = await work(askOver(client));
          await client.query("COMMIT");
          return result;
        } catch (error) {
          await client.query("ROLLBACK");
          throw error;
        } finally {
          client.release();
        }
      },
      close: () => pool.end(),
    };
  },
});

const sqlClient = (sql: SqlLike, options: object): SqlClient => {
  const askOver = (over: SqlLike): Ask => async (text, values) => {
    const rows = await over.unsafe(text, values, options);
    return { rows: [...rows], count: rows.count };
  };
  return { ask: askOver(sql), transaction: (work) => sql.begin((over) => work(askOver(over))), close: () => sql.end() };
};

const postgres = (prepare: boolean): SqlDriver => ({
  name: prepare ? "postgres" : "postgres, not prepared",
  runtimes: EVERYWHERE,
  open: async (url, max) => sqlClient((await load("postgres")).default(url, { max }), { prepare }),
});

const bunSql = (prepare: boolean): SqlDriver => ({
  name: prepare ? "Bun.sql" : "Bun.sql, not prepared",
  runtimes: ["bun"],
  open: async (url, max) => sqlClient(new (await load("bun")).SQL(url, { max, prepare }), {}),
});

/** All drivers of PostgreSQL, each in its default use and its other one. */
export const SQL_DRIVERS: readonly SqlDriver[] = [
  pg(false),
  pg(true),
  postgres(true),
  postgres(false),
  bunSql(true),
  bunSql(false),
];

/** A driver of Redis that is connected: sends commands as they are, all at once where there are several. */
export interface RedisClient {
  /** Replies, an error's text in its place. */
  send(...commands: readonly (readonly string[])[]): Promise<readonly unknown[]>;
  /** The same as one transaction of the driver's own kind. */
  transaction(...commands: readonly (readonly string[])[]): Promise<unknown>;
  close(): Promise<void>;
}

/** A driver of Redis in one of the ways it may be used. */
interface RedisDriver {
  readonly name: string;
  readonly runtimes: readonly RuntimeName[];
  open(url: string): Promise<RedisClient>;
}

const settled = async (replies: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(replies)).map((one) => one.status === "fulfilled" ? one.value : String(one.reason.message));

const ioredis = (autoPipelining: boolean): RedisDriver => ({
  name: autoPipelining ? "ioredis, pipelined by itself" : "ioredis",
  runtimes: EVERYWHERE,
  async open(url) {
    const client = new (await load("ioredis")).default(url, { enableAutoPipelining: autoPipelining });
    client.on("error", () => {});
    return {
      send: (...commands) => settled(commands.map(([name, ...args]) => client.call(name, ...args))),
      transaction: (...commands) =>
        client.multi(commands.map(([name, ...args]) => [name!.toLowerCase(), ...args])).exec(),
      async close() {
        await client.quit();
      },
    };
  },
});

const redis = (RESP: 2 | 3): RedisDriver => ({
  name: `redis, RESP${RESP}`,
  runtimes: EVERYWHERE,
  async open(url) {
    const client = await (await load("redis")).createClient({ url, RESP }).connect();
    client.on("error", () => {});
    return {
      send: (...commands) => settled(commands.map((words) => client.sendCommand(words))),
      transaction: (...commands) => commands.reduce((multi, words) => multi.addCommand(words), client.multi()).exec(),
      close: () => client.close(),
    };
  },
});

const bunRedis: RedisDriver = {
  name: "Bun.redis",
  runtimes: ["bun"],
  async open(url) {
    const client = new (await load("bun")).RedisClient(url);
    await client.connect();
    const send = ([name, ...args]: readonly string[]) => client.send(name, args);
    return {
      send: (...commands) => settled(commands.map(send)),
      async transaction(...commands) {
        const replies = await Promise.all([["MULTI"], ...commands, ["EXEC"]].map(send));
        return replies.at(-1);
      },
      async close() {
        await client.close();
      },
    };
  },
};

/** All drivers of Redis. */
export const REDIS_DRIVERS: readonly RedisDriver[] = [ioredis(false), ioredis(true), redis(2), redis(3), bunRedis];
