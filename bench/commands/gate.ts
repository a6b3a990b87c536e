import { runtimeOfProject } from "../apps/app-source.ts";
import type { ReplyChange } from "../apps/reply-changes.ts";
import { BenchError, EXIT, type ExitCode, failure } from "../basics/errors.ts";
import { visibleLine } from "../basics/visible.ts";
import { type Context, deskOf, venueOf, workshopOf } from "./context.ts";
import { measureRun, sayConfig } from "./measure.ts";
import { bindSuite, type BoundSuite, pinnedGrade, withServers } from "../engine/conductor.ts";
import { type CellsToExplain, explain } from "../engine/explain.ts";
import { oneServer, putBase, type Revised, type ServedPair } from "../engine/revisions.ts";
import { writing } from "../files/plain-file.ts";
import { listenForInterrupts } from "../machine/interrupts.ts";
import { gradeOn, onHosts } from "../observe/connect-hosts.ts";
import { equip } from "../observe/equip.ts";
import type { Hosts } from "../observe/sample-load.ts";
import { valuesFrom } from "../options/axis-values.ts";
import { cpuOptionsFrom, hostOptionsFrom, planChoicesFrom, settle } from "../options/settle.ts";
import { chosenSuite } from "../options/suites.ts";
import { routesToJudge, withRoutes } from "../options/extra-axes.ts";
import { makePlan } from "../plan/make-plan.ts";
import { GATE_PROFILE, MOST_SPARE, QUICK_GATE_PROFILE, SPARE_PER_ROUND } from "../plan/profile.ts";
import { scratchFolder, withMachine } from "../process/scratch-folder.ts";
import { ROUTE } from "../record/cell.ts";
import type { Explanation } from "../record/explanation-schema.ts";
import { harmlessJson } from "../report/align.ts";
import {
  gateMarkdown,
  type GateReport,
  gateText,
  grownCells,
  type MeasuredGate,
  provesNothing,
} from "../report/gate-report.ts";
import { BASE, judgeGate, measuredAgain, YOURS } from "../result/judge-gate.ts";
import { leaveHook } from "../sources/git.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * `bench gate --app FILE --base REV`: the user's app or program against a revision of its repository. Both run on one
 * core at the same time. Exit 4 if a slowdown beyond the limit is proven, 3 with --strict if nothing is, else 0.
 */
export async function gateCommand(context: Context): Promise<ExitCode> {
  leaveHook();
  const { args, suites } = context;
  const chosen = chosenSuite(args, suites);
  const server = oneServer(chosen.draft, "a gate", "bench gate --app ./app.ts --base main");
  return await onHosts(hostOptionsFrom(args), (hosts) => gateOn(hosts, context, chosen, server));
}

async function gateOn(hosts: Hosts, context: Context, chosen: LoadedSuite, server: Revised): Promise<ExitCode> {
  const { args, doing } = context;
  await pinnedGrade(hosts, ["a gate needs processes", "run it on Linux"]);
  sayConfig(context, chosen);
  const scratch = scratchFolder("gate");
  try {
    const workshop = { folder: scratch.path, ...workshopOf(context, chosen) };
    const pair = await putBase({ ref: args.get("base"), since: "merge-base" }, server, workshop);
    doing(null);
    const limit = args.get("limit");
    if (pair.head === null) return say(context, { kind: "nothing-to-compare", pair, module: pair.module, limit });
    return await compared(hosts, context, withServers(chosen, [pair.base, pair.head]), pair);
  } finally {
    scratch.remove();
  }
}

