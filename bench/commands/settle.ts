import { join } from "node:path";
import { EXIT, type ExitCode, orElse, usageError } from "../basics/errors.ts";
import { takeMachine } from "../files/run-lock.ts";
import { onHosts } from "../observe/connect-hosts.ts";
import { runRecord } from "../record/run-record.ts";
import { noSettleText, settleTexts } from "../report/settle-text.ts";
import { publish } from "../result/published.ts";
import { settlePlanOf } from "../result/settle-plan.ts";
import { resumeCommand } from "../runs/run-folder.ts";
import { listRuns, readJson, readRun } from "../runs/read-run.ts";
import { isKept } from "../runs/find-reference.ts";
import { type Context, preparingSite, resultsDirectory, runFolder } from "./context.ts";
import { measure } from "./measure.ts";
import { continueRun } from "./run.ts";

/**
 * `bench settle [run]`: goes on with a finished run for some time, with the servers of open comparisons alone, and shows
 * its results. Exit 0 where nothing is open.
 */
export async function settleRunCommand(context: Context): Promise<ExitCode> {
  const { args, show, say } = context;
  const stored = readRun(runFolder(context, args.words[0] ?? newestFinished(context)));
  const { run, lines } = stored;
  const { cards, summary } = publish(run, lines);
  const found = settlePlanOf(run, summary, args.get("time"), cards);
  if (found.kind === "none" && found.code !== "decided") {
    // A running run holds the machine's lock; a killed one can be resumed.
    if (run.state === "running") takeMachine()();
    const { text, hint } = noSettleText(run.run, found);
    throw usageError(text, found.code === "unfinished" ? resumeCommand(stored.path) : hint);
  }
  const texts = found.kind === "none" ? [noSettleText(run.run, found).text] : settleTexts(found);
  if (found.kind === "none" || args.has("dry-run")) {
    show(found, () => texts.map((text) => `${text}\n`).join(""));
    return EXIT.done;
  }
  const plan = { ...run.plan, settles: [...run.plan.settles ?? [], found.part] };
  const { hosts, prepare } = continueRun(context, stored, plan);
  for (const text of texts) say(text);
  return await onHosts(hosts, async (hosts) => {
    const prepared = await prepare(preparingSite(context, hosts));
    return await measure(context, { ...prepared, untilMs: performance.now() + args.get("time") });
  });
}

function newestFinished({ args }: Context): string | undefined {
  const results = resultsDirectory(args);
  return listRuns(results).filter((name) => !isKept(name)).findLast((name) =>
    orElse(() => readJson(join(results, name, "run.json"), runRecord).state, null) === "finished"
  );
}
