import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { formatCpuList } from "../core/cpu-list.ts";

/** A program to run as a child of the driver. */
export interface ChildCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** CPUs it may use; null leaves the choice to the system. */
  readonly cpus: readonly number[] | null;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** How a child ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A running child. */
export interface Child {
  /** The program's own process id: the wrappers that pin and tie it replace themselves with it. */
  readonly pid: number;
  /** Resolves when it has ended, or with an error text when it could not be started at all. */
  readonly ended: Promise<Ending | { readonly failed: string }>;
  /** Everything on stdout so far. */
  stdout(): string;
  /** The last 4 000 characters of stderr. */
  stderrTail(): string;
  /** Resolves with the first line of stdout, or undefined when the child ends without one. */
  firstLine(): Promise<string | undefined>;
  onLine(listener: (line: string) => void): void;
  /** Closes its stdin: the sign to stop. */
  closeStdin(): void;
  kill(signal: "SIGTERM" | "SIGKILL" | "SIGSTOP" | "SIGCONT"): void;
}

const TAIL_CHARS = 4_000;

/** Finds a program on PATH, or undefined. A name with a slash is looked at as it is. */
export function findProgram(name: string): string | undefined {
  if (name.includes("/")) return existsSync(name) ? name : undefined;
  return (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name)).find((file) =>
    existsSync(file)
  );
}

/**
 * Starts a child that cannot outlive the driver: on Linux the kernel kills it when the driver dies (setpriv
 * --pdeathsig), elsewhere a sleeping shell does when the driver's pipe closes. Pinned with taskset where CPUs are given.
 */
export function startChild(command: ChildCommand): Child {
  const [file, ...args] = tied(pinned([command.file, ...command.args], command.cpus));
  const child: ChildProcess = spawn(file!, args, {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...command.env },
    ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
  });
  let stdout = "";
  let stderr = "";
  let partial = "";
  const listeners: ((line: string) => void)[] = [];
  let resolveFirst: (line: string | undefined) => void;
  const firstLine = new Promise<string | undefined>((resolve) => resolveFirst = resolve);
  child.stdin?.on("error", () => {});
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    const lines = (partial + text).split("\n");
    partial = lines.pop()!;
    for (const line of lines) {
      resolveFirst(line);
      for (const listener of listeners) listener(line);
    }
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => stderr = (stderr + text).slice(-TAIL_CHARS));
  const ended = new Promise<Ending | { failed: string }>((resolve) => {
    child.once("error", (error) => resolve({ failed: error.message }));
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
  ended.then(() => resolveFirst(undefined));
  return {
    pid: child.pid ?? -1,
    ended,
    stdout: () => stdout,
    stderrTail: () => stderr.trim(),
    firstLine: () => firstLine,
    onLine: (listener) => void listeners.push(listener),
    closeStdin: () => void child.stdin?.end(),
    kill: (signal) => void child.kill(signal),
  };
}

function pinned(command: string[], cpus: readonly number[] | null): string[] {
  return cpus === null ? command : ["taskset", "-c", formatCpuList(cpus), ...command];
}

/** A shell that starts the command, then sleeps reading the driver's pipe and kills it when that closes. */
const LEASH = `exec 3<&0
"$@" <&3 &
child=$!
( while read -r _ <&3; do :; done; kill -TERM $child; sleep 1.5; kill -9 $child ) 2>/dev/null &
watcher=$!
trap 'kill -TERM $child' TERM INT
wait $child
code=$?
kill $watcher 2>/dev/null
exit $code`;

function tied(command: string[]): string[] {
  if (process.platform === "linux" && findProgram("setpriv") !== undefined) {
    return ["setpriv", "--pdeathsig", "KILL", "--", ...command];
  }
  return ["sh", "-c", LEASH, "leash", ...command];
}

/** Waits for something, but not longer than this. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | "timeout"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<"timeout">((resolve) => timer = setTimeout(() => resolve("timeout"), ms));
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
