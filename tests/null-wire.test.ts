/** Null services byte by byte: what no driver shows, and what they count. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  bind,
  close,
  describe,
  execute,
  int4,
  message,
  messagesOf,
  parse,
  query,
  startUp,
  sync,
} from "./postgres-messages.ts";
import { conversation, opened, ready } from "./postgres-conversation.ts";
import { inTemporaryFolder } from "./testing.ts";
import { countsOf, nullTest, rawClient, withNull, withReal } from "./with-null.ts";
import type { ReadyService } from "../servers/service-line.ts";
import { askNullService } from "../servers/null/null-service.ts";

const ONE = "SELECT id, randomnumber FROM world WHERE id = $1";

/** Batches a client sends, each after the answer to the one before. The last message asks for readiness. */
const CONVERSATION: readonly (readonly Buffer[])[] = [
  [query("SELECT id FROM world ORDER BY id LIMIT 2; SELECT 1 AS one;")],
  [query("")],
  [query(" ; ")],
  [query("SELECT 'a;b' AS text")],
  [parse("one", ONE), describe("S", "one"), bind("", "one", ["2"]), describe("P", ""), execute(""), sync],
  [bind("", "one", [int4(3)], [1]), describe("P", ""), execute(""), sync],
  [bind("", "one", ["3"], [0, 1]), describe("P", ""), execute(""), sync],
  [bind("", "one", [null]), execute(""), sync],
  [parse("one", ONE), sync],
  [parse("", "SELECT id FROM world ORDER BY id"), bind("", "", []), execute("", 2), execute("", 2), execute(""), sync],
  [parse("", ONE, 23), bind("a", "", ["1"]), execute("a"), close("P", "a"), execute("a"), execute("a"), sync],
  [bind("b", "one", ["1"]), sync],
  [execute("b"), sync],
  [bind("", "no such", ["1"]), describe("P", ""), execute(""), sync],
  [bind("", "one", ["1", "2"]), sync],
  [bind("", "one", ["x"]), execute(""), sync],
  [close("S", "one"), close("S", "one"), bind("", "one", ["1"]), sync],
  [parse("", ""), bind("", "", []), describe("P", ""), execute(""), sync],
  [parse("", "UPDATE world SET randomnumber = randomnumber WHERE id = $1"), describe("S", ""), sync],
  [bind("", "", ["2"]), describe("P", ""), execute(""), sync],
  [query("BEGIN")],
  [parse("", "UPDATE world SET randomnumber = randomnumber WHERE id = $1"), bind("b", "", ["1"]), execute("b"), sync],
  [execute("b"), sync],
  [query("ROLLBACK; BEGIN")],
  [query("SELECT id FROM world WHERE id = 'x'; SELECT 1")],
  [query("SELECT 1")],
  [parse("", ONE), bind("", "", ["1"]), execute(""), sync],
  [query("COMMIT")],
  [query("BEGIN; SELECT 1 AS one")],
  [query("ROLLBACK")],
  [parse("two", ONE), sync],
  [query("DEALLOCATE two")],
  [bind("", "two", ["1"]), sync],
  [query("SHOW transaction isolation level")],
  [query("SET statement_timeout = 0; RESET statement_timeout")],
  [query("DISCARD ALL")],
  [message("H"), sync],
  [parse("", ONE), sync],
  [query("SELECT 1 AS one")],
  [bind("", "", ["1"]), execute(""), sync],
];

async function withWorld<T>(
  options: { connections?: number },
  work: (ready: ReadyService, file: string) => Promise<T>,
) {
  return await inTemporaryFolder(async (folder) => {
    const file = join(folder, "world.tsv");
    writeFileSync(file, "id int4\trandomnumber int4\n1\t10\n2\t20\n3\t30\n4\t40\n5\t50\n");
    return await withNull({ protocol: "postgres", tables: { world: file }, ...options }, (at) => work(at, file));
  });
}

nullTest("the null PostgreSQL sends the messages the real one sends, errors and their codes too", async () => {
  await withWorld({}, async (ready, file) => {
    const fromNull = await conversation(ready, CONVERSATION);
    const fromReal = await withReal("postgres", { world: file }, (real) => conversation(real, CONVERSATION));
    assert.equal(fromNull.length, CONVERSATION.length);
    if (fromReal === null) return;
    CONVERSATION.forEach((batch, n) => assert.deepEqual(fromNull[n], fromReal[n], Buffer.concat(batch).toString()));
  });
});

nullTest("messages may come in any pieces", async () => {
  await withWorld({}, async (ready) => {
    const whole = await conversation(ready, CONVERSATION);
    const bytewise = (bytes: Buffer) => Array.from(bytes, (byte) => Buffer.of(byte));
    assert.deepEqual(await conversation(ready, CONVERSATION, bytewise), whole);
    assert.ok(whole.flat().length > 2 * CONVERSATION.length);
  });
});

nullTest("TLS and GSSAPI are refused, a request to cancel closes its connection alone", async () => {
  await withWorld({}, async ({ port }) => {
    const client = await rawClient(port);
    client.send(Buffer.concat([int4(8), int4(80_877_103)]));
    assert.equal((await client.received(1)).toString(), "N");
    client.send(Buffer.concat([int4(8), int4(80_877_104)]));
    assert.equal((await client.received(2)).toString(), "NN");
    client.end();
    const other = await opened(port);
    const cancels = await rawClient(port);
    cancels.send(Buffer.concat([int4(16), int4(80_877_102), int4(1), int4(1)]));
    assert.equal((await cancels.closed).length, 0);
    other.send(query("SELECT 1 AS one"));
    assert.match(messagesOf(await ready(other, 2)).join("\n"), /^D .*1$/m);
    other.end();
  });
});

