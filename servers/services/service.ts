/** The common part of services: one prints that it is ready, and ends its processes when asked to end. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, openSync, readdirSync, readlinkSync, readSync, statfsSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { isIpAddress } from "../address.ts";
import type { ServiceLine } from "../service-line.ts";

/** Returns a text that is an address. Throws for another one: it goes into configurations, where a line feed begins a rule. */
function asAddress(variable: string, text: string): string {
  if (isIpAddress(text)) return text;
  throw new Error(`${variable} is ${JSON.stringify(text.slice(0, 80))}, which is no IP address`);
}

/** Address it listens on. */
export const HOST = asAddress("HOST", process.env["HOST"] ?? "127.0.0.1");

/** Addresses from which clients come, where {@link HOST} is not loopback. */
export const CLIENTS = (process.env["CLIENTS"] ?? "").split(" ").filter(Boolean).map((client) =>
  asAddress("CLIENTS", client)
);

/** Folder for all it writes, which whoever starts it removes once it has ended. */
export const FOLDER = process.env["FOLDER"]!;

/** A password that nobody guesses: 24 bytes as 32 letters, digits, dashes and underscores. */
export const newPassword = (): string => randomBytes(24).toString("base64url");

/** A user that programs run as. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Says in one line what a driver waits for. */
export const say = (event: ServiceLine) => void process.stdout.write(`${JSON.stringify(event)}\n`);

/** Prints the version of a program, for whoever only asks with `--look` whether it is there. */
export function look(file: string): void {
  const printed = execFileSync(file, ["--version"], { encoding: "utf8" });
  process.stdout.write(`${/\d+(\.\d+)+/.exec(printed)?.[0] ?? printed.trim()}\n`);
}

/** Ports that no system gives to a connection, or to a server that asks for any: Linux begins at 32768, others later. */
const PORTS = { from: 20_000, below: 32_768 } as const;

/** A port that nobody has just now, nor gets until the service has started. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.below - PORTS.from));
    const isFree = await new Promise<boolean>((resolve, reject) => {
      const server = createServer().once(
        "error",
        (error: NodeJS.ErrnoException) => error.code === "EADDRINUSE" ? resolve(false) : reject(error),
      );
      server.listen(port, HOST, () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

/** Signals all that works in a folder: PostgreSQL's processes leave its session and write over their environment. */
function signalIn(folder: string, signal: NodeJS.Signals): void {
  const pids = existsSync("/proc/self/cwd") ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : [];
  for (const pid of pids) {
    try {
      if (`${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`)) process.kill(Number(pid), signal);
    } catch {
      // Somebody else's, or it ended meanwhile.
    }
  }
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

/** A program to run until SIGTERM. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly owner: User | null;
  /** Its stdin; nothing if left out. */
  readonly input?: string;
  /** The text it prints once it answers. */
  readonly ready: string;
}

const DISK_FULL = /No space left on device|Check free disk space/;

/**
 * Returns the error in all that was printed: the first line that a log calls fatal, without its time, or the last line.
 * If a disk is full, it names the disk.
 */
function lastWords(printed: string): string {
  const lines = printed.trim().split("\n");
  const worst = lines.find((line) => /\b(FATAL|PANIC|error):/.test(line)) ?? lines.at(-1)!;
  const said = worst.replace(/^.*\b(?=FATAL|PANIC|ERROR)/, "");
  return !DISK_FULL.test(printed)
    ? said
    : `${said.includes("No space left") ? said : "No space left on device"}: ${diskText()}`;
}

/** Returns the free space of the disk it writes to, in words. */
function diskText(): string {
  const { bavail, bsize } = statfsSync(FOLDER);
  return `${Math.round(bavail * bsize / 1e6)} MB free where its files are, in ${dirname(FOLDER)}`;
}

process.once("uncaughtException", (error) => {
  process.stderr.write(`${lastWords(error.message)}\n`);
  process.exit(1);
});

/** Milliseconds a program may take to end; whoever waits for a service waits longer. */
const END_MS = 3_000;

/**
 * Starts a program, and resolves once it has printed that it is ready. Ends with it. On SIGTERM, ends it by SIGINT, and by
 * force if that does not end it.
 */
export async function run({ file, args, folder, owner, input = "", ready }: Program): Promise<void> {
  const child = spawn(file, args, { ...owner, cwd: folder, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.on("error", () => {}).end(input);
  let printed = "", ending = false, full = false;
  const gone = new Promise<void>((resolve) => child.once("close", () => resolve()).once("error", () => resolve()));
  const end = () => {
    ending = true;
    child.kill("SIGINT");
    // A stopped process would not see the signal to end.
    signalIn(folder, "SIGCONT");
    setTimeout(() => signalIn(folder, "SIGKILL"), END_MS).unref();
  };
  process.once("SIGTERM", end).once("SIGINT", end);
  void gone.then(() => {
    if (!ending) process.stderr.write(`${printed}\n${lastWords(printed)}\n`);
    process.exit(ending ? 0 : 1);
  });
  await new Promise<void>((resolve) => {
    const look = (text: string) => {
      printed = (printed + text).slice(-4_000);
      if (printed.includes(ready)) resolve();
      if (!full && DISK_FULL.test(text)) process.stderr.write(`${lastWords(text)}\n`);
      full ||= DISK_FULL.test(text);
    };
    for (const stream of [child.stdout, child.stderr] as NonNullable<ChildProcess["stdout"]>[]) {
      stream.setEncoding("utf8").on("data", look);
    }
  });
}
