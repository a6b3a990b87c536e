import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { EXIT, type ExitCode, failure, usageError } from "../basics/errors.ts";
import { counted } from "../basics/units.ts";
import { valuesOf } from "../core/make-alone-plan.ts";
import { makeDuetPlan } from "../core/make-plan.ts";
import type { LoadedSuite } from "../host/load-suite.ts";
import { leaveHook } from "../host/git.ts";
import { scratchFolder } from "../host/scratch-folder.ts";
import { configLine } from "../input/config-meant.ts";
import { suiteSource } from "../input/own/app-source.ts";
import { commonOf, planWishFrom } from "../input/plan-of.ts";
import { settle } from "../input/settle.ts";
import { chosenSuite } from "../input/suites.ts";
import { hostsWishFrom, placementWishFrom } from "../input/wishes.ts";
import { type NextStep, nextStep } from "../judge/bisect.ts";
import { gradeOn, onHosts } from "../observe/connect-hosts.ts";
import type { FinishedRun } from "../observe/conduct-run.ts";
import type { Hosts } from "../observe/sample-load.ts";
import { type Bisection, bisectionSchema } from "../record/bisection.ts";
import { bisectReport, bisectText } from "../report/bisect-text.ts";
import { harmlessJson } from "../report/harmless.ts";
import { GATE_PROFILE, MOST_SPARE, QUICK_GATE_PROFILE, SPARE_PER_ROUND } from "../result/gate/gate-profile.ts";
import { lostEnd, type ReadyVersions, refuseVersions, type Versions, versionsAskedFor } from "./bisect-versions.ts";
import { type Context, resultsDirectory } from "./context.ts";
import { measureRun } from "./measure.ts";

/**
 * `bench bisect`: which version of a runtime, or revision of one's own repository, made a change. Each step measures one
 * between with both ends, on one core. Exit 3 where that could not be told.
 */
export async function bisectCommand(context: Context): Promise<ExitCode> {
  leaveHook();
  const { args } = context;
  const loaded = chosenSuite(args, context.suites);
  const scratch = scratchFolder("levelfield-bisect-");
  try {
    const versions = await versionsAskedFor(context, loaded, scratch.path);
    refuseVersions(versions);
    return await onHosts(hostsWishFrom(args), (hosts) => bisectOn(hosts, context, loaded, versions));
  } finally {
    scratch.remove();
  }
}

async function bisectOn(hosts: Hosts, context: Context, loaded: LoadedSuite, versions: Versions): Promise<ExitCode> {
  const grade = await gradeOn(hosts);
  if (grade.grade === "advisory") {
    throw usageError(`a bisection needs processes pinned to one core: ${grade.reasons[0]}`, "run it on Linux");
  }
  const { say } = context;
  const { names } = versions;
  const { file, state, save } = stateOf(context, versions);
  const configured = configLine(context, loaded);
  if (configured !== undefined) say(configured);
  const where = relative(process.cwd(), file) || file;
  if (state.steps.length + state.left_out.length > 0) {
    say(`${counted(state.steps.length, "step")} made before; to begin anew remove ${where}`);
  }
  const open = new Set(names).size - 2;
  say(`${counted(names.length, "version")} from ${names[0]} to ${names.at(-1)}, ${open} between`);
  for (;;) {
    const next = nextStep(state);
    if (next.kind === "told") return tell(context, state, next);
    const ready = await versions.ready(next.places, hosts);
    if ("reason" in ready) {
      const { version, reason } = ready;
      if (version <= 0 || version === names.length - 1) throw lostEnd(names[Math.max(0, version)]!, reason);
      if (state.left_out.some((one) => one.version === version)) throw failure(`${names[version]}: ${reason}`);
      state.left_out.push({ version, reason: reason.slice(0, 500) });
      save();
      say(`${names[version]} is stepped over: ${reason}`);
      continue;
    }
    say(`step ${state.steps.length + 1}: ${next.places.map((place) => names[place]).join(" | ")}`);
    save();
    const finished = await measureStep(context, loaded, ready, next.times, hosts);
    if (finished.run.state === "interrupted") {
      say(`the same command goes on after ${counted(state.steps.length, "step")}, kept in ${where}`);
      return EXIT.interrupted;
    }
    state.steps.push({
      run: finished.run.run,
      rounds: finished.run.plan.rounds,
      middle: next.middle,
      comparisons: comparisonsOf(finished, ready, next.places.map((place) => names[place]!)),
    });
    save();
  }
}

