import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import type { Child } from "../bench/machine/child.ts";
import { detectRuntime, type RuntimeName } from "../servers/runtime.ts";
import { inVain, MOST_PATIENCES, PATIENCE_MS, patiently, printedBy, type Wait } from "./patience.ts";

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

/** A test of what is the same whichever runtime runs it, since it starts the runtimes that matter itself: on Node alone. */
export const onceTest: (name: string, work: () => unknown) => void = runtime.name === "node"
  ? (name, work) => void test(name, async () => void await work())
  : () => {};

/** A test with a temporary folder of its own. */
export const folderTest = (name: string, work: (folder: string) => unknown): void =>
  void test(name, async () => void await inTemporaryFolder(work));

/** A test where processes and their sockets can be looked at, a visible skip elsewhere. */
export const linuxTest = existsSync("/proc/self/environ") ? test : test.skip;

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A script of the project, running in a process of its own. */
export interface RunningScript {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Resolves when it has ended; each use has one patience, after which the script is killed. */
  readonly ended: Promise<Ending>;
  stdout(): string;
  stderr(): string;
  /** Resolves with the first whole line on stdout that passes, rejects when the process ends or patience does. */
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
  child.stdin!.on("error", () => {});
  child.stdout!.setEncoding("utf8").on("data", (text: string) => stdout += text);
  child.stderr!.setEncoding("utf8").on("data", (text: string) => stderr += text);
  const ended = new Promise<Ending>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      over = true;
      resolve({ code, signal });
    });
  });
  const there = () => printedBy(stdout, stderr);
  return {
    child,
    pid: child.pid!,
    get ended() {
      return patiently(ended, { what: `"${script}" to end`, there, giveUp: () => child.kill("SIGKILL") });
    },
    stdout: () => stdout,
    stderr: () => stderr,
    line: (passes = () => true) =>
      until(() => {
        const found = stdout.split("\n").slice(0, -1).find(passes);
        if (found === undefined && over) {
          throw new Error(`"${script}" ended without the line sought: ${stderr || stdout}`);
        }
        return found;
      }, { what: `a line of "${script}" that passes ${wordsOf(passes)}`, there }),
  };
}

/** Source text of a function, in one line. */
const wordsOf = (own: (...args: never[]) => unknown): string => own.toString().replaceAll(/\s+/g, " ").slice(0, 300);

/**
 * Waits until something is found, for one patience without a change of what is there. Pauses grow, so that waiting in vain
 * is no work.
 *
 * @param wait what is awaited, the function's source by default, and what is there meanwhile
 * @throws {Error} when patience has ended, with both
 */
export async function until<T>(
  find: () => T | undefined | false | Promise<T | undefined | false>,
  { what = wordsOf(find), there = () => "", patienceMs = PATIENCE_MS }: Partial<Wait> = {},
): Promise<T> {
  const began = performance.now();
  let before: string | undefined, since = began;
  for (let pauseMs = 5;; pauseMs = Math.min(1.02 * pauseMs, 500)) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    const now = there();
    if (now !== before) [before, since] = [now, performance.now()];
    if (performance.now() - since >= patienceMs || performance.now() - began >= MOST_PATIENCES * patienceMs) {
      throw inVain({ what, there: () => `last found ${inspect(found)}; ${now}`, patienceMs });
    }
    await sleep(pauseMs);
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

/** How a child of the driver's kind has ended; patience lasts as long as it prints, and then it is killed. */
export const endOf = (child: Child): Child["ended"] =>
  patiently(child.ended, {
    what: `process ${child.pid} to end`,
    there: () => printedBy(child.stdout(), child.stderrTail()),
    giveUp: () => child.killAll(),
  });

/**
 * Runs a program to its end. Its code is null when it could not be started or was killed.
 *
 * @throws {Error} when it printed nothing for one patience; it is killed then
 */
export async function ranToEnd(
  file: string,
  args: readonly string[],
  cwd?: string,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  let stdout = "", stderr = "";
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"], ...(cwd === undefined ? {} : { cwd }) });
  child.stdout.setEncoding("utf8").on("data", (text: string) => stdout += text);
  child.stderr.setEncoding("utf8").on("data", (text: string) => stderr += text);
  const ended = new Promise<number | null>((resolve) => {
    child.once("error", (error) => (stderr ||= error.message, resolve(null)));
    child.once("close", (code) => resolve(code));
  });
  const there = () => printedBy(stdout, stderr);
  const code = await patiently(ended, { what: `"${file}" to end`, there, giveUp: () => child.kill("SIGKILL") });
  return { code, stdout, stderr };
}
