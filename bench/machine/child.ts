import { type ChildProcess, spawn } from "node:child_process";
import { formatCpuList } from "../basics/cpu-list.ts";
import { orElse } from "../basics/errors.ts";
import { present } from "../basics/present.ts";
import { nowUs, within } from "./clock.ts";
import { OWNER_VARIABLE, ownerTag } from "./owner.ts";
import { atRaisedPriority } from "./priority.ts";
import { findProgram } from "./programs.ts";
import { MARK } from "./server-processes.ts";

/** A program to run as a child of the driver. */
export interface ChildCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** CPUs it may use; null leaves the choice to the system. */
  readonly cpus: readonly number[] | null;
  /** Runs at raised priority; see bench/machine/priority.ts. */
  readonly raised?: boolean;
  /** Starts it in a new session if the system has setsid, so that it can be killed with all processes it has started. */
  readonly ownSession?: boolean;
  /** Stops and ends all processes it has started with it, in a new session, also when the driver dies. */
  readonly withAll?: boolean;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Open files it is given, from descriptor {@link FIRST_HANDLE} on. */
  readonly handles?: readonly number[];
}

/** The first descriptor for files of a child: those below are its streams and one of its watcher. */
export const FIRST_HANDLE = 4;

/** The end of a child. */
export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
  /** Its time by the wall clock, in microseconds. */
  readonly endedUs: number;
  /** Something it started still held its output a second later. */
  readonly leftBehind?: true;
}

/** A signal that a child can be sent. */
export type Signal = "SIGINT" | "SIGTERM" | "SIGKILL" | "SIGSTOP" | "SIGCONT";

/** A running child. */
export interface Child {
  /** The program's process id: the wrappers that pin and tie it replace themselves with it. */
  readonly pid: number;
  /** Resolves when it has ended, or with an error text when it could not be started at all. */
  readonly ended: Promise<Ending | { readonly failed: string }>;
  /**
   * Returns stdout so far, or its end if that is more than {@link MOST_STDOUT_CHARS}. Of a child started `withAll`: the
   * last 4 000 characters.
   */
  stdout(): string;
  /** The last 4 000 characters of stderr. */
  stderrTail(): string;
  /** Resolves with the first line of stdout, or undefined when the child ends without one. */
  firstLine(): Promise<string | undefined>;
  onLine(listener: (line: string) => void): void;
  /** Closes its stdin: the sign to stop. */
  closeStdin(): void;
  /** Resolves when the signal is sent; one that has ended gets none. */
  kill(signal: Signal): Promise<void>;
  /** Kills it and, if it has a session, all processes in it. */
  killAll(): void;
}

const TAIL_CHARS = 4_000;

/**
 * Characters of stdout that are kept at least; at most twice as many are. No report is longer, and a flood must not
 * fill the memory.
 */
export const MOST_STDOUT_CHARS = 16 << 20;

/** Time in ms that output of an ended child may stay open: another process holds it then. */
const LEFT_OPEN_MS = 1_000;

/** A text, or the end of one that grows too long. */
function keptEnd(text: string): string {
  return text.length > 2 * MOST_STDOUT_CHARS ? text.slice(-MOST_STDOUT_CHARS) : text;
}

function sendTo({ pid, exitCode, signalCode }: ChildProcess, signal: Signal, group: boolean): void {
  // It may end meanwhile.
  if (pid !== undefined && exitCode === null && signalCode === null) killed(group ? -pid : pid, signal);
}

/** Sends a signal, 0 for none, to a process or to the group of a negative id. Returns true if there is one. */
const killed = (pid: number, signal: Signal | 0): boolean => orElse(() => process.kill(pid, signal), false);

/**
 * Starts a child that cannot outlive the driver. On Linux the kernel kills it when the driver dies (setpriv
 * --pdeathsig). Elsewhere a sleeping shell kills it when the driver's pipe closes. Pinned with taskset where CPUs are
 * given.
 */
