import { shellQuoted } from "../basics/shell.ts";
import { AA, APP_AXIS, MAIN, pointName, textOf } from "../record/cell.ts";
import type { Cell, PlanAxis } from "../record/cell-schema.ts";
import { comparisonOf } from "../record/inverse.ts";
import { coresShared } from "../plan/workers.ts";
import type { Plan, PlanSubject } from "../record/plan.ts";
import type { UserServer } from "../record/user-spec.ts";
import type { Subject } from "../record/card.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";

/** The facts of a run for a command that repeats it, with its machine if that is known. */
export type Rerun = Pick<RunRecord, "plan"> & Partial<Pick<RunRecord, "placement" | "machine" | "against">>;

const forceWords = ({ plan, placement, machine }: Rerun, cells: readonly Cell[]) =>
  placement !== undefined && machine !== undefined &&
    cells.some((cell) => coresShared({ plan, placement, machine }, cell) !== null)
    ? ["--force-workers"]
    : [];

/** The command that measures a cell again the way its run did. */
export function rerunCommand(run: Rerun, { cell }: Pick<Subject, "cell">): string {
  const { point, label } = cell;
  const { plan } = run;
  return [
    suiteWords(plan, [String(point.at[APP_AXIS])]),
    ...axesOf(plan, plan.axes).map((axis) => option(axis.option, textsOn(axis, [cell])[0] ?? textOf(axis, point.at))),
    ...amountWords(plan, plan.rounds),
    `--seed ${plan.seed}`,
    ...threadWords(plan),
    ...forceWords(run, [cell]),
    ...(label === MAIN || label === AA ? [] : [option("label", label)]),
  ].join(" ");
}

/** The command that measures the values of an axis that a quick plan left out; null for the user's servers. */
export function leftOutCommand(plan: Plan, axis: PlanAxis, values: readonly string[]): string | null {
  if (plan.suite.own !== undefined) return null;
  return `${suiteWords(plan, [])} ${option(axis.option, values.join(","))} --quick`;
}

/** The command that explains the answer; null without proof, and for the user's modules, revisions and other hosts. */
export function whyCommand(
  { plan, hosts }: Pick<RunRecord, "plan" | "hosts">,
  { families, cells, answer }: Pick<Summary, "families" | "cells" | "answer">,
) {
  const comparisons = families.flatMap((family) => family.comparisons);
  const cellNamed = (name: string) => cells.find((each) => each.name === name && each.cell.label === MAIN)?.cell;
  const mains = answer.questions.map(({ parts: [main] }) => main!);
  const taken = mains.filter(({ picks }) => picks.length > 0);
  const [most] = [...taken, ...mains].flatMap(({ picks, claims }) => {
    const wins = claims.filter(({ says, value, over }) =>
      says === "faster" && (picks.length === 0 || picks.includes(value) && !picks.includes(over))
    );
    const pairs = wins.flatMap(({ value, over, verdicts }) =>
      verdicts.flatMap((one) => {
        const [a, b] = [cellNamed(one.over), cellNamed(one.under)];
        const judged = comparisonOf(one.over, one.under, comparisons);
        return a === undefined || b === undefined || judged?.verdict !== "faster"
          ? []
          : [{ value, over, cells: [a, b], ratio: judged.ratio }];
      })
    );
    return pairs.toSorted((a, b) => b.ratio - a.ratio).slice(0, 1);
  });
  const ownModule = plan.axes.some(({ values }) => values.some(({ facts }) => facts["sha256"] !== undefined));
  if (most === undefined || hosts !== undefined || ownModule) return null;
  const apps = [...new Set(most.cells.map(({ point }) => String(point.at[APP_AXIS])))];
  const names = most.cells.map((cell) => shellQuoted(pointName(plan.axes, cell.point)));
  const command = [suiteWords(plan, apps).replace(/^bench run/, "bench explain"), ...names].join(" ");
  return { over: most.value, under: most.over, cells: most.cells, command };
}

const textsOn = ({ name, values }: PlanAxis, cells: readonly Cell[]) =>
  values.filter(({ value }) => cells.some(({ point }) => point.at[name] === value)).map(askedText);

/** A value as an option takes it: a user's module with its file, which its name lacks. */
const askedText = ({ text, facts: { file, sha256 } }: PlanAxis["values"][number]) =>
  file === undefined || sha256 === undefined ? text : `${text}=${file}`;

function suiteWords({ suite: { name, module, own: spec } }: PlanSubject, apps: readonly string[]): string {
  if (spec === undefined) return `bench run ${shellQuoted((module ?? name).replace(/^-/, "./-"))}`;
  const servers = spec.servers.filter((server) => apps.includes(server.name));
  const options = [...servers.flatMap((server) => serverOptions(server, servers.length === 1)), ...spec.given];
  return ["bench run", ...options.map(([name, value]) => option(name, value))].join(" ");
}

type Given = readonly [option: string, value: string];

/** @param only true for a single server, whose port is given; ports of several are found again */
function serverOptions(server: UserServer, only: boolean): Given[] {
  const named = (what: string) => `${server.name}=${what}`;
  const words = (all: readonly string[]) => named(all.map(shellQuoted).join(" "));
  switch (server.kind) {
    case "app": {
      const path = server.module.includes("/") ? server.module : `./${server.module}`;
      const { listens } = server;
      return listens === undefined ? [["app", named(path)]] : [
        ["program", words([path, ...listens.args])],
        ...listenOptions(only ? listens : { ...listens, port: null }),
      ];
    }
    case "command":
      return [["command", words(server.command)], ...listenOptions(server)];
    case "target":
      return [["target", named(server.url)], ...(server.pid === null ? [] : [["pid", String(server.pid)] as const])];
  }
}

const listenOptions = ({ port, ready }: { readonly port: number | null; readonly ready: string }): Given[] => [
  ...(port === null ? [] : [["port", String(port)] as const]),
  ...(ready === "/" ? [] : [["ready", ready] as const]),
];

const axesOf = ({ suite }: PlanSubject, axes: readonly PlanAxis[]) =>
  suite.own === undefined ? axes : axes.filter(({ name }) => name !== APP_AXIS);

const amountWords = ({ duration_ms, warmup, rest_ms, further }: Plan, rounds: number) => [
  `--rounds ${rounds}`,
  `--duration ${duration_ms / 1_000}s`,
  ...(warmup.kind === "fixed" ? [`--warmup ${warmup.ms / 1_000}s`, `--warmup-loads ${warmup.loads}`] : []),
  ...(rest_ms === undefined ? [] : [`--rest ${rest_ms / 1_000}s`]),
  ...(further?.schedule !== undefined ? [option("schedule", further.schedule)] : []),
];

/** Plans of messages have one generator, others wrk unless another is named. */
const threadWords = ({ threads, generator, unit }: Plan) => [
  ...(threads === null ? [] : [`--threads ${threads}`]),
  ...(generator === "wrk" || unit === "message" ? [] : [option("generator", generator)]),
];

const option = (name: string, value: string) =>
  value.startsWith("-") ? shellQuoted(`--${name}=${value}`) : `${shellQuoted(`--${name}`)} ${shellQuoted(value)}`;
