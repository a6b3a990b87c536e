import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { GATE_PROFILE, MOST_SPARE, QUICK_GATE_PROFILE, SPARE_PER_ROUND } from "../plan/profile.ts";
import { MAIN } from "../record/cell.ts";
import { BenchError, EXIT, type ExitCode, failure, usageError } from "../basics/errors.ts";
import { visibleLine } from "../basics/visible.ts";
import { makePlan } from "../plan/make-plan.ts";
import type { OwnDraft, OwnSpec } from "../record/own-spec.ts";
import { settle } from "../options/settle.ts";
import { BASE, judgeGate, measuredAgain, YOURS } from "../result/judge-gate.ts";
import { leaveHook } from "../sources/git.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import type { RuntimeBinary } from "../runtimes/runtimes.ts";
import { scratchFolder, withMachine } from "../process/scratch-folder.ts";
import { gradeOn, onHosts } from "../observe/connect-hosts.ts";
import type { Hosts } from "../observe/sample-load.ts";
import { unrecorded } from "../options/own-servers.ts";
import { ownSuite } from "../apps/own-suite.ts";
import { runtimeOfProject } from "../apps/own-runtime.ts";
import type { ReplyChange } from "../apps/record-replies.ts";
import { gateMarkdown, type GateReport, gateText, grownCells, type MeasuredGate } from "../report/gate-report.ts";
import { harmlessJson } from "../report/align.ts";
import { valuesFrom } from "../options/axis-values.ts";
import { type BaseAndHead, oneServer, putBase, type Revised } from "./base-and-head.ts";
import { configLine } from "../options/config-meant.ts";
import { type Context, runtimeCache } from "./context.ts";
import type { AskedCells } from "./asked-cells.ts";
import { explainAsked } from "./explain.ts";
import { listenForInterrupts } from "../machine/interrupts.ts";
import { writing } from "../files/plain-file.ts";
import { equip } from "../observe/equip.ts";
import type { Explanation } from "../record/explanation-schema.ts";
import { measureRun } from "./measure.ts";
import { recordRevisions } from "./record-revisions.ts";
import { hostsWishFrom, placementWishFrom } from "../options/wishes.ts";
import { commonOf, planWishFrom } from "../options/plan-of.ts";
import { bindRuntimes } from "../options/runtime-wishes.ts";
import { chosenSuite } from "../options/suites.ts";

/**
 * `bench gate --app FILE --base REV`: one's own app or program against a revision of its repository. Both run on one
 * core at the same time. Exit 4 on a slowdown proven to be beyond the limit, 0 where there is none or none is proven.
 */
export async function gateCommand(context: Context): Promise<ExitCode> {
  leaveHook();
  const { args, suites } = context;
  const chosen = chosenSuite(args, suites);
  const server = oneServer(chosen.own, "a gate", "bench gate --app ./app.ts --base main");
  const limit = args.get("limit");
  return await onHosts(hostsWishFrom(args), (hosts) => gateOn(hosts, context, chosen, server, limit));
}

async function gateOn(
  hosts: Hosts,
  context: Context,
  chosen: LoadedSuite,
  server: Revised,
  limit: number,
): Promise<ExitCode> {
  const { args } = context;
  const grade = await gradeOn(hosts);
  if (grade.grade === "advisory") {
    throw usageError(`a gate needs processes pinned to one core: ${grade.reasons[0]}`, "run it on Linux");
  }
  const configured = configLine(context, chosen);
  if (configured !== undefined) context.say(configured);
  const scratch = scratchFolder("gate");
  try {
    const pair = await putBase(args, args.get("base"), server, scratch.path, context.doing);
    context.doing(null);
    if (pair.head === null) return say(context, { kind: "nothing-to-compare", pair, module: pair.module, limit });
    const draft = { ...chosen.own!, servers: [pair.base, pair.head] };
    return await compared(hosts, context, draft, pair, limit);
  } finally {
    scratch.remove();
  }
}

