/**
 * Opens hostile plans and runs by every command that runs, resumes, explains or shows one, and by the library, in this one
 * process: `node --import … FOLDER`. It prints a line of JSON for each command, and notes in the file LEVELFIELD_WATCHED
 * which command what follows there belongs to.
 */
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT } from "../../bench/basics/errors.ts";
import { run as runPlan } from "../../bench/engine/run.ts";
import type { Plan } from "../../bench/record/plan.ts";
import { type CommandOutcome, showRuns } from "./show-hostile.ts";

/** A hostile plan in a folder: see {@link HostilePlan}. */
export interface LaidPlan {
  readonly path: string;
  readonly name: string;
  readonly cell: string;
}

/** The file of a folder that lists its hostile plans. */
export const LIST = "plans.json";
/** The mark of a command's line in the log. */
export const COMMAND_MARK = "> ";

const commandsFor = (path: string, cell: string): readonly (readonly string[])[] => {
  const plan = join(path, "run.json");
  return [
    ["run", "--plan", plan, "--dry-run"],
    ["run", "--plan", plan],
    ["run", "--resume", path],
    ["reproduce", path],
    ["explain", path, cell],
    ["show", path, "--verdicts"],
    ["verify", path],
    ["report", path],
  ];
};

async function useLibrary(path: string, folder: string): Promise<CommandOutcome> {
  const args = ["library"];
  try {
    const { plan } = JSON.parse(readFileSync(join(path, "run.json"), "utf8")) as { readonly plan: Plan };
    for await (const _ of runPlan(plan, { results: join(folder, "results"), data: join(folder, "data") }));
    return { args, code: EXIT.done, said: "" };
  } catch (error) {
    return { args, code: EXIT.failed, said: String((error as Error).stack) };
  }
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2) as [string];
  const log = process.env["LEVELFIELD_WATCHED"]!;
  const plans: readonly LaidPlan[] = JSON.parse(readFileSync(join(folder, LIST), "utf8"));
  for (const { path, name, cell } of plans) {
    const open = async (args: readonly string[], work: () => Promise<CommandOutcome>) => {
      appendFileSync(log, `${COMMAND_MARK}${name}: ${args.join(" ")}\n`);
      process.stdout.write(JSON.stringify(await work()) + "\n");
    };
    for (const args of commandsFor(path, cell)) await open(args, () => showRuns(args));
    await open(["library"], () => useLibrary(path, folder));
  }
}