nullTest("what clients do is counted by database, and known when the reply comes", async () => {
  await withWorld({}, async (at) => {
    const client = await opened(at.port, "a");
    const batch = [parse("", ONE), bind("", "", ["1"]), describe("P", ""), execute(""), sync];
    client.send(Buffer.concat(batch));
    await ready(client, 2);
    const before = await countsOf(at, "a");
    client.send(Buffer.concat([...batch, ...batch]));
    const bytes = await ready(client, 4);
    const { kinds, messages, round_trips, bytes_in, bytes_out, opened: all, closed } = await countsOf(at, "a");
    assert.deepEqual([before.kinds, before.messages, before.round_trips], [{ P: 1, B: 1, D: 1, E: 1, S: 1 }, 5, 1]);
    assert.deepEqual([kinds, messages, round_trips], [{ P: 3, B: 3, D: 3, E: 3, S: 3 }, 15, 2]);
    assert.equal(bytes_in - before.bytes_in, 2 * Buffer.concat(batch).length);
    assert.equal(bytes_out, bytes.length);
    assert.deepEqual([all, closed], [1, 0]);
    const other = await opened(at.port, "b");
    for (let n = 0; n < 30; n++) other.send(query(`SELECT ${n} FROM nowhere`));
    await ready(other, 31);
    other.send(message("X"));
    await other.closed;
    const counts = await countsOf(at, "b");
    assert.deepEqual([counts.kinds, counts.opened, counts.closed, counts.unknown], [{ Q: 30, X: 1 }, 1, 1, 30]);
    assert.equal(counts.unknown_texts[19], "SELECT 19 FROM nowhere");
    assert.equal(counts.unknown_texts.length, 20);
    assert.equal((await countsOf(at, "a")).messages, 15);
    client.end();
  });
});

nullTest("too many clients are refused as the real ones refuse them, until others go or more may be", async () => {
  await withWorld({ connections: 2 }, async (at) => {
    const [first, second] = [await opened(at.port), await opened(at.port)];
    const third = await rawClient(at.port);
    third.send(startUp("postgres"));
    assert.match((await third.closed).toString(), /^E[^]{4}SFATAL\0VFATAL\0C53300\0Msorry, too many clients already\0/);
    assert.equal((await countsOf(at, "postgres")).refused, 1);
    second.send(message("X"));
    await second.closed;
    const fourth = await opened(at.port);
    assert.equal((await askNullService(at.counts!, "limit 3")).limit, 3);
    const fifth = await opened(at.port);
    for (const client of [first, fourth, fifth]) client.end();
  });
  await withNull({ protocol: "redis", connections: 1 }, async (at) => {
    const first = await rawClient(at.port);
    first.send("PING\r\n");
    await first.received(1);
    const second = await rawClient(at.port);
    assert.equal((await second.closed).toString(), "-ERR max number of clients reached\r\n");
    assert.equal((await countsOf(at, "0")).refused, 1);
    first.end();
  });
});

nullTest("a client that does not read keeps nobody else waiting, and gets all in the end", async () => {
  await withWorld({}, async (at) => {
    const lazy = await opened(at.port, "lazy");
    const rows = query("SELECT * FROM world");
    const greeting = (await ready(lazy, 1)).length;
    lazy.send(rows);
    const first = await ready(lazy, 2);
    lazy.pause();
    const times = 60_000;
    lazy.send(Buffer.concat(Array.from({ length: times }, () => rows)));
    const other = await opened(at.port);
    other.send(rows);
    await ready(other, 2);
    // As far as it gets without anybody reading.
    for (let before = -1, now = 0, still = 0; still < 20; before = now) {
      now = (await countsOf(at, "lazy")).bytes_in;
      still = now === before ? still + 1 : 0;
    }
    lazy.resume();
    const all = await lazy.received(first.length + times * (first.length - greeting));
    assert.ok(all.subarray(-first.length + greeting).equals(first.subarray(greeting)));
    assert.equal(all.length, first.length + times * (first.length - greeting));
    for (const client of [lazy, other]) client.end();
  });
});

nullTest("a table that cannot be read is told in one line", async () => {
  const failed = withNull({ protocol: "postgres", tables: { world: "/no/such/file" } }, () => Promise.resolve());
  await assert.rejects(failed, { message: "null service: /no/such/file: No such file or directory\n" });
});

nullTest("what is no question about counts is answered with those that are", async () => {
  await withWorld({}, async ({ counts }) => {
    const lines = await rawClient(counts!);
    lines.send("what\n");
    assert.equal((await lines.received(1)).toString(), '{"error":"counts, totals, or limit N"}\n');
    lines.end();
  });
});

nullTest("Redis' commands may come in any pieces, in RESP3 too", async () => {
  await withNull({ protocol: "redis", valueBytes: 5 }, async ({ port }) => {
    const sent =
      "*2\r\n$5\r\nHELLO\r\n$1\r\n3\r\n*2\r\n$3\r\nGET\r\n$7\r\nmissing\r\n*3\r\n$4\r\nMGET\r\n$1\r\na\r\n$2\r\nbc\r\nQUIT\r\n";
    const replyTo = async (parts: readonly string[]) => {
      const client = await rawClient(port);
      for (const part of parts) {
        client.send(part);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return (await client.closed).toString().replace(/(id\r\n:)\d+/, "$1N");
    };
    const whole = await replyTo([sent]);
    assert.match(whole, /^%7\r\n\$6\r\nserver\r\n[^]*\r\n_\r\n\*2\r\n\$5\r\na:a:a\r\n\$5\r\nbc:bc\r\n\+OK\r\n$/);
    assert.equal(await replyTo([...sent]), whole);
  });
});
