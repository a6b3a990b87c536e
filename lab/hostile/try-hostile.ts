import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packed, packOf } from "../../bench/host/pack-run.ts";
import { readRun } from "../../bench/host/read-run.ts";
import { PROJECT_ROOT } from "../../bench/host/runtimes.ts";
import { writeSealedRun } from "../write-run.ts";
import { layBaits, lieBeside, SECRET_LINE } from "./baits.ts";
import { hostileRuns } from "./hostile-kinds.ts";
import { connections, listenForBaits, startWatched, type Watched } from "./start-watched.ts";

/** What came of showing hostile runs by every command; of what was done nothing is right. */
export interface Tried extends Watched {
  readonly runs: number;
  /** Commands that printed a line nobody may see, and files of the board that hold one. */
  readonly leaks: readonly string[];
}

const SHOWN_RUN = "reference-kv-intel-6-207";

const soundRun = () => readRun(join(PROJECT_ROOT, "results", SHOWN_RUN));

/** Writes hostile runs into a folder, one of so many, and shows them in a process that is watched. */
export async function tryHostile(folder: string, every: number): Promise<Tried> {
  const listener = await listenForBaits();
  const [results, packs, sound] = ["results", "packs", "sound"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const baits = layBaits(join(folder, "baits"), listener.url);
  for (const name of [results, packs]) mkdirSync(name);
  for (const each of [folder, results]) lieBeside(each, baits);
  const base = soundRun();
  writeSealedRun(sound, base);
  const runs = hostileRuns(base, baits).filter((_, n) => n % every === 0);
  for (const [n, run] of runs.entries()) {
    const path = join(results, `hostile-${String(n).padStart(3, "0")}`);
    run.write(path);
    try {
      writeFileSync(join(packs, `p${n}.levelfield.gz`), packed({ ...packOf(path), name: `packed-${n}` }));
    } catch {
      // What is no plain file cannot be packed.
    }
  }
  const env = { LEVELFIELD_RESULTS: results };
  const { shown, done, end } = await startWatched("show-hostile.ts", [results, packs, sound], folder, baits, env);
  await listener.close();
  const leaks = [
    ...shown.filter(({ said }) => said.includes(SECRET_LINE)).map(({ args }) => args.join(" ")),
    ...filesWith(join(folder, "board"), SECRET_LINE),
  ];
  return { runs: runs.length, done: [...done, ...connections(listener.asked())], leaks, shown, end };
}

/** Files anywhere in a folder that hold a text. */
function filesWith(folder: string, wanted: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file, "latin1").includes(wanted));
}
