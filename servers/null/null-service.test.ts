/** Null services against the real ones: every driver talks to both and gets the same values. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { userMaker } from "../../stores/dataset/user-at.ts";
import { USER_FIELDS } from "../../stores/user.ts";
import { REDIS_DRIVERS, type RedisClient, SQL_DRIVERS, type SqlClient } from "../../tests/database-drivers.ts";
import { inTemporaryFolder, runtime } from "../../tests/testing.ts";
import { countsOf, nullTest, withNull, withReal } from "../../tests/with-null.ts";
import type { ReadyService } from "../service-line.ts";
import { redisValue, tableText } from "./rows.ts";

const userAt = userMaker(20_260_101);
const users = Array.from({ length: 50 }, (_, index) => userAt(index));
const odd = { ...userAt(50), name: `a\tb\\c\n"d" 'e' 雪 👩‍🚀`, country: null };

/** The tables of the tests, in files that both services read. */
function writeTables(folder: string): Record<string, string> {
  const files = { world: join(folder, "world.tsv"), users: join(folder, "users.tsv") };
  const world = Array.from({ length: 200 }, (_, n) => [n + 1, (n * 7_919) % 10_000 + 1]);
  writeFileSync(files.world, tableText({ id: "int4", randomnumber: "int4" }, world));
  const columns = Object.fromEntries(USER_FIELDS.map((field) => [field, field === "age" ? "int4" : "text"]));
  const rows = [...users, odd].map((user) => USER_FIELDS.map((field) => user[field]));
  writeFileSync(files.users, tableText(columns, rows));
  return files;
}

const twenty = Array.from({ length: 20 }, (_, n) => (n * 37) % 150 + 1);
const places = twenty.map((_, n) => `$${n + 1}`).join(", ");
const ONE = "SELECT id, randomnumber FROM world WHERE id = $1";
const CASES = twenty.slice(0, 5).map((_, n) => `WHEN $${2 * n + 1} THEN $${2 * n + 2}`).join(" ");
const FIVE = twenty.slice(0, 5);

/** Questions of which both services must give the same answers. */
const QUESTIONS: readonly (readonly [sql: string, values?: readonly unknown[]])[] = [
  [ONE, [7]],
  [ONE, [9_999]],
  [ONE, ["007"]],
  ['select "id", "randomnumber" from "world" where "world"."id" = $1', [8]],
  ['SELECT "public"."world"."id" AS "key" FROM "public"."world" WHERE ("public"."world"."id" = $1 AND 1=1) LIMIT $2', [
    9,
    1,
  ]],
  ["select w.* from world as w where w.id = $1 for update", [10]],
  [`SELECT * FROM world WHERE id IN (${places}) ORDER BY id`, twenty],
  [`SELECT * FROM world WHERE id IN (${places}) ORDER BY randomnumber DESC, id LIMIT 5 OFFSET 2`, twenty],
  ["SELECT * FROM world WHERE id = ANY($1::int4[]) ORDER BY id", [`{${twenty}}`]],
  ["select id from world order by id desc limit 3"],
  ["select id from users order by country desc limit 1"],
  ["select count(*) from world"],
  ["select count(*) as all from world where id = $1", [3]],
  ["/* asked */ select 1 as one, 'it''s' as text, null as nothing, true as yes -- so"],
  ["select $1::int4 as n, $2::text as t", [5, "five"]],
  ["SHOW transaction_isolation"],
  ["SELECT * FROM users WHERE id = $1", [users[3]!.id]],
  ['SELECT id, name, "createdAt" AS "at", age FROM users WHERE email = $1 AND age = $2', [
    users[4]!.email,
    users[4]!.age,
  ]],
  ["SELECT * FROM users WHERE id = $1", [odd.id]],
  ["SELECT * FROM users WHERE id = $1", ["0000000000000000"]],
];

/** Changes, all undone at the end. */
const CHANGES: readonly (readonly [sql: string, values?: readonly unknown[]])[] = [
  ["UPDATE world SET randomnumber = $1 WHERE id = $2", [1, 5]],
  ["update world set randomnumber = $1 where id = $2", [1, 9_999]],
  [
    `UPDATE world SET randomnumber = CASE id ${CASES} ELSE randomnumber END WHERE id IN ($11, $12, $13, $14, $15)`,
    [...FIVE.flatMap((id) => [id, 1]), ...FIVE],
  ],
  [
    "UPDATE world SET randomnumber = v.r FROM (VALUES ($1::int, $2::int), ($3::int, $4::int)) AS v (id, r) WHERE world.id = v.id",
    [...[1, 2, 3, 4]],
  ],
  ["UPDATE world w SET randomnumber = v.r FROM unnest($1::int[], $2::int[]) AS v (id, r) WHERE w.id = v.id", [
    "{1,2}",
    "{3,4}",
  ]],
  ["INSERT INTO world (id, randomnumber) VALUES ($1, $2), ($3, $4)", [1_001, 1, 1_002, 2]],
  ["INSERT INTO world VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET randomnumber = excluded.randomnumber", [7, 1]],
  ["DELETE FROM world WHERE id = $1", [11]],
  ["update world set randomnumber = $1 where id in ($2, $3) returning *", [77, 12, 13]],
  ['INSERT INTO "world" ("id", "randomnumber") VALUES ($1, $2) RETURNING "id", "randomnumber" AS "r"', [1_003, 5]],
  ["DELETE FROM world WHERE id = $1 RETURNING id", [12]],
];

