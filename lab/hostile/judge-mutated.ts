/**
 * Judges mutated runs one after the other, by verify and by `bench compare` of one that holds and them: `node … FIRST COUNT`.
 * Prints a line of JSON for each. Who starts it bounds its memory, and so sees which run took more.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXIT } from "../../bench/basics/errors.ts";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { verify } from "../../bench/runs/verify-run.ts";
import { mutateRun } from "./mutate-run.ts";
import { showRuns } from "./show-hostile.ts";

/** The outcome of one. */
export interface Judged {
  readonly number: number;
  readonly mutation: string;
  /** Milliseconds of CPU time that verify took, the row of both runs, and verify of the run that holds. */
  readonly verifyMs: number;
  readonly trackMs: number;
  readonly soundMs: number;
  readonly faults: number;
  /** The error that was thrown; null if there was none, as must be. */
  readonly threw: string | null;
  /** True if the row shows the run that holds. */
  readonly othersShown: boolean;
  /** True if a line of the file outside is in the row or in a fault. */
  readonly leaked: boolean;
}

const SECRET = "a line nobody may see";

/** Runs that are changed: small ones of several kinds. */
const BASES = ["reference-kv-intel-6-207", "reference-frameworks-tinyhttp-amd-26-2"];

/** Makes one, judges it and removes it. */
async function judgeMutated(folder: string, number: number): Promise<Judged> {
  const runs = join(folder, "runs"), path = join(runs, "mutated");
  const results = join(PROJECT_ROOT, "results");
  mkdirSync(runs, { recursive: true });
  cpSync(join(results, BASES[number % BASES.length]!), path, { recursive: true });
  cpSync(join(results, BASES[(number + 1) % BASES.length]!), join(runs, "sound"), { recursive: true });
  const secret = join(folder, "secret");
  writeFileSync(secret, `${SECRET}\n`);
  const mutation = await mutateRun({ folder: path, secret }, number);
  // Writing it took memory that judging it does not.
  globalThis.gc?.();
  let threw: string | null = null, faults: readonly string[] = [], othersShown = false, said = "";
  verify(join(runs, "sound"));
  const began = cpuMs();
  verify(join(runs, "sound"));
  const sound = cpuMs();
  let verified = sound;
  try {
    ({ faults } = verify(path));
    verified = cpuMs();
    const shown = await showRuns(["compare", runs, "--json"]);
    said = shown.said;
    // Of a folder without a run that can be read the command makes nothing, and ends with another code.
    othersShown = shown.code === EXIT.done || shown.code === EXIT.invalid;
  } catch (error) {
    threw = String((error as Error)?.stack ?? error);
  }
  const ended = cpuMs();
  const leaked = [...faults, said].join("\n").includes(SECRET);
  rmSync(folder, { recursive: true, force: true });
  return {
    number,
    mutation,
    verifyMs: verified - sound,
    trackMs: ended - verified,
    soundMs: sound - began,
    faults: faults.length,
    threw,
    othersShown,
    leaked,
  };
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

if (import.meta.main) {
  const [first, count] = process.argv.slice(2).map(Number) as [number, number];
  for (let number = first; number < first + count; number++) {
    const folder = mkdtempSync(join(tmpdir(), "levelfield-hostile-"));
    process.stderr.write(`${number}\n`);
    process.stdout.write(JSON.stringify(await judgeMutated(folder, number)) + "\n");
  }
}
