import { shellQuoted } from "../basics/shell.ts";
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { z } from "zod";
import type { Suite } from "../../suites/suite.ts";
import { AA, ROUTE } from "../record/cell.ts";
import { failure, usageError } from "../basics/errors.ts";
import { formatFault, issueText } from "../record/issue-text.ts";
import { type Plan, planSchema, type PlanSteps, type PlanSubject } from "../record/plan.ts";
import { askSuite, pointText } from "../plan/points.ts";
import type { RunRecord } from "../record/run-record.ts";
import { unknownName } from "../basics/unknown-name.ts";
import { MEASURING } from "../generators/registry.ts";
import { loadSuite, registeredSuite } from "../sources/load-suite.ts";
import { changeOf, suiteSource } from "../apps/app-source.ts";
import { userSuite } from "../apps/user-suite.ts";
import { resolveRuntimes, type RuntimeCache } from "../sources/resolve-runtimes.ts";
import type { RuntimeBinary } from "../runtimes/runtimes.ts";
import { asMeasuredBy } from "./in-process.ts";
import { withPlannedModules } from "./user-modules.ts";
import { parseRuntimeSpec, runtimeAxisOf, runtimeSpecs, runtimeWords } from "./runtime-specs.ts";
import { withExtraAxes, withRoutes } from "./extra-axes.ts";

/** A plan with everything needed to measure it again. */
export interface StoredPlan {
  readonly plan: Plan;
  /** Runtimes as the user wrote them, in the order in which they were found; null if only the plan is known. */
  readonly wanted: readonly string[] | null;
  /** The other revision of some cells. */
  readonly against: Pick<NonNullable<RunRecord["against"]>, "ref" | "commit"> | undefined;
  /** The folder it was read from, from which a suite's module may be found. */
  readonly folder: string;
}

/** The parts of a printed plan or a run.json that are read with the plan; a plan by itself has none of them. */
const preset = z.object({
  runtimes: z.array(z.object({ wanted: z.string() })).optional(),
  against: z.object({ ref: z.string(), commit: z.string() }).optional(),
});

/** Reads a plan from what `--dry-run --json` printed, whole or its plan alone, or from a run.json. */
export function readPlanFile(path: string): StoredPlan {
  const hint = "bench run SUITE --dry-run --json prints a plan";
  const value = readJson(path, hint);
  const whole = typeof value === "object" && value !== null && "plan" in value;
  const more = preset.safeParse(whole ? value : {});
  const plan = checkedPlan(whole ? value.plan : value, `"${path}"`, hint);
  if (!more.success) throw usageError(`"${path}" is damaged: ${issueText(more.error)}`, hint);
  const { runtimes, against } = more.data;
  if (against === undefined) refuseLabels(plan, `"${path}"`, "keep the whole file that was printed");
  return { plan, wanted: runtimes?.map(({ wanted }) => wanted) ?? null, against, folder: dirname(resolve(path)) };
}

/** Checks a plan that a program gives. Throws a usage error for one that is none, or is of two revisions. */
export function planByItself(value: unknown): StoredPlan {
  const plan = checkedPlan(value, "what was given", "plan() makes one");
  refuseLabels(plan, "the plan", "bench run --against REVISION");
  return { plan, wanted: null, against: undefined, folder: process.cwd() };
}

function checkedPlan(value: unknown, name: string, hint: string): Plan {
  const { data, error } = planSchema.safeParse(value);
  if (data !== undefined) return data;
  const format = formatFault(value, error!);
  if (format !== null) throw usageError(`${name} ${format.what}`, format.hint ?? hint);
  throw usageError(`${name} is no plan: ${issueText(error!)}`, hint);
}

function refuseLabels({ cells }: Plan, name: string, hint: string): void {
  const labels = new Set(cells.map(({ label }) => label).filter((label) => label !== AA));
  if (labels.size > 1) throw usageError(`${name} measures ${[...labels].join(" and ")} without a revision`, hint);
}

function readJson(path: string, hint: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw usageError(code === undefined ? `"${path}" is no JSON` : `cannot read plan "${path}": ${code}`, hint);
  }
}

/** The plan of a run, to continue it or to measure it again. */
export function planOfRun(run: RunRecord, folder: string): StoredPlan {
  return { plan: run.plan, wanted: run.runtimes.map(({ wanted }) => wanted), against: run.against, folder };
}

/**
 * Loads the suite a plan is of and makes sure it still has the plan's axes and values, as there is its generator. Throws a
 * usage error that names suite, axis and value.
 */
