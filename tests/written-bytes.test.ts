/** Bytes that a real SQLite has written to disk, as they are read of its process. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { writtenMark } from "../bench/judge/written.ts";
import { sizeOf } from "../bench/machine/server-processes.ts";
import { inTemporaryFolder } from "./testing.ts";

/** Commits rows to a database as often as it gets a line, with a checkpoint for each second line. */
const PROGRAM = `
  const { DatabaseSync } = require("node:sqlite");
  const db = new DatabaseSync("rows.db");
  db.exec("pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table rows (text)");
  const insert = db.prepare("insert into rows values (?)");
  let lines = 0;
  process.stdin.on("data", () => {
    for (let n = 0; n < 200; n++) insert.run("x".repeat(3_000));
    if (++lines % 2 === 0) db.exec("pragma wal_checkpoint(truncate)");
    console.log("committed");
  });
  console.log("open");
`;

/** The number by which the system knows a file system in memory, which has no bytes written to disk. */
const TMPFS = 0x01021994;
const diskTest = existsSync("/proc/self/io") && statfsSync(tmpdir()).type !== TMPFS ? test : test.skip;

diskTest("each commit of a real SQLite counts as written to disk", async () => {
  await inTemporaryFolder(async (folder) => {
    const child = spawn(process.execPath, ["-e", PROGRAM], { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
    const ended = once(child, "close").then(() => assert.fail("it has ended"));
    const says = () => Promise.race([once(child.stdout, "data"), ended]);
    try {
      await says();
      const readings: [number, number][] = [[0, sizeOf(child.pid!)!.written!]];
      for (let n = 1; n <= 4; n++) {
        child.stdin.write("\n");
        await says();
        readings.push([200 * n, sizeOf(child.pid!)!.written!]);
      }
      assert.ok(readings.slice(1).every(([, bytes], n) => bytes - readings[n]![1] >= 200 * 3_000), String(readings));
      assert.match(writtenMark([readings])!.text, /written to disk a request .* in 1 of 1 observation/);
    } finally {
      child.kill("SIGKILL");
      await ended.catch(() => {});
    }
  });
});
