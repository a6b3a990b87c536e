import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { inTemporaryFolder, linuxTest, runtime, until } from "../../tests/testing.ts";
import { clearLeftFiles, endLeftProcesses, type FolderEntry, isLeftBehind } from "./clear-left.ts";
import { hasEnded, OWNER_VARIABLE, ownerTag, processView } from "./owner.ts";
import { SCRIPT_ARGS } from "../runtimes/runtimes.ts";

const NAMES = [
  "levelfield-load-2n-rs-0a1b2c-XyZ123",
  "levelfield-2n-rs-0a1b2c-XyZ123",
  "levelfield.lock.2n-rs-0a1b2c-0123abcd",
  "levelfield.lock.2n-rs-0a1b2c-0123abcd.stale",
  "0123456789ab.part-2n-rs-0a1b2c",
];

test("what is removed carries the name of a process that ended, is the user's own, and no link", () => {
  const folder = (name: string): FolderEntry => ({ name, kind: "folder", uid: 7, mode: 0o40700 });
  const gone = (tag: string) => tag === "2n-rs-0a1b2c";
  for (const name of NAMES) assert.equal(isLeftBehind(folder(name), 7, gone), true, name);
  const [name] = NAMES as [string];
  assert.equal(isLeftBehind(folder(name), 7, () => false), false, "its process lives");
  assert.equal(isLeftBehind({ ...folder(name), uid: 8 }, 7, gone), false, "another user's");
  assert.equal(isLeftBehind({ ...folder(name), kind: "other" }, 7, gone), false, "a link");
  assert.equal(isLeftBehind({ ...folder(name), mode: 0o40770 }, 7, gone), false, "others may write into it");
  assert.equal(isLeftBehind({ ...folder(name), mode: 0o40711 }, 7, gone), true, "others may walk through it");
  for (
    const other of ["levelfield.lock", "levelfield-gate-OnK1Q2", `x${name}`, `${name}/..`, "levelfield-load-2n-rs"]
  ) {
    assert.equal(isLeftBehind(folder(other), 7, () => true), false, other);
  }
});

test("a process has ended where its id is free or another's, on this machine alone", () => {
  const view = { space: "0a1b2c", startOf: (pid: number) => pid === 95 ? 1_000 : pid === 96 ? 0 : null };
  const ended = (pid: number, start: number, space = "0a1b2c") =>
    hasEnded(`${pid.toString(36)}-${start.toString(36)}-${space}`, view);
  assert.equal(ended(94, 1_000), true);
  assert.equal(ended(95, 1_000), false);
  assert.equal(ended(95, 999), true);
  assert.equal(ended(94, 1_000, "0a1b2d"), false, "in another container its id means another process");
  // Where the system does not tell when a process started, its id alone says that it lives.
  assert.equal(ended(96, 999), false);
  assert.equal(ended(95, 0), false);
  assert.equal(hasEnded(ownerTag(), processView()), false);
});

/** Makes two folders and a file as a bench does, starts a program that leaves its session, says where, and lives on. */
const BENCH = `
import { writeFileSync } from "node:fs";
import { startChild } from "${new URL("./child.ts", import.meta.url).href}";
import { programFolder } from "${new URL("../process/program-files.ts", import.meta.url).href}";
import { scratchFolder } from "${new URL("../process/scratch-folder.ts", import.meta.url).href}";
const scratch = scratchFolder("tls").path;
writeFileSync(scratch + "/key.pem", "a key");
const files = programFolder({ "program.lua": "Authorization: secret" });
const args = ["-c", "setsid sleep 600 >/dev/null 2>&1 & echo $!; wait"];
const child = startChild({ file: "sh", args, cpus: null, env: { PATH: process.env.PATH }, handles: files.handles });
console.log(JSON.stringify({ scratch, files: files.path, left: Number(await child.firstLine()) }));
setInterval(() => {}, 1000);
`;

linuxTest("what a killed bench leaves is cleared away by the next, and what others put beside it stays", async () => {
  await inTemporaryFolder(async (folder) => {
    const script = join(folder, "bench.mjs"), tmp = join(folder, "tmp");
    writeFileSync(script, BENCH);
    mkdirSync(tmp);
    const bench = spawn(process.execPath, [...SCRIPT_ARGS[runtime.name], script], {
      env: { ...process.env, TMPDIR: tmp },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const line = await new Promise<string>((resolve) => bench.stdout.once("data", (bytes) => resolve(String(bytes))));
    const { files, left } = JSON.parse(line) as { files: string; left: number };
    const [, tag] = /-([0-9a-z]+-[0-9a-z]+-[0-9a-f]{6})-\w+$/.exec(files)!;
    await until(() => readFileSync(`/proc/${left}/environ`, "utf8").includes(`${OWNER_VARIABLE}=${tag}`));
    assert.equal(readdirSync(tmp).length, 2);
    clearLeftFiles(tmp);
    assert.equal(readdirSync(tmp).length, 2, "it lives");

    bench.kill("SIGKILL");
    await until(() => hasEnded(tag!, processView()));
    assert.deepEqual(secretsIn(tmp), [], "no header lies in a file");
    mkdirSync(join(folder, "of-somebody"));
    symlinkSync(join(folder, "of-somebody"), join(tmp, `levelfield-load-${tag}-aaaaaa`));
    mkdirSync(join(tmp, `levelfield-load-${tag}-bbbbbb`));
    chmodSync(join(tmp, `levelfield-load-${tag}-bbbbbb`), 0o777);
    if (process.getuid!() === 0) {
      mkdirSync(join(tmp, `levelfield-load-${tag}-cccccc`));
      chownSync(join(tmp, `levelfield-load-${tag}-cccccc`), 65_534, 65_534);
    }
    const planted = readdirSync(tmp).filter((name) => /-[abc]{6}$/.test(name));
    clearLeftFiles(tmp);
    endLeftProcesses();
    assert.deepEqual(readdirSync(tmp), planted);
    assert.ok(existsSync(join(folder, "of-somebody")));
    await until(() => !existsSync(`/proc/${left}/exe`));
  });
});

/** Files below a folder that hold a secret. */
const secretsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file, "utf8").includes("secret"));
