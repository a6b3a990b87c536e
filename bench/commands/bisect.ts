import { EXIT, type ExitCode, failure } from "../basics/errors.ts";
import { counted, formatDurationMs } from "../basics/units.ts";
import { fromHere } from "../files/near-files.ts";
import { keptBisection } from "../runs/bisection-file.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { leaveHook } from "../sources/git.ts";
import { scratchFolder } from "../process/scratch-folder.ts";
import { optionsOfCommand, optionsWithPlan } from "../options/option-table.ts";
import type { OptionName } from "../options/options.ts";
import { commandNamed } from "../options/read-line.ts";
import { isUserOption } from "../options/user-options.ts";
import { chosenSuite } from "../options/suites.ts";
import { cpuOptionsFrom, hostOptionsFrom, planChoicesFrom, settle } from "../options/settle.ts";
import { type NextStep, nextStep } from "../why/bisect.ts";
import { gradeOn, onHosts } from "../observe/connect-hosts.ts";
import type { Hosts } from "../observe/sample-load.ts";
import type { Bisection } from "../record/bisection.ts";
import { bisectReport, bisectText } from "../report/bisect-text.ts";
import { type BoundSuite, pinnedGrade } from "../engine/conductor.ts";
import { type LeftOut, type Versions, versionsAskedFor } from "./bisect-versions.ts";
import { type Context, resultsDirectory } from "./context.ts";
import { aheadMsOf, measureRun, sayConfig } from "./measure.ts";
import type { Args } from "../options/args.ts";
import type { FinishedRun } from "../observe/conduct-run.ts";
import type { Plan } from "../record/plan.ts";
import { makeDuetPlan } from "../plan/make-plan.ts";
import { valuesOf } from "../plan/make-alone-plan.ts";
import { GATE_PROFILE, MOST_SPARE, QUICK_GATE_PROFILE, SPARE_PER_ROUND } from "../plan/profile.ts";

/**
 * `bench bisect`: which version of a runtime, or revision of the user's repository, made a change. Each step measures one
 * version between both ends together with them, on one core. Exit 3 if the change was not found.
 */
export async function bisectCommand(context: Context): Promise<ExitCode> {
  leaveHook();
  const { args } = context;
  const loaded = chosenSuite(args, context.suites);
  const scratch = scratchFolder("bisect");
  try {
    const versions = await versionsAskedFor(context, loaded, scratch.path);
    return await onHosts(hostOptionsFrom(args), (hosts) => bisectOn(hosts, context, loaded, versions));
  } finally {
    scratch.remove();
  }
}

async function bisectOn(hosts: Hosts, context: Context, loaded: LoadedSuite, versions: Versions): Promise<ExitCode> {
  await pinnedGrade(hosts, ["a bisection needs processes", "run it on Linux"]);
  const { say, args } = context;
  const { names } = versions;
  const { file, state, save } = keptBisection(resultsDirectory(args), bisectQuestion(args, versions), names);
  sayConfig(context, loaded);
  const where = fromHere(file);
  if (state.steps.length + state.left_out.length > 0) {
    say(`${counted(state.steps.length, "step")} made before; to begin anew remove ${where}`);
  }
  say(`${counted(names.length, "version")} from ${names[0]} to ${names.at(-1)}, ${names.length - 2} between`);
  const tried = new Map<number, string | null>();
  for (let isFirst = true;;) {
    const next = nextStep(state);
    if (next.kind === "found") return show(context, state, next);
    const ready = await readyOf(versions, next.places, tried, hosts);
    if ("reason" in ready) {
      const { version, reason } = ready;
      const name = names[Math.max(0, version)]!;
      if (version <= 0 || version === names.length - 1) {
        throw failure(`the end ${name} cannot be measured: ${reason}`, "name another end: --good, --bad or --among");
      }
      if (state.left_out.some((one) => one.version === version)) throw failure(`${name}: ${reason}`);
      state.left_out.push({ version, reason: reason.slice(0, 500) });
      save();
      say(`${name} is stepped over: ${reason}`);
      continue;
    }
    const plan = await planOfStep(args, ready, next.times);
    const stepMs = aheadMsOf(args, plan);
    if (isFirst) {
      const all = formatDurationMs(next.ahead * stepMs);
      say(`${counted(next.ahead, "step")} ahead, about ${all} in all, more where one stays undecided`);
    }
    isFirst = false;
    say(`step ${state.steps.length + 1}: ${next.places.map((place) => names[place]).join(" | ")}`);
    save();
    const { suite, runtimes } = ready;
    const wish = cpuOptionsFrom(args);
    const finished = await measureRun(context, { plan, suite, wish, grade: await gradeOn(hosts), runtimes, hosts });
    if (finished.run.state === "interrupted") {
      say(`the same command goes on after ${counted(state.steps.length, "step")}, kept in ${where}`);
      return EXIT.interrupted;
    }
    state.steps.push({
      run: finished.run.run,
      rounds: finished.run.plan.rounds,
      middle: next.middle,
      comparisons: stepComparisons(finished, ready, next.places.map((place) => names[place]!)),
    });
    save();
  }
}

