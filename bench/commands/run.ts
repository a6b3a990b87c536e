import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { shellQuoted } from "../basics/shell.ts";
import { optionsOfCommand, optionsWithPlan } from "../options/option-table.ts";
import type { OptionName } from "../options/options.ts";
import { commandNamed } from "../options/read-line.ts";
import { EXIT, type ExitCode, failure, usageError } from "../basics/errors.ts";
import type { Suite } from "../../suites/suite.ts";
import { present, unlessEmpty } from "../basics/present.ts";
import { paceOf, type TimeTaken } from "../plan/pace.ts";
import type { CpuOptions } from "../plan/placement.ts";
import { stepText } from "../plan/schedule.ts";
import { stepsAhead } from "../plan/spare-rounds.ts";
import { pointName, PROTOCOL_AXIS } from "../record/cell.ts";
import type { UserSpec } from "../record/user-spec.ts";
import type { Plan } from "../record/plan.ts";
import type { RunRecord } from "../record/run-record.ts";
import { scheduleFaults } from "../result/schedule-faults.ts";
import { counted } from "../basics/units.ts";
import type { LoadedSuite } from "../sources/load-suite.ts";
import { PROJECT_ROOT } from "../runtimes/project-folders.ts";
import type { CheckPatience } from "../sources/check-module.ts";
import { rememberPlan } from "../sources/known-plans.ts";
import { earlierPace } from "../sources/pace-file.ts";
import { readRun, type StoredRun } from "../runs/read-run.ts";
import { findRevision } from "../sources/revision.ts";
import { hostOptionsOf, onHosts } from "../observe/connect-hosts.ts";
import type { HostOptions } from "../plan/plan-actions.ts";
import { equip } from "../observe/equip.ts";
import { harmlessJson, printable } from "../report/align.ts";
import { prepareAgain, preparePlan, type PreparingSite } from "../engine/conductor.ts";
import { type Context, dataDirectory, preparingSite, runFolder, trustFrom } from "./context.ts";
import { configLine } from "../options/config-meant.ts";
import type { CheckedFile } from "./check-modules.ts";
import { measure, type Measured, scopeLines, startLines } from "./measure.ts";
import { headline, takesText } from "../report/measure-text.ts";
import { cpuOptionsFrom, hostOptionsFrom, settledFrom, takesQuick } from "../options/settle.ts";
import { asMeasuredBy } from "../options/in-process.ts";
import { planOf } from "../options/plan-of.ts";
import { planOfRun, readPlanFile } from "../options/stored-plan.ts";
import { trustedPlan } from "../options/trusted-plan.ts";
import { chosenSuite } from "../options/suites.ts";
import { withExtraAxes } from "../options/extra-axes.ts";

/** A prepared run, and the line that names the options of a config. */
type Planned = Measured & {
  readonly configured?: string | undefined;
  /** A dry run checks the user's modules: they were chosen here, and are no stored plan's. */
  readonly checked?: true;
};

interface Wanted {
  readonly hosts: HostOptions;
  readonly prepare: (venue: PreparingSite) => Promise<Planned>;
}

/**
 * `bench run`, and `bench all`, which does not ask before it begins: measures a matrix and shows its table and verdicts. With `--dry-run` it
 * shows the plan and checks the user's modules (exit 3 if one fails); with `--prepare` it builds files alone.
 *
 * @param patience the time that checks of modules have
 */
