/** Special files in the place of a run's file. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createServer } from "node:net";

/** Puts something in the place of a file or folder; `secret` is a file outside that nobody may read. */
type Special = (file: string, secret: string) => void;

const gone = (file: string) => rmSync(file, { recursive: true, force: true });

/** By name, each of them. A socket stays in its place when nobody listens any more. */
export const SPECIAL_FILES: Readonly<Record<string, Special>> = {
  nothing: gone,
  empty: (file) => (gone(file), writeFileSync(file, "")),
  folder: (file) => (gone(file), mkdirSync(file)),
  pipe: (file) => (gone(file), execFileSync("mkfifo", [file])),
  "link to a secret": (file, secret) => (gone(file), symlinkSync(secret, file)),
  "link to what never ends": (file) => (gone(file), symlinkSync("/dev/zero", file)),
  "link to itself": (file) => (gone(file), symlinkSync(basename(file), file)),
  "link to nothing": (file) => (gone(file), symlinkSync("nowhere", file)),
  "link to its own": (file) => {
    const moved = join(dirname(file), `${basename(file)}.moved`);
    cpSync(file, moved, { recursive: true });
    gone(file);
    symlinkSync(basename(moved), file);
  },
  "a tebibyte of nothing": (file) => (gone(file), writeFileSync(file, ""), truncateSync(file, 2 ** 40)),
  "64 MiB of nothing": (file) => (gone(file), writeFileSync(file, ""), truncateSync(file, 2 ** 26)),
};

/** Puts a socket in the place of a file. */
export async function socketAt(file: string): Promise<void> {
  gone(file);
  const server = createServer();
  // Names of sockets are short, whatever their folder is called.
  const short = join("/tmp", `s${process.pid}`);
  await new Promise<void>((done) => server.listen(short, done));
  renameSync(short, file);
  await new Promise((done) => server.close(done));
}
