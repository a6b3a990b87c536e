import type { Suite } from "../../suites/suite.ts";
import { gradeLine, headline, leftOutText, takesText, timedText } from "../report/measure-text.ts";
import { shellQuoted } from "../basics/shell.ts";
import { formatCpuList } from "../basics/cpu-list.ts";
import { EXIT, type ExitCode } from "../basics/errors.ts";
import { fromHere } from "../files/near-files.ts";
import type { CellOutcome } from "../record/card.ts";
import { pointName } from "../record/cell.ts";
import { listed } from "../result/questions.ts";
import type { Observation } from "../record/observation-record.ts";
import type { Summary } from "../record/summary.ts";
import { isUnsupported } from "../result/cell-card.ts";
import { roughLooks } from "../result/rough-look.ts";
import { summaryOf } from "../result/summary-of.ts";
import { timeSpent } from "../result/time-spent.ts";
import { whyAlone, whySomeAlone } from "../plan/why-alone.ts";
import { paceOf } from "../plan/pace.ts";
import type { Plan } from "../record/plan.ts";
import { programsOfUser, servedText } from "../record/served-text.ts";
import { isOfOthers, whyNoneSound } from "../judge/status.ts";
import { stepsAhead } from "../plan/spare-rounds.ts";
import { firstFew, MOST_NAMED } from "../basics/visible.ts";
import { asSentence, counted, formatDurationMs, percent } from "../basics/units.ts";
import type { Args } from "../options/args.ts";
import { keyboardHere, listenForInterrupts } from "../machine/interrupts.ts";
import type { StoredRun } from "../runs/read-run.ts";
import { earlierPace } from "../sources/pace-file.ts";
import { checkDataFolder, checkResultsFolder } from "../runs/run-folder.ts";
import { disturbedTexts } from "../report/gate-report.ts";
import { joinedText } from "../report/machine-text.ts";
import { barProgress, lineProgress, preparingText } from "../report/progress.ts";
import { resultsText } from "../report/results-text.ts";
import { type PlanRequest, type Prepared, preparePlan } from "../engine/conductor.ts";
import { measurePlan } from "../engine/measure-plan.ts";
import { onHosts } from "../observe/connect-hosts.ts";
import { configLine } from "../options/config-meant.ts";
import { cpuOptionsFrom, hostOptionsFrom } from "../options/settle.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import type { FinishedRun } from "../observe/conduct-run.ts";
import type { Equipment } from "../observe/site.ts";
import { agree } from "./agree.ts";
import { type Context, dataDirectory, preparingSite, resultsDirectory } from "./context.ts";
import { waitOrGoOn } from "./wait-or-go-on.ts";
import { rowOf } from "../record/mark.ts";

/** A prepared plan, and the stopped run that it continues. */
export interface Measured extends Prepared {
  readonly resume?: StoredRun;
  /** When the time of a settle is up, by `performance.now()`. */
  readonly untilMs?: number;
}

/**
 * Prepares a choice on the hosts of the command line, measures its plan and shows the results.
 *
 * @param overruled options of a config that are not used
 */
export async function measureChoice(
  context: Context,
  request: Omit<PlanRequest, "wish">,
  overruled?: readonly string[],
): Promise<ExitCode> {
  const { args } = context;
  return await onHosts(hostOptionsFrom(args), async (hosts) => {
    const prepared = await preparePlan(preparingSite(context, hosts), { ...request, wish: cpuOptionsFrom(args) });
    sayConfig(context, request.loaded, overruled);
    return await measure(context, prepared);
  });
}

/** Says which options of a measurement a config sets, if there is one. */
export function sayConfig(context: Context, loaded: LoadedSuite, overruled?: readonly string[]): void {
  const configured = configLine(context, loaded, overruled);
  if (configured !== undefined) context.say(configured);
}

/** Measures a plan and shows its table and verdicts on stdout. */
export async function measure(context: Context, measurement: Measured): Promise<ExitCode> {
  const finished = await measureRun(context, measurement);
  const { run, cards, summary, lines } = finished;
  const { outStyle: style, columns } = context;
  const given = { results: context.args.get("results") };
  context.show(
    { run, summary, cells: cards },
    () => `\n${resultsText(run, summary, cards, lines, { style, columns, given })}`,
  );
  return exitOf(finished);
}

