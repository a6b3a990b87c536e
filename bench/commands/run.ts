import { join, relative } from "node:path";
import { OPTIONS } from "../args/options.ts";
import { formatCpuList } from "../core/cpu-list.ts";
import { type Grade, gradeOf } from "../core/doctor/grade.ts";
import { EXIT, type ExitCode, usageError } from "../core/errors.ts";
import type { PlacementWish } from "../core/placement.ts";
import { AA, loadedMs, type Plan, remainingMs, scheduleOf } from "../core/plan.ts";
import { planOfRun } from "../core/result/plan-of-run.ts";
import type { RunRecord } from "../core/result/run-record.ts";
import { formatDurationMs, formatSize } from "../core/units.ts";
import { machineFacts } from "../host/doctor/machine-facts.ts";
import { listenForInterrupts } from "../host/interrupts.ts";
import { findRun, readRun, type StoredRun } from "../host/read-run.ts";
import { checkResultsFolder } from "../host/run-folder.ts";
import { takeMachine } from "../host/run-lock.ts";
import { resolveRuntimes } from "../host/runtimes.ts";
import { cellTables } from "../report/cell-table.ts";
import { barProgress, lineProgress, preparingText, stepText } from "../report/progress.ts";
import { stampLines, verdictLines } from "../report/verdict-lines.ts";
import { conductRun, type FinishedRun } from "../trial/conduct-run.ts";
import { equip, type Equipment } from "../trial/equip.ts";
import { type Context, dataDirectory, resultsDirectory } from "./context.ts";
import { parseRuntimeWish, placementWishFrom, planFrom, runtimeWishesFrom } from "./plan-from-args.ts";

