import { counted } from "../basics/units.ts";
import { phraseText, SERVICE_AXIS } from "../record/cell.ts";
import type { PlanAxis } from "../record/cell-schema.ts";
import { isDecided } from "../record/verdicts.ts";
import type { Plan } from "../record/plan.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { listed, listedOr } from "./questions.ts";

type Families = Summary["families"];

/** Axes that are named even with only one value: workload, service, and connections. */
const ALWAYS: readonly string[] = ["workload", SERVICE_AXIS, "connections"];

/** The conditions of a plan that words name, those with several values first. */
const conditionsOf = ({ axes }: Pick<Plan, "axes">): PlanAxis[] =>
  axes.filter(({ role, shown, name }) => role !== "contrast" && (shown || ALWAYS.includes(name)))
    .toSorted((a, b) => Number(b.shown) - Number(a.shown));

function decidedOn(axis: PlanAxis, families: Families): string[] {
  const decided = families.filter(({ comparisons }) => comparisons.some(isDecided));
  return [...new Set(decided.map(({ at }) => phraseText([axis], at)).filter((text) => text !== ""))];
}

/** `10k kg, 50 connections`: of each condition the values at which anything is decided; empty if nothing is. */
export function conditionsText(plan: Pick<Plan, "axes" | "further">, families: Families): string {
  const texts = conditionsOf(plan).map((axis) => listed(decidedOn(axis, families))).filter((text) => text !== "");
  const { further } = plan;
  const isRandom = further?.schedule === "poisson" && texts.length > 0;
  return [...texts, ...(isRandom ? ["a Poisson schedule"] : [])].join(", ");
}

/** The values of conditions at which nothing is decided, in words, where something is at others. */
export function undecidedConditions({ axes }: Pick<Plan, "axes">, families: Families): string[] {
  return conditionsOf({ axes }).flatMap((axis) => {
    const decided = new Set(decidedOn(axis, families));
    const every = axis.values.map(({ value }) => phraseText([axis], { [axis.name]: value }));
    return decided.size === 0 ? [] : every.filter((phrase) => !decided.has(phrase));
  });
}

/** Returns the subject of titles, with the conditions at which anything is decided; without a verdict all. */
export function subjectText(
  { suite, axes }: Pick<Plan, "axes"> & { readonly suite: Pick<Plan["suite"], "title" | "subject"> },
  families: Families,
): string {
  const title = suite.subject ?? (suite.title.split(": ")[0] || suite.title);
  const named = conditionsOf({ axes }).filter(({ name }) => name !== "connections").map((axis) => {
    const every = axis.values.map(({ value }) => phraseText([axis], { [axis.name]: value }));
    const decided = decidedOn(axis, families);
    const shown = decided.length === 0 ? every : decided;
    return { name: axis.name, text: listedOr(shown, axis.title.toLowerCase()) };
  });
  const against = named.find(({ name }) => name === SERVICE_AXIS);
  const conditions = named.filter((one) => one !== against).map(({ text }) => text).join(", ");
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}${against === undefined ? "" : ` against ${against.text}`}${
    conditions === "" ? "" : `: ${conditions}`
  }`;
}

/** `AMD EPYC (amd-25-17), 2 CPUs, shared`: the machine that a run's verdicts hold for, and its grade. */
export function machineText({ machine, grade }: Pick<RunRecord, "machine" | "grade">): string {
  return `${machine.cpu_model} (${machine.cpu_kind}), ${counted(machine.cpus, "CPU")}, ${grade.grade}`;
}
