import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { shellQuoted } from "../basics/shell.ts";
import { OPTIONS } from "../options/options.ts";
import { EXIT, type ExitCode, failure, usageError } from "../basics/errors.ts";
import type { Suite } from "../../suites/suite.ts";
import { paceOf, type Taken } from "../plan/pace.ts";
import type { PlacementWish } from "../plan/placement.ts";
import { stepText } from "../plan/schedule.ts";
import { stepsAhead } from "../plan/spare-rounds.ts";
import { pointName, PROTOCOL_AXIS } from "../record/cell.ts";
import type { OwnSpec } from "../record/own-spec.ts";
import type { RunRecord } from "../record/run-record.ts";
import { scheduleFaults } from "../result/schedule-faults.ts";
import { counted } from "../basics/units.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import { rememberPlan } from "../sources/known-plans.ts";
import { earlierPace } from "../sources/pace-file.ts";
import { readRun } from "../runs/read-run.ts";
import { findRevision } from "../sources/revision.ts";
import { closeHosts, connectHosts, gradeOn, type HostsWish, hostsWishOf } from "../observe/connect-hosts.ts";
import { equip } from "../observe/equip.ts";
import { harmlessJson, printable } from "../report/align.ts";
import { revisionOfRun } from "./against.ts";
import { type Context, dataDirectory, runFolder, runtimeCache, trustFrom } from "./context.ts";
import { configLine } from "../options/config-meant.ts";
import { beginLines, headline, measure, type Measured, takesText } from "./measure.ts";
import { HOST_OPTIONS, hostsWishFrom, placementWishFrom } from "../options/wishes.ts";
import { recorded } from "../options/own-servers.ts";
import { asMeasuredBy } from "../options/in-process.ts";
import { planOf, settledFrom, takesQuick } from "../options/plan-of.ts";
import { bindRuntimes } from "../options/runtime-wishes.ts";
import { planOfRun, readPlanFile, runtimesOfPlan, type StoredPlan, suiteOfPlan } from "../options/stored-plan.ts";
import { trustedPlan } from "../options/trusted-plan.ts";
import { requireSameModules } from "../options/same-modules.ts";
import { chosenSuite } from "../options/suites.ts";
import { withAsked } from "../options/with-asked.ts";

/** What is to be measured; the other revision, if any, is not checked out yet. */
type Planned = Omit<Measured, "against"> & {
  readonly against: Pick<NonNullable<RunRecord["against"]>, "ref" | "commit"> | undefined;
  /** What of it a config says, in a line. */
  readonly configured?: string | undefined;
  /** Paths of its own modules are from there, or from the current one. */
  readonly folder: string;
};

/** `bench run`, and `bench all`, which is all of it: measures a matrix and shows its table and verdicts. */
export async function runCommand(context: Context): Promise<ExitCode> {
  const { args, stdout, print } = context;
  const planned = args.has("resume")
    ? await resumed(context, args.get("resume")!)
    : args.has("plan")
    ? await fromFile(context, args.get("plan")!)
    : await fromArgs(context);
  try {
    await requireSameModules(planned.hosts, planned.plan, planned.folder);
    if (args.has("dry-run")) {
      const json = args.has("json");
      const text = await dryRunText(planned, earlierPace(dataDirectory(args)), json);
      // A plan from a file is trusted for this one look; one of this command line was made here.
      if (json && !args.has("plan") && !args.has("resume")) remember(planned);
      if (json) stdout.write(text);
      else print(text);
      return EXIT.done;
    }
    if (planned.configured !== undefined) context.say(planned.configured);
    const against = await revisionOfRun(args, planned.hosts.server, planned.against);
    return await measure(context, { ...planned, against });
  } finally {
    await closeHosts(planned.hosts);
  }
}

/** What to write where a folder has a project of its own and nothing says that it is not meant; null elsewhere. */
function ofFolder({ args, config }: Context, { suite, own, module }: LoadedSuite): string | null {
  const meant = args.words.length > 0 || own !== undefined || module !== null || config !== null ||
    [...args.axes.keys()].some((axis) => axis !== "runtime");
  const here = realpathSync(process.cwd());
  const project = ["package.json", "deno.json", "deno.jsonc"].find((name) => existsSync(join(here, name)));
  if (meant || args.command !== "run" || project === undefined || here === realpathSync(PROJECT_ROOT)) return null;
  return `measuring this tool's suite ${suite.name}; the app of this ${project} is measured after bench init, or with --app ./FILE`;
}

async function fromArgs(context: Context): Promise<Planned> {
  const { args, suites } = context;
  if (args.has("trust")) throw usageError("--trust belongs to --plan or --resume", "leave it out");
  const named = chosenSuite(args, suites);
  const hint = ofFolder(context, named);
  if (hint !== null) context.say(hint);
  if (takesQuick(args)) context.say("taking --quick, as nothing says how much; bench all measures everything");
  const asAsked = (suite: Suite) => withAsked(suite, (axis) => args.get(axis as "protocol"));
  const chosen = { ...named, suite: asAsked(named.suite) };
  const hosts = await connectHosts(hostsWishFrom(args));
  const grade = await gradeOn(hosts);
  const wish = placementWishFrom(args);
  const asked = settledFrom(args, chosen.suite);
  const cache = runtimeCache(context);
  // A plan names runtimes; only what records an app's replies starts them.
  const missing = args.has("dry-run") && chosen.own === undefined ? "plan" : "fetch";
  const { values, runtimes } = await bindRuntimes(chosen.suite, asked.values, { ...cache, missing });
  const ref = args.get("against");
  if (ref !== undefined && chosen.own !== undefined) {
    throw usageError("--against measures another revision of this project, not of yours", "--app a=./a.ts,b=./b.ts");
  }
  const against = ref === undefined ? undefined : await findRevision(ref);
  const [first = "http"] = values[PROTOCOL_AXIS] ?? [];
  const draft = named.own === undefined || first === "http"
    ? {}
    : { own: { ...named.own, protocol: first as OwnSpec["protocol"] } };
  const { suite: plain, own } = await recorded(context, { ...named, ...draft }, runtimes, hosts);
  const suite = asMeasuredBy(asked.generator, asAsked(plain));
  const plan = await planOf({ ...chosen, suite }, { ...asked, values }, {
    grade: grade.grade,
    against: against?.label,
    own,
  });
  return {
    plan,
    suite,
    wish,
    grade,
    hosts,
    runtimes,
    against,
    configured: configLine(context, named, asked.overruled),
    folder: process.cwd(),
  };
}