/** Takes the machine and measures a plan, with progress on stderr and nothing on stdout. */
export async function measureRun(context: Context, measured: Measured): Promise<FinishedRun> {
  const { args, stderr, errStyle, say } = context;
  const { plan, suite, grade, resume } = measured;
  const started = performance.now();
  const results = resultsDirectory(args);
  checkResultsFolder(results);
  if (plan.cells.some(({ point }) => suite.files?.(point) ?? false)) checkDataFolder(dataDirectory(args));
  const made = resume?.lines ?? [];
  const ahead = stepsAhead(plan, made);
  const aheadMs = aheadMsOf(args, plan, ahead, made.reduce((sum, { wall_ms }) => sum + wall_ms, 0));
  await agree(context, aheadMs);
  const progress = stderr.isTTY ? barProgress(stderr, errStyle) : lineProgress(stderr, errStyle);
  const interrupts = listenForInterrupts();
  let disturbance: ReturnType<typeof waitOrGoOn> | undefined;
  try {
    const finished = await measurePlan({
      ...measured,
      resultsDirectory: results,
      dataDirectory: dataDirectory(args),
      interrupts,
      observer(equipment) {
        say(headline(plan));
        const { serverCpus, loadCpus } = equipment.placement;
        disturbance = waitOrGoOn({
          keyboard: () => stderr.isTTY && equipment.hosts.link === undefined ? keyboardHere() : null,
          progress,
          cpus: serverCpus === null ? null : [...serverCpus, ...loadCpus],
          stop: interrupts.stop,
        });
        const least = plan.timed === undefined ? "" : "at least ";
        const takes = `${least}${counted(ahead.length, "step")} ahead, ${takesText(plan, aheadMs)}`;
        return {
          ...progress,
          prepare(event) {
            if (event.event === "progress") progress.preparing(preparingText(event));
          },
          begin(folder, steps) {
            const lines = [...scopeLines(suite, plan), ...startLines(plan, equipment, folder), gradeLine(grade), takes];
            progress.begin(lines, plan, steps);
          },
          disturbed: disturbance.disturbed,
          roundEnds: (run, lines) =>
            progress.soFar({ answer: summaryOf(run, lines).answer, looks: roughLooks(run.plan, lines) }),
        };
      },
    });
    progress.end();
    const who = disturbance?.busy() ?? null;
    if (who !== null) {
      // The answer has that others had the machine for most of the run.
      const isNamed = finished.summary.marks.some(isOfOthers);
      say([...disturbedTexts(finished, isNamed), asSentence(who)].join(" "));
    }
    say(closingLine(finished, resume === undefined ? performance.now() - started : null, context));
    return finished;
  } finally {
    progress.end();
  }
}

/** The expected time of steps by earlier runs here, in ms. */
export const aheadMsOf = (args: Args, plan: Plan, ahead = stepsAhead(plan, []), madeMs = 0): number =>
  Math.max(
    paceOf(plan, earlierPace(dataDirectory(args))).remainingMs(ahead),
    ahead.length === 0 ? 0 : (plan.timed?.ms ?? 0) - madeMs,
  );

/** Lines on cells that a plan leaves out, and on why cells are measured alone; none if neither applies. */
export function scopeLines(suite: Suite, plan: Plan): string[] {
  const why = whyAlone(suite, plan);
  const alone = (reason: string) => `measured alone and compared by rates, which vary more than CPU time: ${reason}`;
  const some = whySomeAlone(suite, plan).map(({ reason, points }) => {
    const names = [...new Set(points.map((point) => pointName(plan.axes, point)))];
    return `${names.length > MOST_NAMED ? firstFew(names) : listed(names)}: ${alone(reason)}`;
  });
  return [timedText(plan), leftOutText(plan), why && alone(why), ...some].filter((text) => text !== null);
}

