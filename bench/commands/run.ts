import { relative } from "node:path";
import { cellLabel } from "../core/cell.ts";
import { formatCpuList } from "../core/cpu-list.ts";
import { EXIT, type ExitCode } from "../core/errors.ts";
import { loadedMs, type Plan, remainingMs, scheduleOf } from "../core/plan.ts";
import { formatDurationMs, formatSize } from "../core/units.ts";
import { listenForInterrupts } from "../host/interrupts.ts";
import { checkResultsFolder } from "../host/run-folder.ts";
import { takeMachine } from "../host/run-lock.ts";
import { cellTables } from "../report/cell-table.ts";
import { barProgress, lineProgress, preparingText } from "../report/progress.ts";
import { conductRun, equip, type Equipment, type FinishedRun } from "../trial/conduct-run.ts";
import { type Context, dataDirectory, resultsDirectory } from "./context.ts";
import { placementWishFrom, planFrom, runtimesOf } from "./plan-from-args.ts";

/** `bench all` and `bench run`: measures a matrix and shows its table. */
export async function runCommand(context: Context): Promise<ExitCode> {
  const { args, stdout, stderr, errStyle, outStyle } = context;
  const started = performance.now();
  const plan = planFrom(args);
  const wish = placementWishFrom(args);
  const results = resultsDirectory(args);
  if (args.has("dry-run")) {
    stdout.write(dryRunText(plan, await equip(plan, wish, runtimesOf(plan)), args.has("json")));
    return EXIT.done;
  }
  checkResultsFolder(results);
  const giveBack = takeMachine();
  const interrupts = listenForInterrupts();
  const progress = stderr.isTTY ? barProgress(stderr, errStyle) : lineProgress(stderr, errStyle);
  try {
    stderr.write(`${headline(plan)}\n`);
    const equipment = await equip(plan, wish, runtimesOf(plan));
    const finished = await conductRun({
      plan,
      wish,
      resultsDirectory: results,
      dataDirectory: dataDirectory(args),
      interrupts,
      observer: {
        prepare(event) {
          if (event.event === "users" || event.event === "store") progress.preparing(preparingText(event));
        },
        begin: (run) => progress.begin(beginLines(equipment, run.folder), run.trials, plan.rounds),
        trialBegins: progress.trialBegins,
        trialEnds: progress.trialEnds,
      },
    }, equipment);
    progress.end();
    if (args.has("json")) stdout.write(JSON.stringify({ run: finished.run, cells: finished.cards }) + "\n");
    else if (finished.cards.length > 0) stdout.write(`\n${cellTables(finished.cards, outStyle)}\n`);
    stderr.write(closingLine(finished, plan, performance.now() - started) + "\n");
    return exitOf(finished);
  } finally {
    progress.end();
    interrupts.release();
    giveBack();
  }
}

function headline(plan: Plan): string {
  const total = plan.cells.length * plan.rounds;
  return `${plan.cells.length} cells × ${plan.rounds} rounds of ${plan.durationMs / 1000} s = ${total} trials, ` +
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

function closingLine({ cards, folder, made, planned, run }: FinishedRun, plan: Plan, wallMs: number): string {
  const marked = cards.filter((card) => card.status !== "ok").length;
  const where = relative(process.cwd(), folder) || folder;
  if (run.state === "interrupted") return `Interrupted after ${made} of ${planned} trials; they are kept in ${where}`;
  const ratio = (wallMs / loadedMs(plan)).toFixed(2);
  return `${made} trials in ${formatDurationMs(wallMs)}, ${ratio} × their time under load; ` +
    `${marked === 0 ? "all cells ok" : `${marked} of ${cards.length} cells marked`}; results in ${where}`;
}

function exitOf({ cards, run }: FinishedRun): ExitCode {
  if (run.state === "interrupted") return EXIT.interrupted;
  return cards.every((card) => card.status === "ok") ? EXIT.done : EXIT.invalid;
}

function dryRunText(plan: Plan, equipment: Equipment, json: boolean): string {
  const schedule = scheduleOf(plan);
  if (json) return JSON.stringify({ plan, placement: equipment.placement, schedule }) + "\n";
  const sizes = [...new Set(plan.cells.map((cell) => cell.size))];
  return [
    headline(plan),
    ...beginLines(equipment, "nothing: this is a dry run"),
    `about ${formatDurationMs(remainingMs(plan, schedule, new Map()))} in all; data sets of ${
      sizes.map(formatSize).join(", ")
    } users`,
    "",
    ...schedule.map((trial) =>
      `${String(trial.index + 1).padStart(4)}  round ${trial.round + 1}  ${cellLabel(trial.cell)}`
    ),
    "",
  ].join("\n");
}
