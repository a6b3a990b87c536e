import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { orElse } from "../bench/basics/errors.ts";
import { ownerTag } from "../bench/machine/owner.ts";
import { startServer, stopServer } from "../bench/process/start-server.ts";
import type { ServerProcess } from "../bench/process/server-request.ts";
import { type Asker, simpleQuery } from "../suites/drivers/simple-query.ts";
import { inTemporaryFolder, linuxTest } from "./testing.ts";

const start = (name: string, ...args: string[]) =>
  startServer({
    spec: {
      kind: "service",
      name,
      command: ["{node}", fileURLToPath(new URL(`../servers/services/${name}.ts`, import.meta.url)), ...args],
    },
    runtime: null,
    cpus: null,
  });

/** Folders of this process among the temporary files; a PostgreSQL may have been where root's folders are not. */
const foldersHere = () =>
  [...new Set(["/tmp", tmpdir()])].flatMap((folder) =>
    readdirSync(folder).filter((name) => name.startsWith(`levelfield-${ownerTag()}-`)).map((name) => join(folder, name))
  );

/** Returns a function that gives the folders made since: other tests of this process keep services of their own. */
function foldersSince(): () => string[] {
  const before = foldersHere();
  return () => foldersHere().filter((folder) => !before.includes(folder));
}

/** A service that was stopped had no complaint. */
async function assertEndedWell({ process: child }: ServerProcess): Promise<void> {
  const ended = await child!.ended;
  assert.deepEqual(["code" in ended && ended.code, child!.stderrTail()], [0, ""]);
}

/** Process ids of what was started with a text among its words, which every user may read. */
const showing = (text: string) =>
  readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(text));
const commandOf = (pid: string) => orElse(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"), "");

linuxTest("a PostgreSQL of its own has the tables it was given, tells its settings, and leaves nothing", async () => {
  await inTemporaryFolder(async (folder) => {
    const file = join(folder, "world");
    writeFileSync(file, "id int4\tnote text\n1\ta\n2\tb\\tc\n");
    const made = foldersSince();
    const server = await start("postgres", "--table", `world=${file}`);
    if ("unsupported" in server) return assert.match(server.unsupported, /postgres/i);
    assert.ok("url" in server, JSON.stringify(server));
    const { port, version, facts, env } = server.service!;
    const asker = { host: "127.0.0.1", port, password: env!["PGPASSWORD"]! };
    try {
      assert.match(version, /^\d+\.\d+$/);
      assert.equal(facts["fsync"], "on");
      assert.equal(await simpleQuery(asker, "SELECT string_agg(note, '|' ORDER BY id DESC) FROM world"), "b\tc|a");
      assert.equal(await simpleQuery(asker, "INSERT INTO world VALUES (3, 'd') RETURNING note"), "d");
      await refusesStrangers(asker);
      const [own, ...others] = made();
      assert.deepEqual(others, []);
      // What lies in there, its superuser's socket too, is for the user alone that it runs as.
      assert.equal(statSync(join(own!, "pg")).mode & 0o777, 0o700);
      assert.ok(existsSync(join(own!, "pg", `.s.PGSQL.${port}`)));
      assert.deepEqual(showing(asker.password), []);
    } finally {
      await stopServer(server);
    }
    await assertEndedWell(server);
    assert.deepEqual(made(), []);
    assert.equal(existsSync(`/proc/${server.pid}/exe`), false);
  });
});

/** Sees that nobody comes without the password, nobody as a superuser, and that whoever comes may do nothing but ask. */
async function refusesStrangers(asker: Asker): Promise<void> {
  for (const password of ["", "postgres"]) {
    await assert.rejects(simpleQuery({ ...asker, password }, "SELECT 1"), /password authentication failed/);
  }
  for (const user of ["levelfield", "root"]) {
    await assert.rejects(simpleQuery({ ...asker, user }, "SELECT 1"), /no pg_hba.conf entry for host/);
  }
  assert.equal(await simpleQuery(asker, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"), "f");
  for (
    const statement of ["COPY world TO PROGRAM 'cat'", "SELECT pg_read_file('/etc/hostname')", "CREATE ROLE more LOGIN"]
  ) await assert.rejects(simpleQuery(asker, statement), /permission denied|must be superuser/, statement);
}

/** All a Redis answers to lines, until it closes the connection. */
function answer(port: number, ...lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    connect(port, "127.0.0.1").setEncoding("latin1").on("error", reject).on("data", (part) => text += part)
      .on("close", () => resolve(text)).write([...lines, "QUIT"].map((line) => `${line}\r\n`).join(""));
  });
}

linuxTest("a Redis of its own has the keys it was given, and leaves nothing", async () => {
  const made = foldersSince();
  const server = await start("redis", "--keys", "1200", "--value-bytes", "20");
  if ("unsupported" in server) return assert.match(server.unsupported, /redis/i);
  assert.ok("url" in server, JSON.stringify(server));
  const { port, version, facts, env } = server.service!;
  const login = `AUTH ${env!["REDIS_PASSWORD"]}`;
  try {
    assert.match(version, /^\d+\.\d+\.\d+$/);
    assert.equal(facts["appendonly"], "no");
    assert.equal(await answer(port, login, "GET key:1199"), "+OK\r\n$20\r\nkey:1199:key:1199:ke\r\n+OK\r\n");
    assert.match(await answer(port, "GET key:1199"), /^-NOAUTH /);
    for (const other of ["AUTH null", "AUTH levelfield null"]) assert.match(await answer(port, other), /^-WRONGPASS /);
    for (
      const words of ["CONFIG GET dir", "FLUSHALL", "REPLICAOF a 1", "MODULE LIST", "SHUTDOWN", "ACL LIST", "SAVE"]
    ) {
      assert.match(await answer(port, login, words), /^\+OK\r\n-NOPERM /, words);
    }
    assert.deepEqual(showing(env!["REDIS_PASSWORD"]!), []);
  } finally {
    await stopServer(server);
  }
  await assertEndedWell(server);
  assert.deepEqual(made(), []);
});
