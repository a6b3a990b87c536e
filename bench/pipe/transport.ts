import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { orElse } from "../basics/errors.ts";
import { within } from "../machine/clock.ts";

/** A command whose stdin and stdout lead to an agent. */
export interface Transport {
  write(text: string): void;
  /** The next line of stdout; null when there will be no more. */
  next(): Promise<string | null>;
  /** Returns why no more lines come, as far as the command reported it. */
  why(): Promise<string>;
  /** Closes its stdin: the agent ends all it has started, and itself. */
  close(): void;
  /** Kills the command and all its descendants on this machine, stopped ones too. */
  kill(): void;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
}

/** The time to wait for its stderr once its stdout is closed, in ms. */
const HEARD_MS = 500;

/** The number of characters at the end of its stderr that are kept. */
const TAIL_CHARS = 2_000;

/**
 * Starts a command that leads to an agent. It gets a new process group, so that the driver handles Ctrl-C; when the driver
 * dies, its pipe closes.
 */
export function startTransport([file, ...args]: readonly string[]): Transport {
  const child: ChildProcess = spawn(file!, args, { stdio: ["pipe", "pipe", "pipe"], detached: true });
  let stderr = "";
  let failed = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => stderr = (stderr + text).slice(-TAIL_CHARS));
  child.stdin!.on("error", () => {});
  const ended = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      failed = error.message;
      resolve();
    });
    child.once("exit", () => resolve());
  });
  // Its last output may be read after it has ended; a process it left behind may hold its stderr open.
  const heard = new Promise<void>((resolve) => {
    child.once("error", () => resolve());
    child.once("close", () => resolve());
  });
  const lines: (string | null)[] = [];
  let wake = () => {};
  const take = (line: string | null) => {
    lines.push(line);
    wake();
  };
  readLines(child.stdout!, take, () => take(null));
  return {
    write: (text) => void child.stdin!.write(text),
    async next() {
      while (lines.length === 0) await new Promise<void>((resolve) => wake = resolve);
      return lines.shift()!;
    },
    async why() {
      await within(HEARD_MS, heard);
      const last = stderr.trim().split("\n").at(-1);
      const how = child.signalCode ?? (child.exitCode === null ? "" : `exit ${child.exitCode}`);
      return failed || last || how || "its pipe closed";
    },
    close: () => void child.stdin!.end(),
    kill() {
      // It may have ended.
      if (child.pid !== undefined) orElse(() => process.kill(-child.pid!, "SIGKILL"), false);
    },
    ended,
  };
}

/** The longest line either side takes: a generator's report may be megabytes, a flood must not fill the memory. */
const MOST_CHARS = 64 << 20;

/**
 * Passes on each line of a stream as it comes, and reports the end of the stream.
 *
 * @param onOver called once, after the last line feed
 */
export function readLines(stream: Readable, onLine: (line: string) => void, onOver: () => void): void {
  let parts: string[] = [];
  let chars = 0;
  let over = false;
  const end = () => {
    if (!over) onOver();
    over = true;
  };
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const [head, ...begun] = text.split("\n");
    parts.push(head!);
    chars += head!.length;
    for (const next of begun) {
      const line = parts.join("");
      parts = [next];
      chars = next.length;
      onLine(line);
    }
    if (chars > MOST_CHARS) stream.destroy();
  });
  stream.on("end", end);
  stream.on("close", end);
  stream.on("error", end);
}
