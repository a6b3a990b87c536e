/** Null services and clients whose messages lie: no length, count or text leads beyond what was sent. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ReadyService } from "../servers/service-line.ts";
import { conversation, opened, ready } from "./postgres-conversation.ts";
import { bind, execute, int4, message, messagesOf, parse, query, sync } from "./postgres-messages.ts";
import { inTemporaryFolder } from "./testing.ts";
import { nullTest, rawClient, withNull, withReal } from "./with-null.ts";

const bytes = (...parts: readonly (number | string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => typeof part === "number" ? int4(part).subarray(2) : Buffer.from(part)));

/** A Bind to the unnamed portal of a statement: all after the names. */
const bindOf = (name: string, ...rest: readonly (number | string | Buffer)[]) =>
  message("B", bytes("\0", `${name}\0`, ...rest));

/** A Bind of one value in binary form. */
const binary = (name: string, value: Buffer) => bindOf(name, 1, 1, 1, int4(value.length), value, 0);

/** A binary array: what its head says, then what follows. */
const array = (dimensions: number, flags: number, type: number, ...rest: readonly number[]) =>
  Buffer.concat([dimensions, flags, type, ...rest].map(int4));

const MOST = 2 ** 31 - 1;
const TYPES = { bool: 16, int8: 20, int2: 21, int4: 23, float8: 701, uuid: 2950, "int4[]": 1007 };