async function compared(
  hosts: Hosts,
  context: Context,
  draft: OwnDraft,
  pair: BaseAndHead,
  limit: number,
): Promise<ExitCode> {
  const { args } = context;
  const folder = process.cwd();
  const before = ownSuite(unrecorded(draft), folder);
  const given = valuesFrom(args, before);
  const settled = settle(before, args.has("quick") ? QUICK_GATE_PROFILE : GATE_PROFILE, undefined, {
    ...optional("rounds", args.get("rounds")),
    ...optional("warmupMs", args.get("warmup")),
    at: { runtime: [runtimeOfProject(join(folder, pair.home))], ...given },
  });
  const { values, runtimes } = await bindRuntimes(before, settled.values, runtimeCache(context));
  const { spec, changed } = await recorded(context, draft, folder, runtimes, hosts);
  const common = { pair, module: pair.module, limit, changed, requests: spec.requests };
  if (changed.some(({ status }) => status)) return say(context, { kind: "other-status", ...common });

  const suite = ownSuite(spec, folder);
  const plan = await makePlan(suite, {
    settled: { ...settled, values, aloneRounds: 0 },
    module: null,
    own: spec,
    label: MAIN,
    together: true,
    spareRounds: Math.min(MOST_SPARE, SPARE_PER_ROUND * settled.rounds),
    ...commonOf(settled.generator, planWishFrom(args)),
  });
  const wish = placementWishFrom(args);
  const { finished, insteadOf } = await measuredAgain(
    async () => await measureRun(context, { plan, suite, wish, grade: await gradeOn(hosts), runtimes, hosts }),
    (name) => context.say(`Run ${name} found a difference between a cell and itself: it is made again, once.`),
  );
  if (finished.run.state === "interrupted") return EXIT.interrupted;
  const gate = judgeGate(finished.summary, limit);
  const report: MeasuredGate = { kind: "measured", ...common, ...finished, gate, insteadOf };
  const cells = finished.run.hosts === undefined && args.has("explain") ? grownCells(report) : [];
  if (cells.length === 0) return say(context, report);
  const equipment = await equip({ generator: plan.generator, threads: null, cells }, wish, runtimes, hosts);
  return say(context, {
    ...report,
    ...await whatGrew(context, { suite, madeFrom: plan.suite, cells, axes: plan.axes, equipment, against: undefined }),
  });
}

/** What grew, once a regression is proven: whatever becomes of it, the regression stays one. */
async function whatGrew(context: Context, asked: AskedCells): Promise<{ readonly explanation?: Explanation }> {
  const interrupts = listenForInterrupts();
  try {
    const made = await withMachine(interrupts, () => explainAsked(context, asked, EXPLAINED_BY_GATE, interrupts));
    return made === null ? {} : { explanation: made.explanation };
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    context.say(visibleLine(`What grew is not known: ${error.message}`));
    return {};
  }
}

const EXPLAINED_BY_GATE = { passes: 3, windowMs: 2_000 };

/** Asks both what they are asked under load. Throws where one of them cannot be measured. */
async function recorded(
  context: Context,
  draft: OwnDraft,
  folder: string,
  runtimes: readonly RuntimeBinary[],
  hosts: Hosts,
): Promise<{ readonly spec: OwnSpec; readonly changed: readonly ReplyChange[] }> {
  const { spec, changes } = await recordRevisions(context, draft, folder, runtimes, hosts);
  const [refused] = spec.refused;
  if (refused !== undefined) {
    throw failure(
      `${refused.app} cannot be measured${refused.runtime === null ? "" : ` on ${refused.runtime}`}: ${refused.reason}`,
      refused.app === BASE ? "--install 'npm ci' where the base needs packages or files of its own" : "mend it",
    );
  }
  const keyOf = ({ runtime, text }: ReplyChange) => JSON.stringify([runtime, text]);
  // What a runtime answers otherwise in both revisions was not changed by anybody.
  const ofBase = new Set(changes.filter(({ app }) => app === BASE).map(keyOf));
  return { spec, changed: changes.filter((change) => change.app === YOURS && !ofBase.has(keyOf(change))) };
}

function say({ args, stdout, print, outStyle, columns }: Context, report: GateReport): ExitCode {
  const markdown = gateMarkdown(report);
  const file = args.get("output");
  if (file !== undefined) writing(file, "choose another with --output", () => writeFileSync(file, markdown));
  if (args.has("json")) {
    const { run, summary, insteadOf } = report.kind === "measured"
      ? report
      : { run: null, summary: null, insteadOf: null };
    const { base_commit, head_commit, head_changed } = report.pair;
    const gate = report.kind === "measured" ? report.gate : { outcome: "not-proven", limit: report.limit, places: [] };
    const changed = report.kind === "nothing-to-compare" ? [] : report.changed.map(({ text }) => text);
    const what = {
      ...{ kind: report.kind, base_commit, head_commit, head_changed, ...gate, changed_replies: changed },
      instead_of: insteadOf,
    };
    const explanation = report.kind === "measured" ? report.explanation : undefined;
    stdout.write(harmlessJson({ gate: what, run, summary, ...optional("explanation", explanation) }) + "\n");
  } else if (args.has("markdown")) stdout.write(markdown);
  else print(gateText(report, outStyle, columns));
  return report.kind === "measured" && report.gate.outcome === "regression" ? EXIT.regression : EXIT.done;
}

const optional = <K extends string, V>(key: K, value: V | undefined) =>
  (value === undefined ? {} : { [key]: value }) as Partial<Record<K, V>>;
