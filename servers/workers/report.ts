import { readlinkSync } from "node:fs";
import { connect } from "node:net";
import process from "node:process";
import { CONTROL, WORD } from "./ways.ts";

/** The count of a worker; null once something answers that cannot be counted. */
export interface Counter {
  requests: number | null;
}

/** The first message of a worker: its thread id, and its ready line if it has no separate output. */
export interface Hello {
  readonly pid: number;
  readonly tid: number;
  /** The word that tells workers from other users of the machine. */
  readonly word?: string | undefined;
  readonly ready?: unknown;
}

/** This thread as the system numbers it; that of the process where the system has no /proc. */
function threadHere(): Pick<Hello, "pid" | "tid"> {
  try {
    return { pid: process.pid, tid: Number(readlinkSync("/proc/thread-self").split("/")[2]) };
  } catch {
    return { pid: process.pid, tid: process.pid };
  }
}

/** Sends the counts of this worker to the process that started it, at each request. */
export function report(counter: Counter, ready?: unknown): void {
  const hello: Hello = { ...threadHere(), word: process.env[WORD], ...(ready === undefined ? {} : { ready }) };
  const socket = connect(
    Number(process.env[CONTROL]),
    "127.0.0.1",
    () => void socket.write(`${JSON.stringify(hello)}\n`),
  );
  socket.on("data", () => void socket.write(`${JSON.stringify(counter.requests)}\n`));
  // Who asks has gone: the worker is ended with it.
  socket.on("error", () => {});
  socket.unref();
}