/** What a driver says of an error; the two services word theirs differently. */
const refused = (work: Promise<unknown>) => work.then(() => "done", () => "refused");

/** All a driver is asked, as text. */
async function answersOf({ ask, transaction }: SqlClient) {
  const asked = [];
  for (const [sql, values] of QUESTIONS) asked.push([sql, await ask(sql, values)]);
  asked.push(["twenty at once", await Promise.all(twenty.map((id) => ask(ONE, [id])))]);
  const undone = new Error("undone");
  const changed: unknown[] = [];
  await transaction(async (within) => {
    for (const [sql, values] of CHANGES) changed.push([sql, await within(sql, values)]);
    throw undone;
  }).catch((error) => assert.equal(error, undone));
  asked.push(["changes", changed]);
  asked.push([
    "read and written",
    await transaction(async (within) => {
      const read = [];
      for (const id of FIVE) read.push((await within(ONE, [id])).rows);
      for (const id of FIVE) await within("UPDATE world SET randomnumber = randomnumber WHERE id = $1", [id]);
      return read;
    }),
  ]);
  asked.push(["nothing of that name", await refused(ask("SELECT * FROM nowhere WHERE id = $1", [1]))]);
  for (const text of ["x", "1.5", ""]) asked.push(["no number", await refused(ask(ONE, [text]))]);
  const failed = transaction(async (within) => {
    await refused(within("SELECT * FROM nowhere"));
    return await within(ONE, [1]);
  });
  asked.push(["after an error in a transaction", await refused(failed)]);
  asked.push(["and then", await ask(ONE, [twenty[0]!])]);
  return asked;
}

const mine = SQL_DRIVERS.filter(({ runtimes }) => runtimes.includes(runtime.name));

nullTest("every driver of PostgreSQL gets the same from the null one as from the real one", async () => {
  await inTemporaryFolder(async (folder) => {
    const tables = writeTables(folder);
    const answers = async ({ port, env }: ReadyService) => {
      const all: Record<string, unknown> = {};
      for (const driver of mine) {
        const client = await driver.open(`postgres://postgres:${env!["PGPASSWORD"]}@127.0.0.1:${port}/postgres`, 3);
        all[driver.name] = await answersOf(client).finally(() => client.close());
      }
      return all;
    };
    const [fromNull, unknown] = await withNull({ protocol: "postgres", tables }, async (ready) => {
      const all = await answers(ready);
      return [all, (await countsOf(ready, "postgres")).unknown_texts] as const;
    });
    assert.deepEqual([...new Set(unknown)].filter((text) => !text.includes("nowhere")), []);
    const fromReal = await withReal("postgres", tables, answers);
    for (const { name } of fromReal === null ? [] : mine) assert.deepEqual(fromNull[name], fromReal![name], name);
  });
});

const VALUE_BYTES = 40;
const valueOf = (key: string) => redisValue(key, VALUE_BYTES)!;
const keys = Array.from({ length: 20 }, (_, n) => `key ${n}`);

/** All a driver of Redis is asked, as it answers. */
async function repliesOf({ send, transaction }: RedisClient) {
  await send(["MSET", ...keys.flatMap((key) => [key, valueOf(key)])]);
  return [
    await send(["PING"], ["PING", "there"], ["ECHO", "a\r\nb"], ["CLIENT", "SETNAME", "me"], ["CLIENT", "GETNAME"]),
    await send(["GET", keys[0]!], ["GET", "missing"], ["MGET", keys[1]!, "missing", keys[2]!]),
    await send(...keys.map((key) => ["GET", key])),
    await send(["SET", keys[3]!, valueOf(keys[3]!)], ["SET", keys[3]!, valueOf(keys[3]!), "EX", "100"]),
    await send(["EXISTS", keys[4]!, "missing"], ["STRLEN", keys[4]!], ["STRLEN", "missing"], ["DEL", "missing"]),
    await send(["GET"], ["MSET", "a"], ["MSET", "a", "b", "c"], ["NOTHING", "a", "b"], ["SELECT", "99"], ["AUTH", "x"]),
    await send(["EXEC"], ["DISCARD"], ["MULTI"], ["MULTI"], ["GET", keys[5]!], ["EXEC"]),
    await send(["MULTI"], ["GET"], ["GET", keys[5]!], ["EXEC"], ["MULTI"], ["GET", keys[5]!], ["DISCARD"]),
    await transaction(["GET", keys[6]!], ["SET", keys[7]!, valueOf(keys[7]!)], ["MGET", keys[8]!, "missing"]),
  ];
}

nullTest("every driver of Redis gets the same from the null one as from the real one", async () => {
  const drivers = REDIS_DRIVERS.filter(({ runtimes }) => runtimes.includes(runtime.name));
  const replies = async ({ port, env }: ReadyService) => {
    const all: Record<string, unknown> = {};
    for (const driver of drivers) {
      const client = await driver.open(`redis://:${env!["REDIS_PASSWORD"]}@127.0.0.1:${port}/3`);
      all[driver.name] = await repliesOf(client).finally(() => client.close());
    }
    return all;
  };
  const [fromNull, counts] = await withNull({ protocol: "redis", valueBytes: VALUE_BYTES }, async (ready) => {
    const all = await replies(ready);
    return [all, await countsOf(ready, "3")] as const;
  });
  const fromReal = await withReal("redis", {}, replies);
  for (const { name } of fromReal === null ? [] : drivers) assert.deepEqual(fromNull[name], fromReal![name], name);
  assert.deepEqual([...new Set(counts.unknown_texts)], ["NOTHING a b"]);
});
