import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runToEnd } from "../bench/host/run-to-end.ts";
import { detectRuntime, type RuntimeName } from "../servers/runtime.ts";

/** The runtime the tests run on. */
export const runtime = detectRuntime();

const PROJECT_ROOT = fileURLToPath(new URL("../", import.meta.url));
const SCRIPT_ARGS: Readonly<Record<RuntimeName, readonly string[]>> = {
  node: [],
  deno: ["run", "--allow-all", "--no-check", "--cached-only", "--quiet"],
  bun: ["run", "--no-install"],
};

/** Runs a function with a temporary folder of its own and removes the folder afterwards, also after a failure. */
export async function inTemporaryFolder<T>(work: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "levelfield-test-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A script of the project, running in a process of its own. */
export interface RunningScript {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly ended: Promise<Ending>;
  stdout(): string;
  stderr(): string;
  /** Resolves with the first whole line on stdout that passes, rejects when the process ends without one. */
  line(passes?: (line: string, index: number) => boolean): Promise<string>;
}

/** Starts a script, named from the project's root, on the runtime the tests run on. */
export const startScript = (script: string, ...args: readonly string[]): RunningScript =>
  startScriptWith({}, script, ...args);

/** The same with more in its environment. */
export function startScriptWith(
  env: Readonly<Record<string, string>>,
  script: string,
  ...args: readonly string[]
): RunningScript {
  const child = spawn(process.execPath, [...SCRIPT_ARGS[runtime.name], join(PROJECT_ROOT, script), ...args], {
    cwd: PROJECT_ROOT,
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", ...env },
  });
  let stdout = "";
  let stderr = "";
  let over = false;
  let wake = () => {};
  child.stdin!.on("error", () => {});
  child.stdout!.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    wake();
  });
  child.stderr!.setEncoding("utf8").on("data", (text: string) => stderr += text);
  const ended = new Promise<Ending>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      over = true;
      resolve({ code, signal });
      wake();
    });
  });
  return {
    child,
    pid: child.pid!,
    ended,
    stdout: () => stdout,
    stderr: () => stderr,
    async line(passes = () => true) {
      for (;;) {
        const found = stdout.split("\n").slice(0, -1).find(passes);
        if (found !== undefined) return found;
        if (over) throw new Error(`"${script}" ended without the line sought: ${stderr || stdout}`);
        await new Promise<void>((resolve) => wake = resolve);
      }
    },
  };
}

/**
 * Waits until something is found, however long it takes: the gate ends a step in which nothing happens any more. Pauses
 * grow, so that waiting in vain is no work.
 */
export async function until<T>(find: () => T | undefined | false | Promise<T | undefined | false>): Promise<T> {
  for (let pauseMs = 5;; pauseMs = Math.min(1.02 * pauseMs, 500)) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** SHA-256 of a text or of bytes, in hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** Name, size and hash of each file in a folder, hidden ones too: two equal answers mean nothing was changed. */
export function fingerprint(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).sort().map((name) => {
      const file = join(folder, name);
      return [name, statSync(file).isDirectory() ? "folder" : sha256(readFileSync(file))];
    }),
  );
}

/** Runs a program for as long as it gets on: the gate looks after that. */
export const ranToEnd = (file: string, args: readonly string[], cwd?: string): ReturnType<typeof runToEnd> =>
  runToEnd(file, args, cwd, 0);
