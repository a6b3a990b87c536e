import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readRun } from "../../bench/runs/read-run.ts";
import { PROJECT_ROOT } from "../../bench/runtimes/project-folders.ts";
import { writeSealedRun } from "../write-run.ts";
import { layBaits, putBaits, SECRET_LINE } from "./baits.ts";
import { hostileRuns } from "./hostile-kinds.ts";
import { connections, listenForBaits, startWatched, type Watched } from "./start-watched.ts";

/** The outcome of showing hostile runs by every command; any act that was noted is a fault. */
interface Tried extends Watched {
  readonly runs: number;
  /** Commands that printed a line nobody may see, and pages that hold one. */
  readonly leaks: readonly string[];
}

const SHOWN_RUN = "reference-kv-intel-6-207";

/** Writes hostile runs into a folder, one of so many, and shows them in a process that is watched. */
export async function tryHostile(folder: string, every: number): Promise<Tried> {
  const listener = await listenForBaits();
  const [results, sound] = [join(folder, "results"), join(folder, "sound")];
  const baits = layBaits(join(folder, "baits"), listener.url);
  mkdirSync(results);
  for (const each of [folder, results]) putBaits(each, baits);
  const base = readRun(join(PROJECT_ROOT, "results", SHOWN_RUN));
  writeSealedRun(sound, base);
  const runs = hostileRuns(base, baits).filter((_, n) => n % every === 0);
  for (const [n, run] of runs.entries()) {
    run.write(join(results, `hostile-${String(n).padStart(3, "0")}`));
  }
  const env = { LEVELFIELD_RESULTS: results };
  const { shown, done, end } = await startWatched("show-hostile.ts", [results, sound], folder, baits, env);
  await listener.close();
  const leaks = [
    ...shown.filter(({ said }) => said.includes(SECRET_LINE)).map(({ args }) => args.join(" ")),
    ...["track.html", "both.html"].filter((name) =>
      existsSync(join(folder, name)) && readFileSync(join(folder, name), "utf8").includes(SECRET_LINE)
    ),
  ];
  return { runs: runs.length, done: [...done, ...connections(listener.connected())], leaks, shown, end };
}