/** `bench all` and `bench run`: measures a matrix and shows its table and verdicts. */
export async function runCommand(context: Context): Promise<ExitCode> {
  const { args, stdout, stderr, errStyle, outStyle } = context;
  const started = performance.now();
  const results = resultsDirectory(args);
  const resume = resumedRun(args, results);
  const grade = gradeOf(machineFacts());
  const wishes = resume === undefined
    ? runtimeWishesFrom(args)
    : resume.run.runtimes.map(({ wanted }) => parseRuntimeWish(wanted));
  const runtimes = await resolveRuntimes(wishes, join(dataDirectory(args), "runtimes"));
  const labels = runtimes.map((runtime) => runtime.label);
  const plan = resume === undefined ? planFrom(args, grade.grade, labels) : planOfRun(resume.run);
  const wish = resume === undefined ? placementWishFrom(args) : placementOf(resume.run);
  if (args.has("dry-run")) {
    stdout.write(dryRunText(plan, await equip(plan, wish, runtimes), args.has("json")));
    return EXIT.done;
  }
  checkResultsFolder(results);
  const giveBack = takeMachine();
  const interrupts = listenForInterrupts();
  const progress = stderr.isTTY ? barProgress(stderr, errStyle) : lineProgress(stderr, errStyle);
  try {
    stderr.write(`${headline(plan)}\n`);
    const equipment = await equip(plan, wish, runtimes);
    const finished = await conductRun({
      plan,
      grade,
      resultsDirectory: results,
      dataDirectory: dataDirectory(args),
      interrupts,
      observer: {
        prepare(event) {
          if (event.event === "users" || event.event === "store") progress.preparing(preparingText(event));
        },
        begin: (folder, steps) =>
          progress.begin([...beginLines(equipment, folder), gradeLine(grade)], steps, plan.rounds),
        stepBegins: progress.stepBegins,
        stepEnds: progress.stepEnds,
      },
      ...(resume === undefined ? {} : { resume }),
    }, equipment);
    progress.end();
    const { run, cards, summary } = finished;
    if (args.has("json")) stdout.write(JSON.stringify({ run, summary, cells: cards }) + "\n");
    else if (cards.length > 0) {
      stdout.write(`\n${stampLines(summary, outStyle)}${cellTables(cards, outStyle)}\n`);
      stdout.write(verdictLines(summary, outStyle));
    }
    stderr.write(closingLine(finished, plan, resume === undefined ? performance.now() - started : null) + "\n");
    return exitOf(finished);
  } finally {
    progress.end();
    interrupts.release();
    giveBack();
  }
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

function gradeLine({ grade, reasons }: Grade): string {
  const more = reasons.length > 1 ? ` and ${reasons.length - 1} more ("bench doctor" has them)` : "";
  return `grade ${grade}: ${reasons[0] ?? "nothing known"}${more}`;
}

function placementOf({ placement }: RunRecord): PlacementWish {
  const { server_cpus, load_cpus, pinning } = placement;
  return server_cpus === null || load_cpus === null || pinning === "one-cpu"
    ? {}
    : { serverCpus: server_cpus, loadCpus: load_cpus };
}

function headline(plan: Plan): string {
  const cells = plan.subjects.filter((subject) => subject.label !== AA).length;
  const duets = plan.duets.length === 0 ? "" : `, ${plan.duets.length} duets of ${plan.duetMs / 1000} s`;
  return `${cells} cells × ${plan.rounds} rounds of ${plan.durationMs / 1000} s${duets}: ` +
    `at least ${formatDurationMs(loadedMs(plan))} (profile ${plan.profile}, seed ${plan.seed})`;
}

function beginLines(
  { placement, runtimes, generator, generatorVersion, threads }: Equipment,
  folder: string,
): string[] {
  const where = placement.pinning === "none"
    ? `not pinned: ${placement.note}`
    : `server on CPU ${formatCpuList(placement.serverCpus)}, ${generator.name} on CPU ${
      formatCpuList(placement.loadCpus)
    } (${placement.note})`;
  const versions = [...runtimes.values()].map((runtime) => `${runtime.name} ${runtime.version}`).join(", ");
  return [
    `${versions}, ${generator.name} ${generatorVersion} with ${threads} ${threads === 1 ? "thread" : "threads"}`,
    where,
    `writing ${relative(process.cwd(), folder) || folder}`,
  ];
}

function closingLine({ cards, folder, made, planned, run }: FinishedRun, plan: Plan, wallMs: number | null): string {
  const marked = cards.filter((card) => card.status !== "ok").length;
  const where = relative(process.cwd(), folder) || folder;
  if (run.state === "interrupted") {
    return `Interrupted after ${made} of ${planned} steps; they are kept in ${where}\n  go on with: bench run --resume ${run.run}`;
  }
  const pace = wallMs === null
    ? ""
    : ` in ${formatDurationMs(wallMs)}, ${(wallMs / loadedMs(plan)).toFixed(2)} × their time under load`;
  return `${made} steps${pace}; ` +
    `${marked === 0 ? "all cells ok" : `${marked} of ${cards.length} cells marked`}; results in ${where}`;
}

function exitOf({ cards, run }: FinishedRun): ExitCode {
  if (run.state === "interrupted") return EXIT.interrupted;
  return cards.every((card) => card.status === "ok") ? EXIT.done : EXIT.invalid;
}

function dryRunText(plan: Plan, equipment: Equipment, json: boolean): string {
  const schedule = scheduleOf(plan);
  if (json) return JSON.stringify({ plan, placement: equipment.placement, schedule }) + "\n";
  const sizes = [...new Set(plan.subjects.map(({ cell }) => cell.size))];
  return [
    headline(plan),
    ...beginLines(equipment, "nothing: this is a dry run"),
    `about ${formatDurationMs(remainingMs(plan, schedule, new Map(), 700))} in all; data sets of ${
      sizes.map(formatSize).join(", ")
    } users`,
    "",
    ...schedule.map((step) => `${String(step.index + 1).padStart(4)}  round ${step.round + 1}  ${stepText(step)}`),
    "",
  ].join("\n");
}
