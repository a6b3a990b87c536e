import { BenchError, EXIT, type ExitCode, usageError } from "../basics/errors.ts";
import { type Context, workshopOf } from "./context.ts";
import { measureRun, sayConfig } from "./measure.ts";
import { pinnedGrade, withServers } from "../engine/conductor.ts";
import { oneServer, putBase, type Revised, type ServedPair, serverWords } from "../engine/revisions.ts";
import { writing } from "../files/plain-file.ts";
import { gradeOn, onHosts } from "../observe/connect-hosts.ts";
import type { Hosts } from "../observe/sample-load.ts";
import { cpuOptionsFrom, hostOptionsFrom } from "../options/settle.ts";
import type { Args } from "../options/args.ts";
import { requireSameModules } from "../options/same-modules.ts";
import { chosenSuite } from "../options/suites.ts";
import { type Functions, functionsOf, namedFunctions } from "./gate-functions.ts";
import { countAndExplain } from "./gate-looks.ts";
import { addToHistory } from "./gate-kept.ts";
import { type GateSubject, serversOf } from "./gate-subject.ts";
import { makePlan } from "../plan/make-plan.ts";
import { MOST_SPARE, SPARE_PER_ROUND } from "../plan/profile.ts";
import { scratchFolder } from "../process/scratch-folder.ts";
import { harmlessJson } from "../report/align.ts";
import { type GateReport, type GateRun, type MeasuredGate, provesNothing } from "../report/gate-outcome.ts";
import { gateCommandText, gateMarkdown, gateText } from "../report/gate-report.ts";
import { confirmedBy, judgeGate, measuredAgain } from "../result/judge-gate.ts";
import { leaveHook } from "../sources/git.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { writeFileSync } from "node:fs";

/**
 * `bench gate --app FILE --base REV`: the user's app, program or functions against a revision of its repository. Both run
 * on one core at the same time. Exit 4 if a slowdown beyond the limit is proven, with --confirm twice; 3 with --strict if
 * nothing is, or could be measured; else 0.
 */
export async function gateCommand(context: Context): Promise<ExitCode> {
  leaveHook();
  const { args, suites } = context;
  const wish: GateOptions = { limit: args.get("limit"), confirms: confirms(args, process.env["CI"]) };
  if (context.refused !== undefined) {
    const module = args.axes("flag").flatMap(([, words]) => words).join(", ");
    return say(context, refusedBy(context.refused, { module, limit: wish.limit }));
  }
  const chosen = chosenSuite(args, suites);
  const functions = await namedFunctions(chosen, args);
  const server = functions?.server ?? oneServer(chosen.draft, "a gate", "bench gate --app ./app.ts --base main");
  return await onHosts(hostOptionsFrom(args), (hosts) => gateOn(hosts, context, { chosen, functions, server, wish }));
}

const refusedBy = ({ message, hint }: BenchError, common: { readonly module: string; readonly limit: number }) =>
  ({ kind: "refused", reason: message, hint, ...common }) as const;

interface GateOptions {
  /** Slowdown that passes, as a share. */
  readonly limit: number;
  /** True if a second run has to prove a regression again. */
  readonly confirms: boolean;
}

/** True if a regression has to be proven twice. @param ci the variable CI, which services for CI set */
export function confirms({ has }: Pick<Args, "has">, ci: string | undefined): boolean {
  if (has("confirm") && has("no-confirm")) {
    throw usageError("--confirm and --no-confirm exclude each other", "give one of them");
  }
  return has("confirm") || !has("no-confirm") && !["", "0", "false", undefined].includes(ci);
}

interface Chosen {
  readonly chosen: LoadedSuite;
  /** Null for an app or a program. */
  readonly functions: Functions | null;
  readonly server: Revised;
  readonly wish: GateOptions;
}

async function gateOn(hosts: Hosts, context: Context, by: Chosen): Promise<ExitCode> {
  const { args } = context;
  await pinnedGrade(hosts, ["a gate needs processes", "run it on Linux"]);
  sayConfig(context, by.chosen);
  const scratch = scratchFolder("gate");
  try {
    const common = { module: serverWords(by.server), limit: by.wish.limit };
    const ready = await madeReady(hosts, context, by, scratch.path).catch((error: unknown) => {
      const isRefused = error instanceof BenchError && error.exit !== EXIT.interrupted;
      if (!args.has("strict") || !isRefused) throw error;
      context.doing(null);
      return refusedBy(error, common);
    });
    if ("kind" in ready) return say(context, ready);
    const { pair, subject } = ready;
    if (subject === null) return say(context, { kind: "nothing-to-compare", pair, ...common });
    return await compared(hosts, context, subject, { ...pair, ...by.wish });
  } finally {
    scratch.remove();
  }
}