/** Messages that go beyond their end or hold too much, each before a Sync unless it is a query. */
const MALFORMED: Readonly<Record<string, readonly Buffer[]>> = {
  "a value longer than its message by a little": [bindOf("text", 0, 1, int4(200_000), "x")],
  "a value longer than its message by far": [bindOf("text", 0, 1, int4(500_000_000), "x")],
  "a value of the largest length": [bindOf("text", 0, 1, int4(MOST), "x", 0)],
  "a value of negative length": [bindOf("text", 0, 1, int4(-2), 0)],
  "a value without all of its length": [bindOf("text", 0, 1, "\0\0")],
  "no values": [bindOf("text", 0)],
  "nothing after the names": [bindOf("text")],
  "more values than sent": [bindOf("two", 0, 2, int4(1), "1")],
  "more values than wanted": [bindOf("text", 0, 65_535, int4(1), "1", 0)],
  "more formats than sent": [bindOf("text", 65_535, 1, 1, int4(1), "1", 0)],
  "more formats than values": [bindOf("text", 2, 0, 0, 1, int4(1), "1", 0)],
  "a format of no kind": [bindOf("text", 1, 2, 1, int4(1), "1", 0)],
  "no formats of results": [bindOf("text", 0, 1, int4(1), "1")],
  "more formats of results than sent": [bindOf("text", 0, 1, int4(1), "1", 3, 0)],
  "more formats of results than columns": [bindOf("text", 0, 1, int4(1), "1", 3, 0, 0, 0)],
  "something after a Bind": [bindOf("text", 0, 1, int4(1), "1", 0, "x")],
  "a Bind of no bytes": [message("B")],
  "a portal's name without an end": [message("B", bytes("portal"))],
  "a statement's name without an end": [message("B", bytes("\0", "text"))],
  "a portal that is open": [bind("a", "one", ["1"]), bind("a", "one", ["1"])],
  "a Parse of no bytes": [message("P")],
  "SQL without an end": [message("P", bytes("\0", "SELECT 1"))],
  "a Parse without a count": [message("P", bytes("\0", "SELECT 1\0"))],
  "more types than sent": [message("P", bytes("\0", "SELECT 1\0", 65_535, int4(23)))],
  "something after a Parse": [message("P", bytes("\0", "SELECT 1\0", 0, "x"))],
  "a Describe of no bytes": [message("D")],
  "a Describe of no name": [message("D", bytes("S"))],
  "a Describe of another letter": [message("D", bytes("x", "one\0"))],
  "a Close of no bytes": [message("C")],
  "a Close of another letter": [message("C", bytes("x", "one\0"))],
  "an Execute of no bytes": [message("E")],
  "an Execute without a count": [message("E", bytes("\0", "\0"))],
  "a negative count of rows": [bind("", "one", ["1"]), execute("", -5)],
  "a Flush with a body": [message("H", bytes("x"))],
  "data of no COPY": [message("d", bytes("1\t2\n")), message("c"), message("f", bytes("why\0"))],
  "no number": [bind("", "one", ["1 x"])],
  "a number with spaces and zeros": [bind("", "one", [" +0000000000000000000000003 "]), execute("")],
  "a number of many digits": [bind("", "one", ["9".repeat(5_000)])],
  "the largest number": [bind("", "one", ["2147483647"]), execute("")],
  "one more than the largest number": [bind("", "one", ["2147483648"])],
  "the smallest number": [bind("", "one", ["-2147483648"]), execute("")],
  "one less than the smallest number": [bind("", "one", ["-2147483649"])],
  "a negative offset": [parse("", "SELECT id FROM world OFFSET -1000000000000"), bind("", "", []), execute("")],
  "a negative limit": [parse("", "SELECT id FROM world LIMIT $1"), bind("", "", ["-1"]), execute("")],
  "parameter zero": [parse("", "SELECT id FROM world WHERE id = $0")],
  "a text without its quote": [parse("", "SELECT 'a")],
  "a comment without its end": [parse("", "SELECT 1 /* a")],
  "more columns than may be": [parse("", `SELECT ${"id, ".repeat(1_664)}id FROM world`)],
  "a bool of no bytes": [binary("bool", bytes())],
  "a bool of two bytes": [binary("bool", bytes("\x01\x01"))],
  "a bool of 7": [binary("bool", bytes("\x07")), execute("")],
  "an int8 of 9 bytes": [binary("int8", Buffer.alloc(9))],
  "an int2 of 1 byte": [binary("int2", Buffer.alloc(1))],
  "an int4 of no bytes": [binary("int4", bytes())],
  "a float8 of 3 bytes": [binary("float8", Buffer.alloc(3))],
  "a float8 of 9 bytes": [binary("float8", Buffer.alloc(9))],
  "a uuid of 15 bytes": [binary("uuid", Buffer.alloc(15))],
  "an array of no bytes": [binary("int4[]", bytes())],
  "an array of 11 bytes": [binary("int4[]", Buffer.alloc(11))],
  "an array of no dimensions": [binary("int4[]", array(0, 0, 23)), execute("")],
  "an array of one dimension that is not there": [binary("int4[]", array(1, 0, 23))],
  "an array of 7 dimensions": [binary("int4[]", array(7, 0, 23))],
  "an array of -1 dimensions": [binary("int4[]", array(-1, 0, 23))],
  "an array of another type": [binary("int4[]", array(1, 0, 20, 1, 1, 4, 1))],
  "an array with flags": [binary("int4[]", array(1, 7, 23, 1, 1, 4, 1))],
  "an array of more than it has": [binary("int4[]", array(1, 0, 23, 100, 1, 4, 1))],
  "an array of 2^31 - 1 elements": [binary("int4[]", array(1, 0, 23, MOST, 1, 4, 1))],
  "an array of -1 elements": [binary("int4[]", array(1, 0, 23, -1, 1, 4, 1))],
  "an array of far too many": [binary("int4[]", array(3, 0, 23, 65_536, 1, 65_536, 1, 65_536, 1, 4, 1))],
  "an element beyond the array": [binary("int4[]", array(1, 0, 23, 1, 1, 100, 1))],
  "an element of negative size": [binary("int4[]", array(1, 0, 23, 1, 1, -2, 1))],
  "an element of too few bytes": [binary("int4[]", Buffer.concat([array(1, 0, 23, 1, 1, 2), bytes(7)]))],
  "an element of too many bytes": [binary("int4[]", array(1, 0, 23, 1, 1, 8, 1, 1))],
  "something after an array": [binary("int4[]", array(1, 0, 23, 1, 1, 4, 1, 1))],
};
const QUERIES: Readonly<Record<string, Buffer>> = {
  "a query of no bytes": message("Q"),
  "a query without an end": message("Q", bytes("SELECT 1")),
  "a query that goes on after its end": message("Q", bytes("SELECT 1\0x\0")),
  "a Sync with a body": message("S", bytes("x")),
};

