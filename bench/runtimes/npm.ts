/** Runs npm in a new empty folder, so that no `.npmrc` and no `package.json` of the working folder counts. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errorLine } from "../basics/error-line.ts";
import { failure } from "../basics/errors.ts";
import { holderOf, takeMachine } from "../files/run-lock.ts";
import { runToEnd } from "../machine/programs.ts";

const TURN_MS = 200;

const FRESH = ".fetch-";

/** Lets npm name a missing network within seconds, and run no script of a package. */
const FLAGS = [
  ...["--ignore-scripts", "--no-audit", "--no-fund"],
  ...["--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=3000"],
];

/** Does some work in a new folder inside another one, which is removed then. One process works at a time. */
export async function inFreshFolder<T>(folder: string, work: (fresh: string) => Promise<T>): Promise<T> {
  const giveBack = await takeTurn(folder);
  try {
    // Remains of a killed process: no other process works here now.
    for (const left of readdirSync(folder).filter((each) => each.startsWith(FRESH))) {
      rmSync(join(folder, left), { recursive: true, force: true });
    }
    const fresh = mkdtempSync(join(folder, FRESH));
    try {
      return await work(fresh);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
  } finally {
    giveBack();
  }
}

async function takeTurn(folder: string): Promise<() => void> {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? String(error);
    throw failure(`cannot make "${folder}" for runtimes: ${why}`, "set LEVELFIELD_DATA to a folder of yours", error);
  }
  const lock = join(folder, ".lock");
  for (;;) {
    try {
      if (holderOf(lock) === undefined) return takeMachine(lock);
    } catch (error) {
      if (holderOf(lock) === undefined) throw error;
    }
    await sleep(TURN_MS);
  }
}

/** Runs npm in a fresh folder, whose settings alone count, with the user's own. Throws an Error of one line. */
export async function npmIn(fresh: string, args: readonly string[], timeoutMs: number): Promise<string> {
  const words = ["COREPACK_ENABLE_PROJECT_SPEC=0", "npm", ...args, "--prefix", fresh, ...FLAGS];
  const { code, stdout, stderr } = await runToEnd("env", words, fresh, timeoutMs);
  if (code !== 0) throw new Error(errorLine(stderr) ?? "npm failed", { cause: stderr });
  return stdout;
}
