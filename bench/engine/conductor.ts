/**
 * The one way to a measurement: values are bound to runtimes, apps are started and recorded, hosts graded, a plan made.
 * Commands and programs differ in their choice and in the plan they make of it.
 */
import type { At, Suite } from "../../suites/suite.ts";
import { failure, usageError } from "../basics/errors.ts";
import { suiteSource } from "../apps/app-source.ts";
import { userSuite, whyNotAtOnce } from "../apps/user-suite.ts";
import { recordReplies } from "../apps/record-replies.ts";
import type { ReplyChange } from "../apps/reply-changes.ts";
import { present } from "../basics/present.ts";
import { gradeOn } from "../observe/connect-hosts.ts";
import type { Hosts } from "../observe/sample-load.ts";
import { unrecorded } from "../options/user-servers.ts";
import { bindRuntimes } from "../options/runtime-specs.ts";
import { requireSameModules } from "../options/same-modules.ts";
import { runtimesOfPlan, type StoredPlan, suiteOfPlan } from "../options/stored-plan.ts";
import { valuesOf } from "../plan/make-alone-plan.ts";
import type { CpuOptions } from "../plan/placement.ts";
import type { Settled } from "../plan/profile.ts";
import { APP_AXIS, USER_SUITE } from "../record/cell.ts";
import { type Grade, reasonText } from "../record/finding.ts";
import type { UserServer, UserSpec } from "../record/user-spec.ts";
import type { Plan } from "../record/plan.ts";
import { printable } from "../report/align.ts";
import type { RuntimeBinary } from "../runtimes/runtimes.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import type { RuntimeCache } from "../sources/resolve-runtimes.ts";
import type { SuiteSource } from "../result/suite-identity.ts";

/** Hosts of a measurement, the folder of runtimes, and a listener for lines on how apps start. */
export interface PreparingSite {
  readonly hosts: Hosts;
  readonly cache: RuntimeCache;
  readonly say: (line: string) => void;
}

/** A suite and the part of it that is measured: either cells, or the values of a plan's choices. */
export interface Choice {
  readonly loaded: LoadedSuite;
  readonly cells?: readonly At[];
  readonly settled?: Settled;
  /** True for revisions of one app: where their replies differ, only statuses are compared. */
  readonly revisions?: boolean;
  /** False if no two servers are measured at the same time. */
  readonly together?: boolean;
  /** Changes the suite after its apps were recorded: more axes, or calls in place of requests. */
  readonly adapt?: (suite: Suite) => Suite;
}

/** A choice whose runtimes were found and whose apps were recorded. */
export interface BoundSuite {
  readonly suite: Suite;
  readonly runtimes: readonly RuntimeBinary[];
  readonly cells: readonly At[];
  /** The choices with the labels of runtimes in place of the words of the user; null for cells. */
  readonly settled: Settled | null;
  readonly origin: SuiteSource;
  /** Replies that differ between the apps. */
  readonly changes: readonly ReplyChange[];
}

/**
 * Finds the runtimes of a choice, and starts each of its apps once on its host to record its replies.
 *
 * @throws BenchError where a runtime is missing, or no app answers
 */
export async function bindSuite({ hosts, cache, say }: PreparingSite, choice: Choice): Promise<BoundSuite> {
  const { loaded: { suite: meant, module, named, draft: chosen }, cells = [], adapt = (suite: Suite) => suite } =
    choice;
  const words = choice.settled?.values ?? valuesOf(meant, cells);
  const { runtimes, bound, values } = await bindRuntimes(meant, words, cache);
  const at = cells.map(bound);
  const settled = choice.settled === undefined ? null : { ...choice.settled, values };
  const result = { runtimes, settled, changes: [] };
  if (chosen === undefined) {
    const source = named ? suiteSource(module, process.cwd()) : undefined;
    return { ...result, suite: adapt(meant), cells: at, origin: { module, ...present({ source }) } };
  }
  const folder = process.cwd(), names = cells.map((cell) => cell[APP_AXIS]);
  const draft = { ...chosen, servers: chosen.servers.filter(({ name }) => cells.length === 0 || names.includes(name)) };
  const planned = { name: meant.name, title: meant.title, module: null, own: unrecorded(draft) };
  await requireSameModules(hosts, { suite: planned, axes: [] }, folder);
  const changes: ReplyChange[] = [];
  const differs = (change: ReplyChange) => void changes.push(change);
  const spec = await recordReplies(draft, folder, {
    ...{ runtimes, hosts, differs, together: choice.together ?? true, revisions: choice.revisions ?? false },
    say: (line) => say(printable(line)),
  });
  const recorded = choice.revisions ? asRevisions(spec, changes) : spec;
  const suite = adapt(userSuite(recorded, folder));
  const kept = at.map((each) =>
    Object.fromEntries(suite.axes.flatMap(({ name }) => name in each ? [[name, each[name]!]] : []))
  );
  return { ...result, suite, cells: kept, origin: { module: null, own: recorded }, changes };
}