/** Runs before and after each malformed one: the connection is as it was. */
const FINE: readonly Buffer[] = [bind("", "one", ["2"]), execute(""), sync];

const SELECTS = Object.entries(TYPES).map(([type, oid]) =>
  parse(type, type === "int4[]" ? "SELECT id FROM world WHERE id = ANY($1)" : `SELECT $1::${type} AS x`, oid)
);
const BATCHES: readonly (readonly [why: string, batch: readonly Buffer[]])[] = [
  ["statements", [
    parse("one", "SELECT id, randomnumber FROM world WHERE id = $1"),
    parse("text", "SELECT $1::text AS x"),
    parse("two", "SELECT $1::text AS x, $2::text AS y"),
    ...SELECTS,
    sync,
  ]],
  ...Object.entries(MALFORMED).map(([why, batch]) => [why, [...batch, sync]] as const),
  ...Object.entries(QUERIES).map(([why, one]) => [why, [one]] as const),
  ["in a transaction", [query("BEGIN")]],
  ["a malformed query there", [message("Q", bytes("SELECT 1"))]],
  ["after it", FINE],
  ["its end", [query("ROLLBACK")]],
];

async function withWorld<T>(rows: number, work: (at: ReadyService, file: string) => Promise<T>): Promise<T> {
  return await inTemporaryFolder(async (folder) => {
    const file = join(folder, "world.tsv");
    const lines = Array.from({ length: rows }, (_, n) => `${n + 1}\t${(n * 7) % rows}\n`);
    writeFileSync(file, `id int4\trandomnumber int4\n${lines.join("")}`);
    return await withNull({ protocol: "postgres", tables: { world: file } }, (at) => work(at, file));
  });
}

nullTest("the null PostgreSQL refuses malformed messages with the codes of the real one, and goes on", async () => {
  await withWorld(5, async (at, file) => {
    const all = BATCHES.flatMap(([why, batch]) => [[why, batch], [`after ${why}`, FINE]] as const);
    const batches = all.map(([, batch]) => batch);
    const fromNull = await conversation(at, batches);
    const fromReal = await withReal("postgres", { world: file }, (real) => conversation(real, batches));
    assert.equal(fromNull.length, all.length);
    if (fromReal !== null) all.forEach(([why], n) => assert.deepEqual(fromNull[n], fromReal[n], why));
  });
});

/** What a PostgreSQL of its own would bear, or refuses in other words. */
const BEYOND: Readonly<Record<string, readonly [batch: readonly Buffer[], said: string]>> = {
  "a text for an array": [
    [parse("", "SELECT id FROM world WHERE id = ANY($1)", 25), bind("", "", ["{1}"]), execute(""), sync],
    "1 |2 |E 42809|Z I",
  ],
  "an array to be read": [
    [parse("", "SELECT $1::int4[] AS x", 1_007), bind("", "", ["{1}"]), execute(""), sync],
    "1 |2 |E 0A000|Z I",
  ],
  "a limit that is no number": [
    [parse("", "SELECT id FROM world LIMIT $1", 25), bind("", "", ["x"]), execute(""), sync],
    "1 |2 |E 42804|Z I",
  ],
  "no number for a float8": [
    [parse("", "SELECT 'x'::float8"), bind("", "", [], [1]), execute(""), sync],
    "1 |2 |E 22P02|Z I",
  ],
  "parameter 70000": [[parse("", "SELECT id FROM world WHERE id = $70000"), sync], "E 42P02|Z I"],
  "brackets without end": [[parse("", `SELECT ${"(".repeat(200_000)}`), sync], "E 54001|Z I"],
  "comments without end": [[query("/*".repeat(500_000))], "E 42601|Z I"],
  "a text of quotes": [[query(`SELECT '${"''".repeat(400_000)}' = 1`)], "E 0A000|Z I"],
  "more portals than may be": [
    [
      query("BEGIN"),
      parse("", "SELECT $1::text AS x"),
      ...Array.from({ length: 20 }, (_, n) => bind(`p${n}`, "", ["x".repeat(1_000_000)])),
      sync,
    ],
    `C BEGIN\0|Z T|1 |${"2 |".repeat(16)}E 53200|Z E`,
  ],
  "their end": [[query("ROLLBACK")], "C ROLLBACK\0|Z I"],
  "more statements than may be": [
    Array.from({ length: 20 }, (_, n) => parse(`s${n}`, `SELECT 1 -- ${"x".repeat(1_000_000)}`)).concat(sync),
    `${"1 |".repeat(16)}E 53200|Z I`,
  ],
  "statements that are closed": [
    [query("DEALLOCATE ALL"), parse("s1", "SELECT 1"), sync],
    "C DEALLOCATE ALL\0|Z I|1 |Z I",
  ],
};