export async function runCommand(context: Context, patience: CheckPatience = {}): Promise<ExitCode> {
  const { args, give, outStyle, print } = context;
  if (args.has("prepare") && args.has("dry-run")) {
    throw usageError("--prepare and --dry-run exclude each other", "give one of them");
  }
  const wanted = args.has("resume")
    ? resumed(context, args.get("resume")!)
    : args.has("plan")
    ? fromFile(context, args.get("plan")!)
    : await fromArgs(context);
  return await onHosts(wanted.hosts, async (hosts) => {
    const planned = await wanted.prepare(preparingSite(context, hosts));
    if (args.has("prepare")) return await (await import("./build-files.ts")).buildPlanFiles(context, planned);
    if (!args.has("dry-run")) {
      if (planned.configured !== undefined) context.say(planned.configured);
      return await measure(context, planned);
    }
    const json = args.has("json");
    const { checkModules, moduleLines, modulesHold } = await import("./check-modules.ts");
    const modules = planned.checked === true ? await checkModules(planned, context.doing, patience) : [];
    if (modules === null) return EXIT.interrupted;
    const text = await dryRunText({ ...planned, modules }, earlierPace(dataDirectory(args)), json);
    // A plan from a file is trusted for this one look; one of this command line was made here.
    if (json && !args.has("plan") && !args.has("resume")) {
      const { plan, runtimes, against } = planned;
      rememberPlan({ plan, wanted: runtimes.map(({ wanted }) => wanted), against }, process.cwd());
    }
    if (json) give(text);
    else print(moduleLines(modules, outStyle).map((line) => `${printable(line)}\n`).join("") + text);
    return modulesHold(modules) ? EXIT.done : EXIT.invalid;
  });
}

/** A hint for a folder that has a project, if nothing else is chosen; null for any other. */
function ofFolder({ args, config }: Context, { suite, draft, module }: LoadedSuite): string | null {
  const meant = args.words.length > 0 || draft !== undefined || module !== null || config !== null ||
    args.axes().some(([axis]) => axis !== "runtime");
  const here = realpathSync(process.cwd());
  const project = ["package.json", "deno.json", "deno.jsonc"].find((name) => existsSync(join(here, name)));
  if (meant || !["all", "run"].includes(args.command) || project === undefined || here === realpathSync(PROJECT_ROOT)) {
    return null;
  }
  return `measuring this tool's suite ${suite.name}; the app of this ${project} is measured after bench init, or with --app ./FILE`;
}

async function fromArgs(context: Context): Promise<Wanted> {
  const { args, suites } = context;
  if (args.has("trust")) throw usageError("--trust belongs to --plan or --resume", "leave it out");
  const named = chosenSuite(args, suites);
  const hint = ofFolder(context, named);
  if (hint !== null) context.say(hint);
  if (takesQuick(args)) context.say("taking --quick, as nothing says how much; bench all measures everything");
  const withOptions = (suite: Suite) => withExtraAxes(suite, (axis) => args.get(axis as "protocol"));
  const settled = settledFrom(args, withOptions(named.suite));
  const ref = args.get("against");
  if (ref !== undefined && named.draft !== undefined) {
    throw usageError("--against measures another revision of this project, not of yours", "--app a=./a.ts,b=./b.ts");
  }
  const against = ref === undefined ? undefined : await findRevision(ref);
  const [first = "http"] = settled.values[PROTOCOL_AXIS] ?? [];
  const draft = named.draft &&
    { ...named.draft, ...(first === "http" ? {} : { protocol: first as UserSpec["protocol"] }) };
  // A plan only names runtimes; recording the replies of an app starts them, and so does a check of a module.
  const onlyNamed = (args.has("dry-run") || args.has("prepare")) && named.draft === undefined &&
    named.userModules !== true;
  const missing = onlyNamed ? "plan" : "fetch";
  return {
    hosts: hostOptionsFrom(args),
    async prepare(venue) {
      const prepared = await preparePlan({ ...venue, cache: { ...venue.cache, missing } }, {
        loaded: draft === undefined ? named : { ...named, draft },
        settled,
        together: settled.together,
        wish: cpuOptionsFrom(args),
        against,
        adapt: (suite) => asMeasuredBy(settled.generator, withOptions(suite)),
        plan: (bound, { grade: { grade } }) => planOf(bound, bound.settled!, { grade, against: against?.label }),
      });
      const checked = named.userModules === true ? { checked: true } as const : {};
      return { ...prepared, ...checked, configured: configLine(context, named, settled.overruled) };
    },
  };
}