/** What was found before of the same question, and how it is kept: in the folder of runs, beside those it rests on. */
function stateOf({ args }: Context, { question, names }: Versions) {
  const results = resultsDirectory(args);
  const whole = JSON.stringify([question, names]);
  const digest = createHash("sha256").update(whole).digest("hex");
  const file = join(results, `bisect-${digest.slice(0, 12)}.json`);
  let state: Bisection = {
    ...{ schema: "levelfield.bisection/1", question: digest, versions: [...names], left_out: [], steps: [] },
  };
  if (existsSync(file)) {
    try {
      state = bisectionSchema.parse(JSON.parse(readFileSync(file, "utf8")));
    } catch (error) {
      throw failure(`"${file}" is damaged`, "remove it to begin anew", error);
    }
  }
  const save = () => {
    mkdirSync(results, { recursive: true });
    writeFileSync(`${file}.part`, `${JSON.stringify(state, null, 2)}\n`);
    renameSync(`${file}.part`, file);
  };
  return { file, state, save };
}

async function measureStep(
  context: Context,
  { module, named }: LoadedSuite,
  { suite, own, runtimes, points }: ReadyVersions,
  times: number,
  hosts: Hosts,
): Promise<FinishedRun> {
  const { args } = context;
  const profile = args.has("quick") ? QUICK_GATE_PROFILE : GATE_PROFILE;
  const [given, warmupMs] = [args.get("rounds"), args.get("warmup")];
  const settled = settle(suite, { ...profile, name: "bisect" }, undefined, {
    rounds: times * (given ?? profile.rounds),
    ...(warmupMs === undefined ? {} : { warmupMs }),
  });
  const plan = await makeDuetPlan(suite, {
    settled: { ...settled, values: valuesOf(suite, points), aloneRounds: 0, profile: "bisect" },
    module,
    source: named ? suiteSource(module, process.cwd()) : undefined,
    own,
    spareRounds: Math.min(MOST_SPARE, SPARE_PER_ROUND * settled.rounds),
    ...commonOf(settled.generator, planWishFrom(args)),
  }, points);
  const wish = placementWishFrom(args);
  return await measureRun(context, { plan, suite, wish, grade: await gradeOn(hosts), runtimes, hosts });
}

/** What a run says of every two of its versions, by their names here. */
function comparisonsOf({ summary }: FinishedRun, { points }: ReadyVersions, names: readonly string[]) {
  const keys = points.map((at) => JSON.stringify(Object.entries(at).sort()));
  const nameOf = new Map(summary.cells.map(({ name, cell }) => {
    return [name, names[keys.indexOf(JSON.stringify(Object.entries(cell.point.at).sort()))]!];
  }));
  return summary.families.filter(({ kind }) => kind === "pair").flatMap(({ comparisons }) =>
    comparisons.map((one) => ({ ...one, over: nameOf.get(one.over)!, under: nameOf.get(one.under)! }))
  );
}

function tell(
  { args, stdout, print, outStyle, columns }: Context,
  state: Bisection,
  told: Extract<NextStep, { kind: "told" }>,
): ExitCode {
  const report = bisectReport(state, told);
  if (args.has("json")) stdout.write(harmlessJson({ bisect: report }) + "\n");
  else print(bisectText(report, outStyle, columns));
  return told.finding.kind === "undecided" ? EXIT.invalid : EXIT.done;
}