/** Returns a choice whose cells all have an app that answers. Throws a usage error for any other. */
export function requireAnswers(bound: BoundSuite): BoundSuite {
  const { suite, cells, origin } = bound;
  for (const at of origin.own === undefined ? [] : cells) {
    const answer = suite.supports?.({ suite: USER_SUITE, at }) ?? true;
    if (answer !== true) throw usageError(`"${at[APP_AXIS]}" cannot be measured: ${answer}`, "mend it, then try again");
  }
  return bound;
}

/** Revisions of one app without the replies that they changed. Throws where they cannot run at the same time. */
function asRevisions(spec: UserSpec, changes: readonly ReplyChange[]): UserSpec {
  const reason = whyNotAtOnce(spec.servers.filter(({ name }) => spec.refused.every(({ app }) => app !== name)));
  if (reason !== null) {
    throw failure(`revisions run at the same time: ${reason}`, "give each start of them its own, by PORT for example");
  }
  const other = new Set(changes.map(({ of }) => of));
  return { ...spec, samples: spec.samples.map((one) => other.has(one.of) ? { ...one, reply: null } : one) };
}

/** The same options and requests for other servers. */
export function withServers({ draft: given }: LoadedSuite, servers: readonly UserServer[]): LoadedSuite {
  const draft = { ...given!, servers: [...servers] };
  return { suite: userSuite(unrecorded(draft), process.cwd()), module: null, draft };
}

/** A plan and everything needed to measure it. */
export interface Prepared {
  readonly plan: Plan;
  readonly suite: Suite;
  readonly runtimes: readonly RuntimeBinary[];
  /** They are closed by their creator. */
  readonly hosts: Hosts;
  readonly grade: Grade;
  readonly wish: CpuOptions;
  /** Another revision of this project that some cells are of; it is checked out before the first is measured. */
  readonly against?: StoredPlan["against"];
}

/** A choice and the options of the plan that is made from it. */
export interface PlanRequest extends Choice {
  readonly wish: CpuOptions;
  /** Start of the error for hosts that cannot pin processes, and a hint; if absent, such hosts are accepted. */
  readonly pinned?: readonly [need: string, hint: string];
  readonly plan: (bound: BoundSuite, on: Pick<Prepared, "grade" | "hosts">) => Promise<Plan>;
  readonly against?: StoredPlan["against"];
}

/** Binds a choice on hosts that were graded, and plans it. Throws BenchError for one that cannot be measured there. */
export async function preparePlan(venue: PreparingSite, request: PlanRequest): Promise<Prepared> {
  const { wish, against, pinned } = request;
  const { hosts } = venue;
  const grade = pinned === undefined ? await gradeOn(hosts) : await pinnedGrade(hosts, pinned);
  const bound = requireAnswers(await bindSuite(venue, request));
  const plan = await request.plan(bound, { grade, hosts });
  await requireSameModules(hosts, plan, process.cwd());
  return { plan, suite: bound.suite, runtimes: bound.runtimes, hosts, grade, wish, against };
}

/** The grade of hosts that can pin processes. Throws a usage error for any others. */
export async function pinnedGrade(hosts: Hosts, [need, hint]: readonly [need: string, hint: string]): Promise<Grade> {
  const grade = await gradeOn(hosts);
  if (grade.grade === "advisory") {
    throw usageError(`${need} pinned to one core: ${reasonText(grade.reasons[0]!)}`, hint);
  }
  return grade;
}

/**
 * Finds the suite and runtimes of a stored plan again. Throws BenchError where one is not as it was planned.
 *
 * @param given the suite, where it is no registered one and has no module
 */
export async function prepareAgain(
  { hosts, cache }: Pick<PreparingSite, "hosts" | "cache">,
  stored: StoredPlan,
  wish: CpuOptions,
  given?: Suite,
): Promise<Prepared> {
  const { plan, folder, against } = stored;
  const suite = given ?? await suiteOfPlan(stored);
  const runtimes = await runtimesOfPlan(suite, stored, cache);
  await requireSameModules(hosts, plan, folder);
  return { plan, suite, runtimes, hosts, grade: await gradeOn(hosts), wish, against };
}
