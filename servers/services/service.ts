/** What every service here does: it says that it is ready, and ends what it has started when it is told to. */
import { type ChildProcess, spawn } from "node:child_process";
import { chownSync, closeSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ServiceLine } from "../service-line.ts";

/** Address it listens on. */
export const HOST = process.env["HOST"] ?? "127.0.0.1";

/** A user that programs run as. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Says in one line what a driver waits for. */
export const say = (event: ServiceLine) => void process.stdout.write(`${JSON.stringify(event)}\n`);

/** A port that nobody has just now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject).listen(0, HOST, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Whether any user may go through a folder, from the root on. */
const isOpen = (folder: string): boolean =>
  (statSync(folder).mode & 1) === 1 && (dirname(folder) === folder || isOpen(dirname(folder)));

/** Where folders of a user stand: in the folder for temporary files, or in everybody's where that is root's own. */
const scratchRoot = (owner: User | null): string => owner === null || isOpen(tmpdir()) ? tmpdir() : "/tmp";

/**
 * A folder of its own for what is written. Those of processes that are gone are removed.
 *
 * @param owner who may write into it besides root
 */
export function scratchFolder(name: string, owner: User | null): string {
  const root = scratchRoot(owner);
  for (const old of readdirSync(root)) {
    const pid = new RegExp(`^levelfield-${name}-(\\d+)-`).exec(old)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(root, old), { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(root, `levelfield-${name}-${process.pid}-`));
  if (owner !== null) chownSync(folder, owner.uid, owner.gid);
  return folder;
}

/** The first line of a file, of which no more is read. */
export function firstLineOf(path: string): string {
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(4_096);
    return head.toString("utf8", 0, readSync(file, head)).split("\n")[0]!;
  } finally {
    closeSync(file);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** A program to run until it is told to end. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly owner: User | null;
  /** What it prints once it answers. */
  readonly ready: string;
}

/**
 * Starts a program, and resolves once it has printed that it is ready. Ends with it; when told to end, ends it by SIGINT and
 * removes its folder.
 */
export async function run({ file, args, folder, owner, ready }: Program): Promise<void> {
  const child = spawn(file, args, { ...owner, cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "", ending = false;
  const gone = new Promise<void>((resolve) => child.once("close", () => resolve()).once("error", () => resolve()));
  const end = () => {
    ending = true;
    child.kill("SIGINT");
  };
  process.once("SIGTERM", end).once("SIGINT", end);
  void gone.then(() => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    if (!ending) process.stderr.write(printed);
    process.exit(ending ? 0 : 1);
  });
  await new Promise<void>((resolve) => {
    const look = (text: string) => {
      printed = (printed + text).slice(-4_000);
      if (printed.includes(ready)) resolve();
    };
    for (const stream of [child.stdout, child.stderr] as NonNullable<ChildProcess["stdout"]>[]) {
      stream.setEncoding("utf8").on("data", look);
    }
  });
}