async function compared(
  hosts: Hosts,
  context: Context,
  loaded: LoadedSuite,
  pair: ServedPair & { readonly head: Revised },
): Promise<ExitCode> {
  const { args } = context;
  const settled = settle(loaded.suite, {
    profile: args.has("quick") ? QUICK_GATE_PROFILE : GATE_PROFILE,
    given: {
      rounds: args.get("rounds"),
      warmupMs: args.get("warmup"),
      at: { runtime: [runtimeOfProject(join(process.cwd(), pair.home))], ...valuesFrom(args, loaded.suite) },
    },
    ...planChoicesFrom(args),
  });
  const { requests } = loaded.draft!;
  const bound = await bindSuite(venueOf(context, hosts), {
    ...{ loaded, values: settled.values, revisions: true },
    adapt: (one) => requests.length > 1 ? withRoutes(one, requests) : one,
  });
  const { suite, runtimes, origin } = bound;
  const changed = changedReplies(bound);
  const common = { pair, module: pair.module, limit: args.get("limit"), changed, requests: origin.own!.requests };
  if (changed.some(({ status }) => status)) return say(context, { kind: "other-status", ...common });

  const plan = await makePlan(suite, {
    ...settled,
    ...origin,
    values: { ...bound.values, ...(requests.length > 1 ? { [ROUTE]: routesToJudge(requests) } : {}) },
    ...{ aloneRounds: 0, together: true },
    spareRounds: Math.min(MOST_SPARE, SPARE_PER_ROUND * settled.rounds),
  });
  const wish = cpuOptionsFrom(args);
  const { finished, insteadOf } = await measuredAgain(
    async () => await measureRun(context, { plan, suite, wish, grade: await gradeOn(hosts), runtimes, hosts }),
    (name) => context.say(`Run ${name} found a difference between a cell and itself: it is made again, once.`),
  );
  if (finished.run.state === "interrupted") return EXIT.interrupted;
  const gate = judgeGate(finished.summary, common.limit);
  const report: MeasuredGate = { kind: "measured", ...common, ...finished, gate, insteadOf };
  const cells = finished.run.hosts === undefined && args.has("explain") ? grownCells(report) : [];
  if (cells.length === 0) return say(context, report);
  const equipment = await equip({ generator: plan.generator, threads: null, cells }, wish, runtimes, hosts);
  return say(context, {
    ...report,
    ...await explained(context, { suite, madeFrom: plan.suite, cells, axes: plan.axes, equipment, against: undefined }),
  });
}

/** Explains a proven regression. If that fails, a line says so and the regression stays. */
async function explained(context: Context, cells: CellsToExplain): Promise<{ readonly explanation?: Explanation }> {
  const interrupts = listenForInterrupts();
  try {
    const made = await withMachine(
      interrupts,
      () => explain(cells, { passes: 3, windowMs: 2_000 }, deskOf(context, interrupts)),
    );
    return made === null ? {} : { explanation: made.explanation };
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    context.say(visibleLine(`What grew is not known: ${error.message}`));
    return {};
  }
}

/** Replies that the head changed. Throws if one of the revisions cannot be measured. */
function changedReplies({ origin, changes }: BoundSuite): readonly ReplyChange[] {
  const [refused] = origin.own!.refused;
  if (refused !== undefined) {
    throw failure(
      `${refused.app} cannot be measured${refused.runtime === null ? "" : ` on ${refused.runtime}`}: ${refused.reason}`,
      refused.app === BASE ? "--install LINE installs and builds the base, --carry PATH gives it a file" : "mend it",
    );
  }
  const keyOf = ({ runtime, text }: ReplyChange) => JSON.stringify([runtime, text]);
  // A difference between runtimes that both revisions show was not made by the change.
  const ofBase = new Set(changes.filter(({ app }) => app === BASE).map(keyOf));
  return changes.filter((change) => change.app === YOURS && !ofBase.has(keyOf(change)));
}

function say({ args, give, print, outStyle, columns }: Context, report: GateReport): ExitCode {
  const markdown = gateMarkdown(report);
  const file = args.get("output");
  if (file !== undefined) writing(file, "choose another with --output", () => writeFileSync(file, markdown));
  if (args.has("json")) {
    const { run, summary, insteadOf, gate, explanation } = report.kind === "measured" ? report : {
      ...{ run: null, summary: null, insteadOf: null, explanation: undefined },
      gate: { outcome: "not-proven", limit: report.limit, places: [] },
    };
    const { base_commit, named_commit, head_commit, head_changed, carried } = report.pair;
    const changed = report.kind === "nothing-to-compare" ? [] : report.changed.map(({ text }) => text);
    const what = {
      ...{ kind: report.kind, base_commit, named_commit, head_commit, head_changed, carried, ...gate },
      ...{ proves_nothing: provesNothing(report), changed_replies: changed, instead_of: insteadOf },
    };
    give(harmlessJson({ gate: what, run, summary, explanation }) + "\n");
  } else if (args.has("markdown")) give(markdown);
  else print(gateText(report, outStyle, columns));
  if (report.kind === "measured" && report.gate.outcome === "regression") return EXIT.regression;
  return args.has("strict") && provesNothing(report) ? EXIT.invalid : EXIT.done;
}