/** Binds versions to be measured together, or returns the first that cannot be; each is tried by itself once. */
async function readyOf(
  versions: Versions,
  places: readonly number[],
  tried: Map<number, string | null>,
  hosts: Hosts,
): Promise<BoundSuite | LeftOut> {
  for (const version of places) {
    if (!tried.has(version)) tried.set(version, await versions.whyNot(version));
    const reason = tried.get(version);
    if (reason) return { version, reason };
  }
  return await versions.together(places, hosts);
}

/** Options for the ends, which the question has already. */
const ENDS = ["good", "bad", "among"];

/** The question of a bisection as a key: app or suite, values of axes, and amounts. State of another question is not used. */
export function bisectQuestion(args: Args, { question }: Pick<Versions, "question">): string {
  const command = commandNamed("bisect")!;
  // Folders and forms of output have no effect on a step.
  const idle = optionsWithPlan(command, false).map(({ name }) => name);
  const given = optionsOfCommand(command).map(({ name }) => name as OptionName)
    .filter((name) => args.has(name) && !isUserOption(name) && !ENDS.includes(name) && !idle.includes(name));
  return JSON.stringify([
    question,
    args.axes().sort(([a], [b]) => a < b ? -1 : 1),
    Object.fromEntries(given.map((name) => [name, args.get(name)])),
  ]);
}

function show(
  context: Context,
  state: Bisection,
  last: Extract<NextStep, { kind: "found" }>,
): ExitCode {
  const report = bisectReport(state, last);
  context.show({ bisect: report }, () => bisectText(report, context.outStyle, context.columns));
  return ["undecided", "narrowed"].includes(last.finding.kind) ? EXIT.invalid : EXIT.done;
}

/** Plans one step: versions on one core. Repetitions of a step have `times` the rounds of the first. */
async function planOfStep(args: Args, { suite, origin, cells }: BoundSuite, times: number): Promise<Plan> {
  const profile = args.has("quick") ? { ...QUICK_GATE_PROFILE, ensembleMs: 1_000 } : GATE_PROFILE;
  const rounds = times * (args.get("rounds") ?? profile.rounds);
  const settled = settle(suite, {
    profile: { ...profile, name: "bisect" },
    given: { rounds, warmupMs: args.get("warmup") },
    ...planChoicesFrom(args),
  });
  return await makeDuetPlan(suite, {
    ...settled,
    ...origin,
    ...{ values: valuesOf(suite, cells), aloneRounds: 0, profile: "bisect" },
    spareRounds: Math.min(MOST_SPARE, SPARE_PER_ROUND * settled.rounds),
  }, cells);
}

function stepComparisons({ summary }: FinishedRun, { cells }: BoundSuite, names: readonly string[]) {
  const keys = cells.map((at) => JSON.stringify(Object.entries(at).sort()));
  const nameOf = new Map(summary.cells.map(({ name, cell }) => {
    return [name, names[keys.indexOf(JSON.stringify(Object.entries(cell.point.at).sort()))]!];
  }));
  return summary.families.filter(({ kind }) => kind === "pair").flatMap(({ comparisons }) =>
    comparisons.map((one) => ({ ...one, over: nameOf.get(one.over)!, under: nameOf.get(one.under)! }))
  );
}
