/**
 * Starts an app or program as several workers on one port, prints one ready line for all, and ends them when its stdin closes
 * or it gets SIGTERM or SIGINT. At a second port it answers the line `totals` with what each worker has counted.
 */
import { type ChildProcess, spawn } from "node:child_process";
import cluster from "node:cluster";
import { randomUUID } from "node:crypto";
import { createServer, type Socket } from "node:net";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { detectRuntime } from "../runtime.ts";
import type { Hello } from "./report.ts";
import { CONTROL, REQUEST, REUSE_PORT, WORD, type WorkersRequest } from "./ways.ts";

const request = JSON.parse(process.argv[2]!) as WorkersRequest;
const { count, by, control, hostname, port, runtimeArgs, script, ready } = request;
const COUNT = fileURLToPath(new URL("./count.ts", import.meta.url));
const SERVE = fileURLToPath(new URL("./serve.ts", import.meta.url));

interface Worker extends Hello {
  ask(): Promise<number | null>;
}

const workers: Worker[] = [];
const children: ChildProcess[] = [];
const lines: Record<string, unknown>[] = [];
let stopping = false;

function stop(code: number): void {
  if (stopping) return;
  stopping = true;
  for (const child of children) child.kill("SIGTERM");
  Promise.all(
    children.map((child) => child.exitCode ?? child.signalCode ?? new Promise((end) => child.once("exit", end))),
  )
    .then(() => process.exit(code));
}

/** Says once that all are there: with the line of the first, under the process that is to be watched. */
function reportReady(): void {
  if (!ready || lines.length < count || workers.length < count) return;
  process.stdout.write(`${JSON.stringify({ ...lines[0], pid: process.pid })}\n`);
  lines.length = 0;
}

function readyLine(line: unknown): void {
  if (typeof line !== "object" || line === null || (line as { schema?: unknown }).schema !== "levelfield.ready/2") {
    return;
  }
  if ("unsupported" in line) {
    process.stdout.write(`${JSON.stringify(line)}\n`);
    return stop(0);
  }
  lines.push({ ...line });
  reportReady();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One connection at its port: a worker that says what it is, or somebody who asks. */
function connected(socket: Socket): void {
  const waiting: ((requests: number | null) => void)[] = [];
  let worker: Worker | undefined;
  socket.on("error", () => {});
  createInterface({ input: socket }).on("line", async (line) => {
    if (line === "totals") {
      const counts = await Promise.all(workers.map(async ({ pid, tid, ask }) => ({ pid, tid, requests: await ask() })));
      return socket.end(`${JSON.stringify(counts)}\n`);
    }
    const message = parsed(line);
    if (worker !== undefined) return waiting.shift()?.(message as number | null);
    if ((message as Hello | undefined)?.word !== word) return socket.destroy();
    const hello = message as Hello;
    worker = {
      ...hello,
      ask: () =>
        new Promise((resolve) => {
          waiting.push(resolve);
          socket.write("count\n");
        }),
    };
    workers.push(worker);
    if (hello.ready !== undefined) readyLine(hello.ready);
    reportReady();
  });
}

function followed(child: ChildProcess): void {
  children.push(child);
  if (ready && child.stdout !== null) {
    createInterface({ input: child.stdout }).on("line", (line) => readyLine(parsed(line)));
  }
  child.once("exit", (code, signal) => {
    if (stopping) return;
    process.stderr.write(`a worker ended with ${signal ?? `exit ${code}`}\n`);
    stop(1);
  });
}

const word = randomUUID();
const env = {
  ...process.env,
  ...{ [CONTROL]: String(control), [WORD]: word },
  ...(by === "reuse-port" ? { [REUSE_PORT]: "1" } : {}),
};
const stdio = ["pipe", ready ? "pipe" : "inherit", "inherit"] as ("pipe" | "inherit" | "ipc")[];

function startWorkers(): void {
  if (by === "cluster") {
    const [exec, ...args] = script;
    cluster.setupPrimary({
      exec: exec!,
      args,
      execArgv: [...runtimeArgs, "--import", COUNT],
      stdio: [...stdio, "ipc"],
    });
    for (let n = 0; n < count; n++) followed(cluster.fork(env).process as ChildProcess);
  } else if (by === "parallel") {
    const [, ...flags] = runtimeArgs;
    const listen = ["--parallel", "--host", hostname, "--port", String(port)];
    const withRequest = { ...env, DENO_JOBS: String(count), [REQUEST]: JSON.stringify(request) };
    followed(spawn(process.execPath, ["serve", ...flags, ...listen, SERVE], { stdio, env: withRequest }));
  } else {
    const flags =
      { node: ["--import"], deno: ["--unstable-net", "--preload"], bun: ["--preload"] }[detectRuntime().name];
    for (let n = 0; n < count; n++) {
      followed(spawn(process.execPath, [...runtimeArgs, ...flags, COUNT, ...script], { stdio, env }));
    }
  }
}

process.stdin.on("end", () => stop(0));
process.stdin.on("error", () => stop(0));
process.stdin.resume();
process.on("SIGTERM", () => stop(0));
process.on("SIGINT", () => stop(0));

const server = createServer(connected);
server.on("error", (error) => {
  process.stderr.write(`cannot listen on port ${control}: ${error.message}\n`);
  process.exit(1);
});
server.listen(control, "127.0.0.1", startWorkers);
