import { writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { join } from "node:path";
import { Redis } from "ioredis";
import pg from "pg";
import postgres from "postgres";
import { createClient } from "redis";
import { scratchFolder } from "../../../bench/process/scratch-folder.ts";
import { withGuarded } from "./guarded.ts";
import type { StreamTarget } from "./targets.ts";

const ROWS = 50, PLACES = [3, 20, 7];
const ONE = "SELECT id, randomnumber FROM world WHERE id = $1";
const SOME = "SELECT id, randomnumber FROM world WHERE id = ANY($1)";
const CHANGE = "UPDATE world SET randomnumber = $1 WHERE id = $2";

const same = (found: unknown, due: unknown) => {
  const [a, b] = [found, due].map((value) => JSON.stringify(value));
  if (a !== b) throw new Error(`it answered ${a}, not ${b}`);
};
const rowOf = (id: number) => ({ id, randomnumber: 2 * id });

/** Sends bytes on a connection of their own. Resolves with the replies once the server has closed it. */
const sendRaw = (port: number, bytes: Buffer) =>
  new Promise<string>((resolve, reject) => {
    const parts: Buffer[] = [], socket = createConnection(port, "127.0.0.1").on("error", reject);
    socket.on("data", (part: Buffer) => parts.push(part)).once("close", () => resolve(String(Buffer.concat(parts))));
    socket.write(bytes);
  });

const int = (size: 2 | 4, number: number) => {
  const bytes = Buffer.alloc(size);
  bytes.writeIntBE(number, 0, size);
  return bytes;
};
const joined = (parts: readonly (string | Buffer)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));
const message = (kind: string, ...parts: readonly (string | Buffer)[]) => {
  const body = joined(parts);
  return Buffer.concat([Buffer.from(kind), int(4, body.length + 4), body]);
};
const bind = (portal: string, name: string, binary: Buffer) =>
  message(
    "B",
    `${portal}\0${name}\0`,
    int(2, 1),
    int(2, 1),
    int(2, 1),
    int(4, binary.length),
    binary,
    int(2, 1),
    int(2, 1),
  );
const array = joined([1, 0, 23, 3, 1, ...PLACES.flatMap((place) => [4, place])].map((number) => int(4, number)));

/** Messages that drivers rarely send: binary arrays, portals read in parts, and data of a COPY that was refused. */
const PORTALS = joined([
  message("", int(4, 196_608), "user\0postgres\0database\0raw\0\0"),
  message("P", `one\0${ONE}\0`, int(2, 1), int(4, 23)),
  message("P", `some\0${SOME}\0`, int(2, 1), int(4, 1_007)),
  message("D", "Sone\0"),
  bind("", "one", int(4, 9)),
  message("E", "\0", int(4, 0)),
  message("H"),
  bind("a", "some", array),
  message("D", "Pa\0"),
  ...[2, 2].map((most) => message("E", "a\0", int(4, most))),
  message("C", "Pa\0"),
  message("S"),
  message("Q", "BEGIN; SELECT count(*) FROM world; ROLLBACK\0"),
  message("d", "1\t2\n"),
  message("c"),
  message("X"),
]);

async function askPostgres(port: number): Promise<void> {
  const at = { host: "127.0.0.1", port, user: "postgres", database: "postgres", password: "null" };
  for (const named of [false, true]) {
    const client = new pg.Client(at).on("error", () => {});
    await client.connect();
    const ask = async (text: string, values: unknown[]) =>
      (await client.query({ ...named && { name: `of ${text.length}` }, text, values })).rows;
    await client.query("BEGIN");
    for (const place of PLACES) same(await ask(ONE, [place]), [rowOf(place)]);
    same(await ask(SOME, [PLACES]), [...PLACES].sort((a, b) => a - b).map(rowOf));
    same(await ask(`${CHANGE} RETURNING *`, [8, 4]), [{ id: 4, randomnumber: 8 }]);
    same(await ask("SELECT $1::text AS x", [Buffer.from("a'b")]), [{ x: "a'b" }]);
    await client.query("ROLLBACK");
    same(await ask(ONE, ["x"]).catch(({ code }) => code), "22P02");
    await client.end();
  }
  const sql = postgres({ ...at, max: 1 });
  const rows = await Promise.all(PLACES.map((place) => sql`SELECT id, randomnumber FROM world WHERE id = ${place}`));
  same(rows.flat(), PLACES.map(rowOf));
  await sql.begin(async (sql) => await sql`UPDATE world SET randomnumber = ${1} WHERE id = ${2}`);
  await sql.end();
  const said = await sendRaw(port, PORTALS);
  same(said.split("SELECT").length, 4);
}

