/** Servers that are otherwise beside others than alone; tests/user-program.test.ts has one that holds a port. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inspectRuntime } from "../runtimes/runtimes.ts";
import { inTemporaryFolder, linuxTest } from "../../tests/testing.ts";
import { hostsHere } from "../observe/equip.ts";
import { draftOf, itemsGiven } from "../options/read-draft.ts";
import { recordReplies } from "./record-replies.ts";
import { whyNotAtOnce } from "./user-suite.ts";

/** The runtime that starts soonest: what is shared does not depend on it. */
const here = await inspectRuntime("bun");

/** Says why two programs from the same text cannot be measured together; null if they can. */
const whyAlone = (program: (folder: string) => string, revisions = false) =>
  inTemporaryFolder(async (folder) => {
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    mkdirSync(join(folder, "data"));
    const file = "server.mjs";
    writeFileSync(join(folder, file), program(folder));
    const draft = draftOf(itemsGiven(["server", "other"].map((name) => ["program", `${name}=${join(folder, file)}`])));
    const { servers } = await recordReplies(draft, process.cwd(), {
      ...{ runtimes: [here], hosts: hostsHere(), say: () => {}, laterMs: 0, together: true, revisions },
    });
    const reason = whyNotAtOnce(servers);
    return reason?.replaceAll(folder, "FOLDER").replace(/\S*FOLDER/, "FOLDER") ?? null;
  });

const BOTH = `server on ${here.label} and other on ${here.label}`;

const SERVE = `import { createServer } from "node:http";
  const serve = (answer = () => "hello") =>
    createServer((_, response) => response.end(answer())).listen(Number(process.env.PORT), "127.0.0.1");
  const leave = (act) => ["SIGTERM", "SIGINT"].forEach((signal) => process.on(signal, () => (act(), process.exit(0))));
`;

test("a lock that ends the second server is named by the server's last words", async () => {
  const reason = await whyAlone((folder) =>
    `${SERVE}
    import { openSync, rmSync } from "node:fs";
    const lock = ${JSON.stringify(join(folder, "data", "LOCK"))};
    try { openSync(lock, "wx"); } catch { console.error("IO error: lock: already held by process"); process.exit(1); }
    leave(() => rmSync(lock));
    serve();`
  );
  assert.equal(
    reason,
    `while others run, server on ${here.label} does not start: ended with exit 1: IO error: lock: already held by process`,
  );
});

test("a server that ends the one before it is measured alone", async () => {
  const reason = await whyAlone((folder) =>
    `${SERVE}
    import { existsSync, readFileSync, writeFileSync } from "node:fs";
    const file = ${JSON.stringify(join(folder, "server.pid"))};
    if (existsSync(file)) try { process.kill(Number(readFileSync(file, "utf8"))); } catch {}
    writeFileSync(file, String(process.pid));
    serve();`
  );
  assert.match(
    reason!,
    new RegExp(`^while others run, \\w+ on ${here.label} (ends: the server ended with|does not) .*`),
  );
});

linuxTest("a socket that each server takes from the one before is shared", async () => {
  const reason = await whyAlone((folder) =>
    `${SERVE}
    import { rmSync } from "node:fs";
    const path = ${JSON.stringify(join(folder, "app.sock"))};
    rmSync(path, { force: true });
    createServer((_, response) => response.end("1")).listen(path, () => serve());`
  );
  assert.equal(reason, `they share FOLDER/app.sock (${BOTH})`);
});

linuxTest("a database that only the first server can lock has each of them measured alone", async () => {
  const reason = await whyAlone((folder) =>
    `${SERVE}
    const open = "Bun" in globalThis
      ? await import("bun:sqlite").then(({ Database }) => (file) => new Database(file))
      : await import("node:sqlite").then(({ DatabaseSync }) => (file) => new DatabaseSync(file));
    let database = open(${JSON.stringify(join(folder, "data", "one.db"))});
    try {
      database.exec("PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE IF NOT EXISTS a (b); BEGIN IMMEDIATE; COMMIT");
    } catch {
      database = open(":memory:");
    }
    serve(() => { database.exec("SELECT 1"); return "hello"; });`
  );
  assert.equal(reason, `they share FOLDER/data/one.db (${BOTH})`);
});

linuxTest("a file that requests change is shared, a log to which each server appends is not", async () => {
  const writing = (flags: string) => (folder: string) =>
    `${SERVE}
    import { openSync, writeSync } from "node:fs";
    const file = openSync(${JSON.stringify(join(folder, "data", "file"))}, "${flags}");
    serve(() => { writeSync(file, "GET /\\n"); return "hello"; });`;
  assert.equal(await whyAlone(writing("w")), `they share FOLDER/data/file (${BOTH})`);
  assert.equal(await whyAlone(writing("a")), null);
  assert.equal(await whyAlone(writing("w"), true), null, "revisions can be compared in no other way");
});

test("a reply that comes only while others run is named", async () => {
  const reason = await whyAlone((folder) =>
    `${SERVE}
    import { mkdirSync, rmdirSync } from "node:fs";
    const folder = ${JSON.stringify(join(folder, "data", "cache"))};
    let isMine = true;
    try { mkdirSync(folder); leave(() => rmdirSync(folder)); } catch { isMine = false; }
    serve(() => isMine ? "hello" : "busy");`
  );
  assert.match(
    reason!,
    /^while others run, server on \w+ answers otherwise: GET \/: .*busy/,
  );
});

test("servers that differ from start to start by themselves are measured together", async () => {
  const random = await whyAlone((folder) =>
    `${SERVE}
    import { openSync } from "node:fs";
    import { randomUUID } from "node:crypto";
    const word = () => randomUUID().replaceAll(/[^a-z]/g, "");
    openSync(${JSON.stringify(join(folder, "data"))} + "/" + word(), "w");
    console.error("I am " + word() + ", process " + process.pid);
    serve();`
  );
  assert.equal(random, null);
});
