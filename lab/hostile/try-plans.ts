import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { besideBaits, layBaits, layBaitsHere } from "./baits.ts";
import { type HostilePlan, hostilePlans } from "./hostile-plans.ts";
import { COMMAND_MARK, type LaidPlan, LIST } from "./open-plans.ts";
import { connections, listenForBaits, startWatched, type Watched } from "./start-watched.ts";

/** The outcome of opening hostile plans and runs; any act that was noted is a fault. */
interface TriedPlans extends Watched {
  readonly plans: readonly HostilePlan[];
}

/**
 * Writes hostile plans into a folder, one of so many, and opens them in a process that is watched. There is no program but
 * this project's runtimes, so that nothing is measured where nothing is refused.
 *
 * @param chosen the plans that are opened; all by default
 */
export async function tryPlans(
  folder: string,
  chosen: (plan: HostilePlan, place: number) => boolean = () => true,
): Promise<TriedPlans> {
  const listener = await listenForBaits();
  const baits = layBaits(join(folder, "baits"), listener.url);
  const [none, temporary] = ["none", "temporary"].map((name) => join(folder, name)) as [string, string];
  for (const name of [none, temporary]) mkdirSync(name);
  layBaitsHere(folder, baits);
  const plans = (await hostilePlans(baits)).filter(chosen);
  const laid = plans.map(({ name, cell, run }, n): LaidPlan => {
    const path = join(folder, "runs", String(n).padStart(3, "0"));
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, "run.json"), JSON.stringify(run));
    writeFileSync(join(path, "journal.ndjson"), "");
    cpSync(baits.module, join(path, besideBaits));
    return { path, name, cell };
  });
  writeFileSync(join(folder, LIST), JSON.stringify(laid));
  const { shown, done, end } = await startWatched("open-plans.ts", [folder], folder, baits, {
    ...{ PATH: none, TMPDIR: temporary, XDG_CACHE_HOME: join(folder, "cache") },
    ...{ LEVELFIELD_RESULTS: join(folder, "results"), LEVELFIELD_DATA: join(folder, "data") },
  });
  await listener.close();
  return { plans, shown, end, done: [...wrongIn(done), ...connections(listener.connected())] };
}

/** Noted acts besides runtimes of this project that print their version, each with its command. */
function wrongIn(done: readonly string[]): string[] {
  let command = "";
  return done.flatMap((line) => {
    if (line.startsWith(COMMAND_MARK)) command = line;
    const isUserOption = line.startsWith(COMMAND_MARK) || /^(spawn|execFile)\w* /.test(line) && !line.includes("bait");
    return isUserOption ? [] : [`${line} ${command}`];
  });
}