/** Messages that drivers rarely send: commands that are lines, errors in a transaction, and many words. */
const LINES = joined([
  "PING\r\nSET a b EX 100\r\nGET  a\r\n",
  "*4\r\n$5\r\nHELLO\r\n$1\r\n3\r\n$7\r\nSETNAME\r\n$2\r\nme\r\n",
  "*1\r\n$5\r\nMULTI\r\n*2\r\n$4\r\nECHO\r\n$3\r\na\r\n\r\n*1\r\n$3\r\nGET\r\n*1\r\n$4\r\nEXEC\r\n",
  `*101\r\n$4\r\nMGET\r\n${"$3\r\nkey\r\n".repeat(100)}`,
  `*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$5000\r\n${"x".repeat(5_000)}\r\n`,
  "*1\r\n$4\r\nQUIT\r\n",
]);

async function askRedis(port: number): Promise<void> {
  const value = (key: string) => `${key}:`.repeat(100).slice(0, 100);
  // A client that tries again for ever would outlive a server that has crashed.
  const at = { host: "127.0.0.1", port, password: "null", db: 3, retryStrategy: () => null };
  const first = new Redis(at).on("error", () => {});
  same(await Promise.all(["a", "missing"].map((key) => first.get(key))), [value("a"), null]);
  same(await first.multi().set("a", "b", "EX", 100).mget("b", "c").exec(), [[null, "OK"], [
    null,
    ["b", "c"].map(value),
  ]]);
  same(await first.call("NOTHING").catch(() => "refused"), "refused");
  await first.quit();
  for (const RESP of [2, 3] as const) {
    const url = `redis://:null@127.0.0.1:${port}`, socket = { reconnectStrategy: false } as const;
    const client = createClient({ url, socket, RESP }).on("error", () => {});
    await client.connect();
    same(await Promise.all(["a", "bc"].map((key) => client.get(key))), ["a", "bc"].map(value));
    same(await client.multi().get("d").exists("missing").exec(), [value("d"), 0]);
    await client.close();
  }
  same((await sendRaw(port, LINES)).slice(-5), "+OK\r\n");
}

const talks = (ask: (port: number) => Promise<void>): StreamTarget["talk"] => async (port) => {
  try {
    await ask(port);
    return null;
  } catch (error) {
    return String(error);
  }
};

const FOLDER = "servers/null";

/** Null services of databases, with streams of their drivers. */
export const NULL_SERVICES: readonly StreamTarget[] = [
  {
    name: "null PostgreSQL",
    reads: "requests",
    async serve(use) {
      const folder = scratchFolder("rows"), file = join(folder.path, "world.tsv");
      try {
        const rows = Array.from({ length: ROWS }, (_, n) => Object.values(rowOf(n + 1)).join("\t"));
        writeFileSync(file, ["id int4\trandomnumber int4", ...rows, ""].join("\n"));
        return await withGuarded({ script: `${FOLDER}/postgres.lua`, headers: { "table-world": file } }, use);
      } finally {
        folder.remove();
      }
    },
    talk: talks(askPostgres),
  },
  {
    name: "null Redis",
    reads: "requests",
    serve: (use) => withGuarded({ script: `${FOLDER}/redis.lua` }, use),
    talk: talks(askRedis),
  },
];
