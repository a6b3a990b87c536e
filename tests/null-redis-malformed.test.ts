/** The null Redis and clients whose commands lie, come slowly or ask too much. */
import assert from "node:assert/strict";
import { nullTest, rawClient, withNull } from "./with-null.ts";

const bytes = (...parts: readonly (string | Buffer)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));

/** What Redis says of what is no command, before it closes; what the null one says where its bounds are smaller. */
const NO_COMMANDS: Readonly<Record<string, readonly [sent: string | Buffer, said: string]>> = {
  "a billion words": ["*1000000000\r\n", "invalid multibulk length"],
  "one word more than may be": ["*1048577\r\n", "invalid multibulk length"],
  "words of many digits": [`*${"1".repeat(10_000)}`, "invalid multibulk length"],
  "no number of words": ["*x\r\n", "invalid multibulk length"],
  "words without a number": ["*\r\n", "invalid multibulk length"],
  "a word of no length": ["*1\r\n$\r\n", "invalid bulk length"],
  "a word of negative length": ["*1\r\n$-1\r\n", "invalid bulk length"],
  "a word of 600 MB": ["*1\r\n$600000000\r\n", "invalid bulk length"],
  "a word of one byte more than may be": ["*1\r\n$16777217\r\n", "invalid bulk length"],
  "a length of many digits": [`*1\r\n$${"0".repeat(10_000)}`, "invalid bulk length"],
  "a word that is none": ["*1\r\nPING\r\n", "expected '$', got 'P'"],
  "a word that is a line's end": ["*1\r\n\r\n", "expected '$', got ' '"],
  "a line without end": ["x".repeat(70_000), "too big inline request"],
  "words of more than may be": [
    Buffer.concat([bytes("*3\r\n"), ...Array(3).fill(bytes("$8000000\r\n", Buffer.alloc(8_000_000), "\r\n"))]),
    "too big request",
  ],
};

/** Commands of which none ends its connection, and what is said. */
const BORNE: Readonly<Record<string, readonly [sent: string | Buffer, said: string]>> = {
  "no words": ["*0\r\n*-1\r\n*-5\r\n\r\nPING\r\n", "+PONG\r\n"],
  "a line of one sign": ["PING\n", "+PONG\r\n"],
  "a password that is missing": ["HELLO 3 AUTH\r\n", "-ERR Syntax error in HELLO option 'AUTH'\r\n"],
  "a password without a user": ["HELLO 3 AUTH null\r\n", "-ERR Syntax error in HELLO option 'AUTH'\r\n"],
  "a name that is missing": ["HELLO 3 SETNAME\r\n", "-ERR Syntax error in HELLO option 'SETNAME'\r\n"],
  "a wrong password": ["AUTH x\r\n", "-WRONGPASS invalid username-password pair or user is disabled.\r\n"],
  "a database that is no whole number": ["SELECT 1.5\r\n", "-ERR value is not an integer or out of range\r\n"],
  "a name of lines": ["*1\r\n$6\r\na\r\n+OK\r\n", "-ERR unknown command 'a  +OK', with args beginning with: \r\n"],
  "a transaction of more than may be": [
    Buffer.concat([
      bytes("MULTI\r\n"),
      ...Array(18).fill(bytes("*2\r\n$4\r\nECHO\r\n$1000000\r\n", Buffer.alloc(1_000_000, 120), "\r\n")),
      bytes("EXEC\r\n"),
    ]),
    `+OK\r\n${"+QUEUED\r\n".repeat(16)}${"-ERR null service: too many commands wait for EXEC\r\n".repeat(2)}` +
    "-EXECABORT Transaction discarded because of previous errors.\r\n",
  ],
};

nullTest("the null Redis ends connections of clients that speak no Redis, and bears all that do", async () => {
  await withNull({ protocol: "redis" }, async ({ port }) => {
    const other = await rawClient(port);
    for (const [why, [sent, said]] of Object.entries(NO_COMMANDS)) {
      const client = await rawClient(port);
      client.send(Buffer.concat([bytes("PING\r\n"), Buffer.from(sent)]));
      assert.equal((await client.closed).toString(), `+PONG\r\n-ERR Protocol error: ${said}\r\n`, why);
    }
    for (const [why, [sent, said]] of Object.entries(BORNE)) {
      const before = (await other.received(0)).length;
      other.send(sent);
      assert.equal((await other.received(before + said.length)).subarray(before).toString(), said, why);
    }
    other.end();
  });
});

nullTest("a command of many words may come slowly, and one with too long an answer ends its connection", async () => {
  await withNull({ protocol: "redis", valueBytes: 100_000 }, async ({ port }) => {
    const client = await rawClient(port);
    const words = 20_000;
    client.send(`*${words + 1}\r\n$3\r\nDEL\r\n`);
    for (let n = 0; n < words; n++) {
      client.send(`$5\r\n${10_000 + n}\r\n`);
      if (n % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal((await client.received(8)).toString(), `:${words}\r\n`);
    client.send(`MGET ${"a ".repeat(1_000)}\r\n`);
    await client.closed;
    (await rawClient(port)).end();
  });
});
