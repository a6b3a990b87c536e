import { join } from "node:path";
import { OPTIONS } from "../args/options.ts";
import { gradeOf } from "../core/doctor/grade.ts";
import { EXIT, type ExitCode, usageError } from "../core/errors.ts";
import type { PlacementWish } from "../core/placement.ts";
import { paceOf } from "../core/pace.ts";
import { type Plan, scheduleOf } from "../core/plan.ts";
import { planOfRun } from "../core/result/plan-of-run.ts";
import type { RunRecord } from "../core/result/run-record.ts";
import { formatDurationMs, formatSize } from "../core/units.ts";
import { machineFacts } from "../host/doctor/machine-facts.ts";
import { findRun, readRun, type StoredRun } from "../host/read-run.ts";
import { findRevision } from "../host/revision.ts";
import { resolveRuntimes } from "../host/runtimes.ts";
import { stepText } from "../report/progress.ts";
import { equip, type Equipment } from "../trial/equip.ts";
import { checkOut, revisionOfRun } from "./against.ts";
import { type Context, dataDirectory, resultsDirectory } from "./context.ts";
import { beginLines, headline, measure } from "./measure.ts";
import { parseRuntimeWish, placementWishFrom, planFrom, runtimeWishesFrom } from "./plan-from-args.ts";

/** `bench all` and `bench run`: measures a matrix and shows its table and verdicts. */
export async function runCommand(context: Context): Promise<ExitCode> {
  const { args, stdout } = context;
  const results = resultsDirectory(args);
  const resume = resumedRun(args, results);
  const grade = gradeOf(machineFacts());
  const wishes = resume === undefined
    ? runtimeWishesFrom(args)
    : resume.run.runtimes.map(({ wanted }) => parseRuntimeWish(wanted));
  const runtimes = await resolveRuntimes(wishes, join(dataDirectory(args), "runtimes"));
  const labels = runtimes.map((runtime) => runtime.label);
  const ref = args.value("against");
  const revision = ref === undefined ? undefined : await findRevision(ref);
  const plan = resume === undefined ? planFrom(args, grade.grade, labels, revision?.label) : planOfRun(resume.run);
  const wish = resume === undefined ? placementWishFrom(args) : placementOf(resume.run);
  if (args.has("dry-run")) {
    stdout.write(dryRunText(plan, await equip(plan, wish, runtimes), args.has("json")));
    return EXIT.done;
  }
  const against = resume === undefined
    ? revision && await checkOut(args, revision)
    : await revisionOfRun(args, resume.run.against);
  return await measure(context, { plan, wish, grade, runtimes, resume, against });
}

/** The run to go on with; its plan is its own, so nothing about the plan may be given beside it. */
function resumedRun(args: Context["args"], results: string): StoredRun | undefined {
  const name = args.value("resume");
  if (name === undefined) return undefined;
  const own = ["resume", "results", "data", "json", "verbose", "dry-run"];
  const other = OPTIONS.find((option) => args.has(option.name) && !own.includes(option.name));
  if (other !== undefined || args.words.length > 0) {
    throw usageError(
      `--resume goes on with the run's own plan, so ${
        other ? `--${other.name}` : `"${args.words[0]}"`
      } cannot be given`,
      `bench run --resume ${name}`,
    );
  }
  const stored = readRun(findRun(results, name));
  if (stored.run.state === "finished") {
    throw usageError(`run "${stored.run.run}" is finished`, "bench run starts a new one");
  }
  return stored;
}

function placementOf({ placement }: RunRecord): PlacementWish {
  const { server_cpus, load_cpus, pinning } = placement;
  return server_cpus === null || load_cpus === null || pinning === "one-cpu"
    ? {}
    : { serverCpus: server_cpus, loadCpus: load_cpus };
}

function dryRunText(plan: Plan, equipment: Equipment, json: boolean): string {
  const schedule = scheduleOf(plan);
  if (json) return JSON.stringify({ plan, placement: equipment.placement, schedule }) + "\n";
  const sizes = [...new Set(plan.subjects.map(({ cell }) => cell.size))];
  return [
    headline(plan),
    ...beginLines(equipment, "nothing: this is a dry run"),
    `about ${formatDurationMs(paceOf(plan).remainingMs(schedule))} in all; data sets of ${
      sizes.map(formatSize).join(", ")
    } users`,
    "",
    ...schedule.map((step) => `${String(step.index + 1).padStart(4)}  round ${step.round + 1}  ${stepText(step)}`),
    "",
  ].join("\n");
}
