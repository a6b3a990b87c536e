/** Checks of a store that need a separate process, in the form of the other checks. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { scriptArgs } from "./this-runtime.ts";
import type { StoreCheck, StoreCheckContext } from "../store-checks.ts";

const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));
/** First number of the users that are created: above every data set. */
export const CREATED_FROM = 2_000_000_000;
/** Users a store must have taken before its process is killed. */
const ENOUGH = 200;
/** A process that does what it should takes a hundredth to a tenth of this, more where others have the machine. */
const LATEST_MS = 15_000;
/** The same once it has closed its store. */
const ENDS_MS = 15_000;
/** The line that says so. */
const CLOSED = "closed\n";
/** Openings after which a file that stays open each time can be told from one that is kept. */
const OPENINGS = 20;
/** Files a runtime may open for itself meanwhile. */
const SPARE_FILES = 5;

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  /** Killed, by the watcher or because it took too long. */
  readonly killed: boolean;
  readonly code: number | null;
}

/**
 * Runs the worker; it is killed once it has written so many lines, or took too long.
 *
 * @param endsMs how long it may go on after it has closed its store
 */
function work(
  task: "create" | "close",
  file: string,
  directory: string,
  { lines = Infinity, endsMs = ENDS_MS }: { readonly lines?: number; readonly endsMs?: number },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const args = [...scriptArgs(), WORKER, task, file, directory];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    let [stdout, stderr, killed] = ["", "", false];
    const kill = () => {
      killed = true;
      child.kill("SIGKILL");
    };
    let timer = setTimeout(kill, LATEST_MS);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      if (stdout.endsWith(CLOSED)) {
        clearTimeout(timer);
        timer = setTimeout(kill, endsMs);
      }
      if (!killed && stdout.split("\n").length > lines) kill();
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => stderr += text);
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ stdout, stderr, killed, code });
    });
  });
}

const lastLine = (text: string) => text.trim().split("\n").at(-1) || "it says nothing";

async function whatWasAcknowledgedStays(context: StoreCheckContext, file: string): Promise<void> {
  if (context.driver.durability === "memory") return;
  const directory = await context.fresh();
  const { stdout, stderr, killed } = await work("create", file, directory, { lines: ENOUGH });
  const ids = stdout.split("\n").slice(0, -1);
  if (!killed) assert.fail(`its process ended by itself with ${ids.length} kept: ${lastLine(stderr)}`);
  if (ids.length < ENOUGH) assert.fail(`it kept ${ids.length} in ${LATEST_MS / 1000} s, expected ${ENOUGH}`);
  const store = await context.open(directory);
  try {
    let lost = 0;
    for (const [n, id] of ids.entries()) {
      const { name } = context.userAt(CREATED_FROM + n);
      if ((await store.find(id))?.name !== name) lost += 1;
    }
    if (lost > 0) {
      assert.fail(
        `of ${ids.length} that it kept ${lost} are gone after a kill, expected none: it says "${context.driver.durability}"`,
      );
    }
  } finally {
    await store.close();
  }
}

async function itsProcessEnds(context: StoreCheckContext, file: string, endsMs: number): Promise<void> {
  const { stdout, stderr, killed, code } = await work("close", file, await context.fresh(), { endsMs });
  if (!stdout.includes(CLOSED)) assert.fail(`it was not opened, read and closed: ${lastLine(stderr)}`);
  if (killed) assert.fail(`its process still ran ${endsMs / 1000} s after close(), expected it to end by itself`);
  if (code !== 0) assert.fail(`its process ended with exit ${code} after close(): ${lastLine(stderr)}`);
}

const OPEN_FILES = "/proc/self/fd";

async function nothingStaysOpen(context: StoreCheckContext): Promise<void> {
  if (!existsSync(OPEN_FILES)) return;
  const directory = await context.fresh();
  const openAndClose = async () => {
    const store = await context.open(directory);
    await store.find(context.userAt(0).id);
    await store.close();
  };
  // Memory that an engine keeps for good is there after the first times.
  for (let times = 0; times < 3; times++) await openAndClose();
  const before = readdirSync(OPEN_FILES).length;
  for (let times = 0; times < OPENINGS; times++) await openAndClose();
  const more = readdirSync(OPEN_FILES).length - before;
  if (more > SPARE_FILES) {
    assert.fail(`${more} more files or sockets are open after ${OPENINGS} times open and close, expected none`);
  }
}

/**
 * Checks of a user's module besides the contract's.
 * @param file absolute path of the module
 * @param endsMs how long a process may go on after it has closed a store, in milliseconds
 */
export function processChecks(file: string, endsMs = ENDS_MS): readonly StoreCheck[] {
  return [
    {
      name: "opened and closed again and again, it leaves nothing open",
      advice: "close files and connections in close()",
      run: nothingStaysOpen,
    },
    {
      name: "what it acknowledged is there after its process was killed",
      advice: "hand the write to the system before create() ends, or say durability memory",
      run: (context) => whatWasAcknowledgedStays(context, file),
    },
    {
      name: "a process that has closed it ends by itself",
      advice: "end timers, pools and workers in close()",
      run: (context) => itsProcessEnds(context, file, endsMs),
    },
  ];
}
