/** A store of one's own: a PostgreSQL that run.ts has started, reached by the npm package postgres over loopback. */
import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import postgres, { type Sql } from "postgres";
import { linkUsers, USERS_FILE } from "../../stores/files/users-file.ts";
import type { StoreDriver } from "../../stores/store.ts";
import { copyUser, type User } from "../../stores/user.ts";

/** Where run.ts says which server to use: servers under test see none of the caller's environment. */
const SERVER_FILE = new URL("./.server.json", import.meta.url);
/** Connections of one server process; queries on each are pipelined. */
const CONNECTIONS = 4;
/** Users a statement of the load hands over. */
const BATCH = 10_000;

function connect(): Sql {
  if (!existsSync(SERVER_FILE)) {
    throw new Error("no PostgreSQL is there for this store: start bench by examples/database/run.ts");
  }
  const { port } = JSON.parse(readFileSync(SERVER_FILE, "utf8"));
  return postgres({
    host: "127.0.0.1",
    port,
    user: "levelfield",
    database: "postgres",
    max: CONNECTIONS,
    fetch_types: false,
    onnotice: () => {},
  });
}

/**
 * The table of a directory, loaded from its users the first time anybody opens it. Each directory has its own: a copy that
 * requests change is another directory, and the database lives no longer than its run.
 */
async function loadedTable(sql: Sql, directory: string): Promise<string> {
  const hash = createHash("sha256").update(realpathSync(directory)).digest();
  const table = `users_${hash.toString("hex", 0, 8)}`;
  await sql.begin(async (transaction) => {
    // Servers measured together open one directory at the same time.
    await transaction`select pg_advisory_xact_lock(${hash.readInt32BE(0)})`;
    const [there] = await transaction`select to_regclass(${table}) as name`;
    if (there?.["name"] !== null) return;
    await transaction`create table ${transaction(table)} (
      id text primary key, name text not null, email text not null, age int not null, country text not null,
      "createdAt" text not null)`;
    const insert = async (lines: readonly string[]) => {
      await transaction`insert into ${transaction(table)}
        select * from jsonb_to_recordset(${`[${lines.join(",")}]`}::text::jsonb)
        as one(id text, name text, email text, age int, country text, "createdAt" text)`;
    };
    let lines: string[] = [];
    for await (const line of createInterface({ input: createReadStream(join(directory, USERS_FILE)) })) {
      lines.push(line);
      if (lines.length === BATCH) {
        await insert(lines);
        lines = [];
      }
    }
    await insert(lines);
    await transaction`analyze ${transaction(table)}`;
  });
  return table;
}

export const driver: StoreDriver = {
  name: "postgres",
  title: "PostgreSQL in a process of its own, over loopback",
  complexity: "O(log n)",
  durability: "synced",
  runtimes: ["node", "deno", "bun"],
  elsewhere: "PostgreSQL",
  layout: "postgres-1",
  prepare: (source, directory) => linkUsers(source.usersFile, directory),
  async open(directory) {
    const sql = connect();
    const table = await loadedTable(sql, directory);
    return {
      async find(id) {
        const [user] = await sql<User[]>`
          select id, name, email, age, country, "createdAt" from ${sql(table)} where id = ${id}`;
        return user;
      },
      async create(user) {
        const { id, name, email, age, country, createdAt } = copyUser(user);
        await sql`insert into ${sql(table)} values (${id}, ${name}, ${email}, ${age}, ${country}, ${createdAt})
          on conflict (id) do update set name = excluded.name, email = excluded.email, age = excluded.age,
          country = excluded.country, "createdAt" = excluded."createdAt"`;
      },
      async describe() {
        const [facts] = await sql`
          select current_setting('server_version') as version, pg_total_relation_size(${table}::regclass)::int8::text as bytes`;
        return {
          engine: `PostgreSQL ${facts!["version"]}`,
          sqliteVersion: null,
          sqliteSourceId: null,
          pragmas: {},
          diskBytes: Number(facts!["bytes"]),
        };
      },
      close: () => sql.end({ timeout: 5 }),
    };
  },
};