function fromFile(context: Context, file: string): Wanted {
  const { args } = context;
  refuseOthers(args, "plan", "measures the file's own plan", file);
  const stored = trustedPlan(readPlanFile(file), trustFrom(context));
  return { hosts: hostOptionsFrom(args), prepare: (venue) => prepareAgain(venue, stored, cpuOptionsFrom(args)) };
}

function resumed(context: Context, name: string): Wanted {
  const { args } = context;
  refuseOthers(args, "resume", "goes on with the run's own plan", name);
  const resume = readRun(runFolder(context, name));
  if (resume.run.state === "finished") {
    throw usageError(`run "${resume.run.run}" is finished`, "bench run starts a new one");
  }
  return continueRun(context, resume);
}

/**
 * Goes on with a run where and as it was measured.
 *
 * @param plan the run's own plan, or one with further rounds
 */
export function continueRun(context: Context, { path, run, ...stored }: StoredRun, plan: Plan = run.plan): Wanted {
  const [fault] = scheduleFaults(run, stored.lines);
  if (fault !== undefined) {
    throw failure(`run "${run.run}" cannot be continued: ${fault}`, "bench verify names what else is wrong");
  }
  const hosts = hostOptionsOf(run);
  const trusted = trustedPlan(planOfRun(run, path), { ...trustFrom(context), hosts });
  const resume = { ...stored, path, run: { ...run, plan } };
  return {
    hosts,
    prepare: async (venue) => ({ ...await prepareAgain(venue, { ...trusted, plan }, placementOf(run)), resume }),
  };
}

function refuseOthers(args: Context["args"], option: "plan" | "resume", why: string, value: string): void {
  const command = commandNamed(args.command)!;
  const taken = optionsWithPlan(command, option === "plan").map(({ name }) => name);
  const other = optionsOfCommand(command).map(({ name }) => name as OptionName)
    .find((name) => args.has(name) && name !== option && !taken.includes(name)) ?? args.axes()[0]?.[0];
  if (other === undefined && args.words.length === 0) return;
  throw usageError(
    `--${option} ${why}, so ${other ? `--${other}` : `"${args.words[0]}"`} cannot be given`,
    `bench ${command.name} --${option} ${shellQuoted(value)}`,
  );
}

function placementOf({ placement: { server_cpus, load_cpus, pinning } }: RunRecord): CpuOptions {
  // Workers beyond the cores were forced when it began.
  const forced = { forceWorkers: true };
  return server_cpus === null || load_cpus === null || pinning === "one-cpu"
    ? forced
    : { ...forced, serverCpus: server_cpus, loadCpus: load_cpus };
}

async function dryRunText(
  { plan, suite, wish, hosts, runtimes, against, configured, modules }: Planned & {
    readonly modules: readonly CheckedFile[];
  },
  earlier: readonly TimeTaken[],
  json: boolean,
): Promise<string> {
  const schedule = stepsAhead(plan, []);
  const equipment = await equip(plan, { ...wish, forceWorkers: true }, runtimes, hosts, suite);
  const refused = wish.forceWorkers === true ? null : equipment.crowded;
  if (json) {
    return harmlessJson({
      plan,
      runtimes: runtimes.map(({ label, wanted }) => ({ label, wanted })),
      ...present({ against: against && { ref: against.ref, commit: against.commit }, configured }),
      ...present({ modules: unlessEmpty(modules) }),
      placement: equipment.placement,
      schedule,
    }) + "\n";
  }
  return [
    headline(plan),
    ...scopeLines(suite, plan),
    ...(configured === undefined ? [] : [printable(configured)]),
    ...startLines(plan, equipment, "nothing: this is a dry run"),
    ...(refused === null ? [] : [`it would be refused: ${refused}; --force-workers insists on it`]),
    `${plan.timed === undefined ? "" : "at least "}${counted(schedule.length, "step")}, ${
      takesText(plan, Math.max(paceOf(plan, earlier).remainingMs(schedule), plan.timed?.ms ?? 0))
    }`,
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