/** A plan printed before, or a run's: nothing that would change it may be given beside. */
async function fromFile(context: Context, file: string): Promise<Planned> {
  const { args } = context;
  refuseOthers(
    args,
    "plan",
    ["server-cpus", "load-cpus", "force-workers", ...HOST_OPTIONS],
    "measures the file's own plan",
    file,
  );
  const stored = await restored(context, trustedPlan(readPlanFile(file), trustFrom(context)), hostsWishFrom(args));
  return { ...stored, wish: placementWishFrom(args) };
}

async function resumed(context: Context, name: string): Promise<Planned> {
  const { args } = context;
  refuseOthers(args, "resume", [], "goes on with the run's own plan", name);
  const resume = readRun(runFolder(context, name));
  if (resume.run.state === "finished") {
    throw usageError(`run "${resume.run.run}" is finished`, "bench run starts a new one");
  }
  const [fault] = scheduleFaults(resume.run, resume.lines);
  if (fault !== undefined) {
    throw failure(`run "${resume.run.run}" cannot be continued: ${fault}`, "bench verify names what else is wrong");
  }
  const hosts = hostsWishOf(resume.run);
  const plan = trustedPlan(planOfRun(resume.run, resume.path), { ...trustFrom(context), hosts });
  return { ...await restored(context, plan, hosts), wish: placementOf(resume.run), resume };
}

async function restored(context: Context, stored: StoredPlan, wish: HostsWish): Promise<Omit<Planned, "wish">> {
  const suite = await suiteOfPlan(stored);
  const runtimes = await runtimesOfPlan(suite, stored, runtimeCache(context));
  const hosts = await connectHosts(wish);
  const { plan, against, folder } = stored;
  return { plan, suite, grade: await gradeOn(hosts), hosts, runtimes, against, folder };
}

function refuseOthers(
  args: Context["args"],
  option: "plan" | "resume",
  allowed: readonly string[],
  why: string,
  value: string,
): void {
  const own = [
    option,
    "config",
    "no-config",
    "results",
    "data",
    "json",
    "verbose",
    "dry-run",
    "trust",
    "all",
    "yes",
    ...allowed,
  ];
  const other = OPTIONS.find(({ name }) => args.has(name) && !own.includes(name))?.name ?? [...args.axes.keys()][0];
  if (other === undefined && args.words.length === 0) return;
  throw usageError(
    `--${option} ${why}, so ${other ? `--${other}` : `"${args.words[0]}"`} cannot be given`,
    `bench run --${option} ${shellQuoted(value)}`,
  );
}

function placementOf({ placement }: RunRecord): PlacementWish {
  const { server_cpus, load_cpus, pinning } = placement;
  // What it has too few cores for was asked for when it began.
  const forced = { forceWorkers: true };
  return server_cpus === null || load_cpus === null || pinning === "one-cpu"
    ? forced
    : { ...forced, serverCpus: server_cpus, loadCpus: load_cpus };
}

const remember = ({ plan, runtimes, against }: Planned): void =>
  rememberPlan({ plan, wanted: runtimes.map(({ wanted }) => wanted), against }, process.cwd());

async function dryRunText(
  { plan, suite, wish, hosts, runtimes, against, configured }: Planned,
  earlier: readonly Taken[],
  json: boolean,
): Promise<string> {
  const schedule = stepsAhead(plan, []);
  const equipment = await equip(plan, { ...wish, forceWorkers: true }, runtimes, hosts, suite);
  const refused = wish.forceWorkers === true ? null : equipment.crowded;
  if (json) {
    return harmlessJson({
      plan,
      runtimes: runtimes.map(({ label, wanted }) => ({ label, wanted })),
      ...(against === undefined ? {} : { against: { ref: against.ref, commit: against.commit } }),
      ...(configured === undefined ? {} : { configured }),
      placement: equipment.placement,
      schedule,
    }) + "\n";
  }
  return [
    headline(plan),
    ...(configured === undefined ? [] : [printable(configured)]),
    ...beginLines(plan, equipment, "nothing: this is a dry run"),
    ...(refused === null ? [] : [`it would be refused: ${refused}; --force-workers insists on it`]),
    `${counted(schedule.length, "step")}, ${takesText(plan, paceOf(plan, earlier).remainingMs(schedule))}`,
    ...[...Map.groupBy(plan.unsupported, ({ reason }) => reason)].map(([reason, same]) =>
      `unsupported: ${same.map(({ point }) => pointName(plan.axes, point)).join(", ")}: ${reason}`
    ),
    "",
    ...schedule.map((step) =>
      `${String(step.index + 1).padStart(4)}  round ${step.round + 1}  ${stepText(plan, step)}`
    ),
    "",
  ].join("\n");
}