export function startChild(command: ChildCommand): Child {
  const sessions = process.platform === "linux" && findProgram("setsid") !== undefined;
  const withAll = command.withAll === true && sessions;
  const session = withAll || (command.ownSession === true && sessions);
  const named = [command.file, ...command.args];
  const { [MARK]: mark = "", ...unmarked } = command.env;
  const plain = withAll ? ["sh", "-c", LEASH_ALL, "leash", mark, ...named] : named;
  const prepared = command.raised ? atRaisedPriority(plain) : plain;
  // One that is raised may have its session already, and setsid starts another process for a second.
  const inSession = session && !prepared.includes("setsid") ? ["setsid", ...prepared] : prepared;
  // Pinning comes first: the watcher stays on the same CPUs, and counts as one of its processes.
  const [file, ...args] = pinned(tied(inSession), command.cpus);
  const child: ChildProcess = spawn(file!, args, {
    stdio: ["pipe", "pipe", "pipe", ...(command.handles === undefined ? [] : ["ignore" as const, ...command.handles])],
    env: { ...(withAll ? unmarked : command.env), [OWNER_VARIABLE]: ownerTag() },
    ...present({ cwd: command.cwd }),
  });
  let stdout = "";
  let stderr = "";
  let partial = "";
  const listeners: ((line: string) => void)[] = [];
  let resolveFirst: (line: string | undefined) => void;
  const firstLine = new Promise<string | undefined>((resolve) => resolveFirst = resolve);
  child.stdin?.on("error", () => {});
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    // Somebody else's server may write a line for each request.
    stdout = withAll ? (stdout + text).slice(-TAIL_CHARS) : keptEnd(stdout + text);
    // Only new output is searched: a line may be hundreds of megabytes long.
    const [head, ...begun] = text.split("\n");
    partial = keptEnd(partial + head);
    for (const next of begun) {
      resolveFirst(partial);
      for (const listener of listeners) listener(partial);
      partial = next;
    }
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => stderr = (stderr + text).slice(-TAIL_CHARS));
  // A watcher whose command has ended must not wait for the driver's end: process ids are reused.
  child.once("exit", () => child.stdin?.destroy());
  // True once its id may belong to another program: it has exited, and no process of its group keeps the id.
  let gone = false;
  const ended = new Promise<Ending | { failed: string }>((resolve) => {
    child.once("error", (error) => resolve({ failed: error.message }));
    child.once("exit", (code, signal) => {
      gone = !session || !killed(-child.pid!, 0);
      const closed = new Promise<"closed">((done) => child.once("close", () => done("closed")));
      void within(LEFT_OPEN_MS, closed).then((how) => {
        if (how === "closed") return resolve({ code, signal, endedUs: nowUs() });
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve({ code, signal, endedUs: nowUs(), leftBehind: true });
      });
    });
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
    kill(signal) {
      // Deno takes a child for ended after any signal it was sent through itself, though it has its last word to say.
      if (signal === "SIGKILL") child.kill(signal);
      else sendTo(child, signal, withAll && signal !== "SIGINT" && signal !== "SIGTERM");
      return Promise.resolve();
    },
    killAll() {
      if (gone) return;
      gone = child.exitCode !== null || child.signalCode !== null;
      if (session && child.pid !== undefined) killed(-child.pid, "SIGKILL");
      child.kill("SIGKILL");
    },
  };
}

function pinned(command: string[], cpus: readonly number[] | null): string[] {
  return cpus === null ? command : ["taskset", "-c", formatCpuList(cpus), ...command];
}

/**
 * A shell that becomes the command and leaves a watcher behind. The watcher sleeps while it reads the driver's pipe, and
 * kills the command when that closes. It holds no output open and finds the command by the shell's process id.
 */
const LEASH = `exec 3<&0
( while read -r _ <&3; do :; done; kill -TERM $$ || exit; sleep 1.5; kill -9 $$ ) >/dev/null 2>&1 &
exec "$@" 3<&-`;

/**
 * The same for a whole session: when the pipe closes, the rest of the session is killed. The watcher is no child of the
 * leader and inherits nothing of its environment. It has another session, or it would be stopped and killed with the
 * others; it ends when no process is left to kill.
 * Node makes the shared pipe non-blocking: a read that comes later fails for now, which is no end of input. The command
 * alone gets the mark of its processes: a watcher with that mark would look like a process the command left behind.
 * Remaining processes have six seconds: a busy machine takes two until the driver sees that they are there.
 */
const LEASH_ALL = `exec 3<&0
(env -i PATH="$PATH" setsid sh -c 'until cat <&3 >/dev/null 2>&1; do sleep 1; done
for _ in 1 2 3 4 5 6 7 8 9 10; do kill -s 0 -- -"$0" || exit; sleep 0.6; done
kill -s KILL -- -"$0"' $$ >/dev/null 2>&1 </dev/null &)
[ -z "$1" ] || export ${MARK}="$1"
shift
exec "$@" 3<&-`;

function tied(command: string[]): string[] {
  if (process.platform === "linux" && findProgram("setpriv") !== undefined) {
    return ["setpriv", "--pdeathsig", "KILL", "--", ...command];
  }
  return ["sh", "-c", LEASH, "leash", ...command];
}