nullTest("what would take the null PostgreSQL too long or too much is refused, and it goes on", async () => {
  await withWorld(5, async ({ port }) => {
    const client = await opened(port);
    for (const [why, [batch, said]] of Object.entries(BEYOND)) {
      const before = messagesOf(await client.received(0));
      const readies = (all: readonly string[]) => all.filter((one) => one.startsWith("Z")).length;
      client.send(Buffer.concat(batch));
      const all = messagesOf(await ready(client, readies(before) + readies(said.split("|"))));
      assert.equal(all.slice(before.length).join("|"), said, why);
    }
    client.end();
  });
});

const startUpOf = (...parts: readonly (number | string)[]) => {
  const body = bytes(int4(196_608), ...parts);
  return bytes(int4(body.length + 4), body);
};

/** What ends a connection: before it is let in, then after. */
const FATAL: Readonly<Record<string, Buffer>> = {
  "a length of 0": int4(0),
  "a length of 4": int4(4),
  "a negative length": int4(-1),
  "a length of 10 001": int4(10_001),
  "the largest length": int4(MOST),
  "no end of what it asks": startUpOf("user\0postgres\0"),
  "no end of a name": startUpOf("user\0postgres"),
  "a name without a value": startUpOf("user\0postgres\0database\0"),
  "something after the end": startUpOf("user\0postgres\0\0x"),
  "nothing": startUpOf(),
};
const FATAL_LATER: Readonly<Record<string, Buffer>> = {
  "a length of 3": bytes("Q", int4(3)),
  "a length of 0": bytes("S", int4(0)),
  "a length below 0": bytes("Q", int4(-2)),
  "a query of more than may be": bytes("Q", int4(1_048_577)),
  "a Bind of more than may be": bytes("B", int4(16_777_217)),
  "a Sync of more than may be": bytes("S", int4(10_001)),
  "a message of no kind": bytes("!", int4(4)),
};

nullTest("what is no message ends its connection at once, and no other", async () => {
  await withWorld(5, async ({ port }) => {
    const other = await opened(port);
    for (const [why, sent] of Object.entries(FATAL)) {
      const client = await rawClient(port);
      client.send(sent);
      assert.match((await client.closed).toString("latin1"), /^E[^]{4}SFATAL\0VFATAL\0C08P01\0/, why);
    }
    for (const [why, sent] of Object.entries(FATAL_LATER)) {
      const client = await opened(port);
      client.send(sent);
      assert.match((await client.closed).toString("latin1"), /SFATAL\0VFATAL\0C08P01\0[^\0]*\0\0$/, why);
    }
    other.send(Buffer.concat([parse("", "SELECT 1"), sync]));
    assert.deepEqual(messagesOf(await ready(other, 2)).slice(-2), ["1 ", "Z I"]);
    other.end();
  });
});

nullTest("answers beyond what a client reads wait for it, and one without end ends its connection", async () => {
  await withWorld(10_000, async ({ port }) => {
    const client = await opened(port);
    const before = (await client.received(0)).length;
    const sorted = query("SELECT * FROM world ORDER BY randomnumber");
    client.send(sorted);
    const first = (await ready(client, 2)).subarray(before);
    assert.equal(messagesOf(first).length, 10_003);
    const times = 20;
    client.send(Buffer.concat(Array.from({ length: times }, () => sorted)));
    const all = await client.received(before + first.length * (times + 1));
    assert.ok(all.subarray(before).equals(Buffer.concat(Array.from({ length: times + 1 }, () => first))));
    client.send(query("SELECT * FROM world;".repeat(1_000)));
    await client.closed;
    (await opened(port)).end();
  });
});