/** Lines above the progress: versions, placement and folder. */
export function startLines(
  { suite: { own: spec } }: Pick<Plan, "suite">,
  { placement, priority, runtimes, tool: { generator, generatorVersion }, threads, hosts }: Equipment,
  folder: string,
): string[] {
  const where = placement.pinning === "none"
    ? `not pinned: ${placement.note}`
    : `server on CPU ${formatCpuList(placement.serverCpus)}, ${generator.name} on CPU ${
      formatCpuList(placement.loadCpus)
    } (${placement.note})`;
  const served = programsOfUser(spec)?.map((one) => servedText([one]));
  const versions = served ?? [...runtimes.values()].map((runtime) => `${runtime.name} ${runtime.version}`);
  const { server, load, link, service, serviceLink } = hosts;
  const services = serviceLink && { service: { host: service.command, address: serviceLink.address } };
  const joined = link === undefined
    ? []
    : [joinedText({ server: server.command, load: load.command, address: link.address, ...services })];
  return [
    ...joined,
    `${[...versions, `${generator.name} ${generatorVersion}`].join(", ")} with ${counted(threads, "thread")}`,
    priority.nice === null
      ? `${where}; at ordinary priority: ${priority.why}`
      : `${where}, both at raised priority (nice ${priority.nice})`,
    `writing ${fromHere(folder)}`,
  ];
}

function closingLine(
  { cards, folder, made, planned, run, lines, loadedMs }: FinishedRun,
  wallMs: number | null,
  { args, config }: Pick<Context, "args" | "config">,
): string {
  const marked = cards.filter((card) => card.status !== "ok" && !isUnsupported(card)).length;
  const where = fromHere(folder);
  if (run.state === "interrupted") {
    const text = `Interrupted after ${made} of ${counted(planned, "step")}; what was made is kept in ${where}`;
    // Revisions written out for it are gone by then.
    if (args.command === "gate" || args.command === "bisect") return text;
    const named = (option: string, value: string | undefined) =>
      value === undefined ? "" : ` --${option} ${shellQuoted(value)}`;
    return `${text}\n  go on with: bench run --resume ${run.run}${named("results", args.get("results"))}${
      named("config", config?.file)
    }`;
  }
  const pace = wallMs === null
    ? ""
    : ` in ${formatDurationMs(wallMs)}, ${(wallMs / loadedMs).toFixed(2)} × their time under load (${
      spentText(lines)
    })`;
  const none = whyNoneSound(lines);
  const outcome = none !== null
    ? `no step is sound: ${none.text}`
    : marked === 0
    ? "all cells ok"
    : `${marked} of ${counted(cards.length, "cell")} marked`;
  return `${counted(made, "step")}${pace}; ${
    cards.length === 0 && none === null ? "" : `${outcome}; `
  }results in ${where}\n  go on with: bench report ${where}`;
}

/** Where the time of a run went, as shares of its steps. */
function spentText(lines: readonly Observation[]): string {
  const { all, ...parts } = timeSpent(lines);
  const named = [
    ["counted", parts.counted],
    ["ramp-ups", parts.rampUps],
    ["warm-ups", parts.warmUps],
    ["alone", parts.alone],
  ] as const;
  return named.filter(([, ms]) => ms > 0).map(([name, ms]) => `${name} ${percent(ms / all, 0)}`).join(", ");
}

function exitOf({ cards, run, summary, lines }: FinishedRun): ExitCode {
  if (run.state === "interrupted") return EXIT.interrupted;
  if (whyNoneSound(lines) !== null) return EXIT.invalid;
  const isDone = run.plan.further === undefined
    ? cards.every((card) => card.status === "ok" || isUnsupported(card))
    : lines.every(({ status }) => status === "ok") && isSound(summary, cards);
  return isDone ? EXIT.done : EXIT.invalid;
}

/** True if each value of a further axis has figures, and none contradicts the others. */
const isSound = ({ cells }: Summary, cards: readonly CellOutcome[]) =>
  cards.every((card) => isUnsupported(card) || card.observations_ok > 0) &&
  !cells.some(({ marks }) => marks.some((one) => rowOf(one).contradicts));