/** Writes out the base and looks at both revisions; no subject if the base has no such module or folder. */
async function madeReady(hosts: Hosts, context: Context, { chosen, functions, server }: Chosen, folder: string) {
  const wish = { ref: context.args.get("base"), since: "merge-base" } as const;
  const pair = await putBase(wish, server, { folder, ...workshopOf(context, chosen) });
  context.doing(null);
  if (pair.head === null) return { pair, subject: null };
  const both = [pair.base, pair.head] as const;
  const subject = functions === null
    ? await serversOf(hosts, context, withServers(chosen, both), pair)
    : await functionsOf(hosts, context, functions, pair, both);
  return { pair, subject };
}

async function compared(
  hosts: Hosts,
  context: Context,
  { bound, settled, axis, unfit, ...ready }: GateSubject,
  { limit, confirms, ...pair }: ServedPair & GateOptions,
): Promise<ExitCode> {
  const { args } = context;
  const common = { pair, module: pair.module, limit, ...ready };
  if (unfit !== null) return say(context, { kind: unfit, ...common });
  const { suite, runtimes, origin } = bound;
  const wish = cpuOptionsFrom(args);
  const run = async (seed: number) => {
    const plan = await makePlan(suite, {
      ...settled,
      ...origin,
      ...{ seed, aloneRounds: 0, together: true },
      spareRounds: Math.min(MOST_SPARE, SPARE_PER_ROUND * settled.rounds),
    });
    await requireSameModules(hosts, plan, process.cwd());
    const { finished, insteadOf } = await measuredAgain(
      async () => await measureRun(context, { plan, suite, wish, grade: await gradeOn(hosts), runtimes, hosts }),
      (name) => context.say(`Run ${name} found a difference between a cell and itself: it is made again, once.`),
      axis,
    );
    return { ...finished, insteadOf, gate: judgeGate(finished.summary, limit, axis) };
  };
  const first = await run(settled.seed);
  if (first.run.state === "interrupted") return EXIT.interrupted;
  let second: GateRun | null = null;
  if (confirms && first.gate.outcome === "regression") {
    context.say(`Run ${first.run.run} proves a regression: a second run with its own seed has to prove it again.`);
    second = await run((settled.seed + 1) % 2 ** 32);
    if (second.run.state === "interrupted") return EXIT.interrupted;
  }
  const gate = second === null ? first.gate : confirmedBy(first.gate, second.gate);
  const command = gateCommandText(args.given, pair, first.run.plan.seed);
  const report: MeasuredGate = { kind: "measured", command, ...common, ...first, gate, second };
  const drifts = await addToHistory(context, report);
  return say(context, { ...report, ...await countAndExplain(context, report, { suite, runtimes, hosts }), drifts });
}

function say({ args, give, print, printLine, outStyle, columns }: Context, report: GateReport): ExitCode {
  const markdown = gateMarkdown(report);
  const file = args.get("output");
  if (file !== undefined) writing(file, "choose another with --output", () => writeFileSync(file, markdown));
  if (args.has("json")) give(harmlessJson(recordOf(report)) + "\n");
  else if (args.has("markdown")) give(markdown);
  else {
    print(gateText(report, outStyle, columns));
    if (report.kind === "measured") printLine(`The same again: ${report.command}`);
  }
  if (report.kind === "measured" && report.gate.outcome === "regression") return EXIT.regression;
  return args.has("strict") && provesNothing(report) ? EXIT.invalid : EXIT.done;
}

/** A gate as JSON. */
function recordOf(report: GateReport) {
  const { kind, limit } = report;
  const { run, summary, insteadOf, gate, second, counts, explanation } = report.kind === "measured" ? report : {
    ...{ run: null, summary: null, insteadOf: null, second: null, counts: undefined, explanation: undefined },
    gate: { outcome: "not-proven", limit, places: [] },
  };
  const { base_commit, named_commit, head_commit, head_changed, carried, moved } = "pair" in report
    ? report.pair
    : { base_commit: null, named_commit: null, head_commit: null, head_changed: null, carried: [], moved: null };
  const what = {
    ...{ kind, base_commit, named_commit, head_commit, head_changed, carried, moved, ...gate },
    ...(report.kind === "refused" ? { reason: report.reason, hint: report.hint } : {}),
    proves_nothing: provesNothing(report),
    changed_replies: "changed" in report ? report.changed.map(({ text }) => text) : [],
    left_out: "changed" in report ? report.leftOut : [],
    counts: counts ?? [],
    drifts: report.kind === "measured" ? report.drifts ?? [] : [],
    repeat: report.kind === "measured" ? report.command : null,
    instead_of: insteadOf,
    confirmation: second &&
      { run: second.run.run, seed: second.run.plan.seed, instead_of: second.insteadOf, ...second.gate },
  };
  const confirmation = second === null ? undefined : { run: second.run, summary: second.summary };
  return { gate: what, run, summary, confirmation, explanation };
}