export async function suiteOfPlan({ plan, folder }: StoredPlan): Promise<Suite> {
  refuseUnknownGenerators(plan);
  const { name, module, own: spec } = plan.suite;
  if (spec !== undefined) {
    const changes = [process.cwd(), folder].map((from) => ({ from, fault: changeOf(spec, from) }));
    const same = changes.find(({ fault }) => fault === null);
    if (same === undefined) {
      throw usageError(changes[0]!.fault!, "go to the folder it was planned in, or make a new plan");
    }
    const suite = userSuite(spec, same.from);
    const routed = plan.axes.some((axis) => axis.name === ROUTE) ? withRoutes(suite, spec.requests) : suite;
    return asPlanned(routed, plan);
  }
  const found = module === null ? undefined : [module, resolve(folder, module)].find((path) => existsSync(path));
  if (module !== null && found === undefined) {
    throw usageError(
      `suite "${name}" was planned from "${module}", which is not here`,
      "go to the folder it was planned in",
    );
  }
  if (plan.suite.source !== undefined && suiteSource(found ?? null, "")?.sha256 !== plan.suite.source.sha256) {
    throw usageError(`suite "${name}" is not the planned one any more: its source has changed`, "make a new plan");
  }
  // Without a module the name is looked up among this project's suites and never taken for a path.
  const named = found === undefined ? registeredSuite(name) : (await loadSuite(found, name)).suite;
  const loaded = await withPlannedModules(named, plan, folder);
  const suite = asMeasuredBy(plan.generator, asPlanned(loaded, plan));
  const fault = misfitOf(suite, plan);
  if (fault !== null) {
    throw usageError(
      `suite "${name}" is not the planned one any more: ${fault}`,
      `bench list ${shellQuoted(found ?? name)}`,
    );
  }
  return suite;
}

function refuseUnknownGenerators({ generator, further }: Plan): void {
  const more = further === undefined ? [] : [further.generator];
  for (const name of [generator, ...more]) {
    if (!Object.hasOwn(MEASURING, name)) throw unknownName("generator", name, Object.keys(MEASURING));
  }
}

const asPlanned = (suite: Suite, { axes }: PlanSubject) =>
  withExtraAxes(suite, (name) => axes.find((axis) => axis.name === name)?.values.map(({ value }) => value));

function misfitOf(suite: Suite, { axes, cells }: PlanSubject & PlanSteps): string | null {
  const gone = axes.find(({ name }) => !suite.axes.some((axis) => axis.name === name));
  if (gone !== undefined) return `it has no axis "${gone.name}"`;
  for (const axis of suite.axes) {
    const planned = axes.find(({ name }) => name === axis.name);
    if (planned === undefined) return `it has a new axis "${axis.name}"`;
    for (const { value, text } of planned.values) {
      if (axis.parse(text) !== value) return `axis "${axis.name}" has no value "${text}"`;
    }
  }
  for (const { point } of cells) {
    const none = axes.find(({ name, values }) => !values.some(({ value }) => value === point.at[name]));
    if (none !== undefined) return `a cell has no value of the axis "${none.name}"`;
    const answer = askSuite(suite, point, "supports", () => suite.supports?.(point) ?? true);
    if (answer !== true) return `${pointText(suite, point.at)} cannot be measured: ${answer}`;
  }
  return null;
}

/** Finds a plan's runtimes again. Throws if one of them now has another version. */
export async function runtimesOfPlan(
  suite: Suite,
  { plan, wanted }: StoredPlan,
  cache: RuntimeCache,
): Promise<readonly RuntimeBinary[]> {
  const axis = runtimeAxisOf(suite);
  const planned = axis === undefined ? [] : plan.cells.map(({ point }) => String(point.at[axis.name]));
  // If only the plan is known, a label such as node@24.21.0 is also the word for that version.
  const specs = (axis === undefined ? undefined : wanted)?.map(parseRuntimeSpec) ??
    runtimeSpecs(runtimeWords(axis, planned)).map(({ spec }) => spec);
  const runtimes = await resolveRuntimes(specs, cache);
  const labels = runtimes.map(({ label }) => label);
  const gone = planned.find((label) => !labels.includes(label));
  if (gone !== undefined) {
    throw failure(
      `suite "${suite.name}": the plan's ${axis!.name} "${gone}" is not here, only ${labels.join(", ")}`,
      "make a new plan with what is here",
    );
  }
  return runtimes;
}
