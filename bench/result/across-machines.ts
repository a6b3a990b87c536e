import { AA, MAIN, placeOnAxis, placeText, shownAxes, textOf } from "../record/cell.ts";
import type { Cell, PlanAxis } from "../record/cell-schema.ts";
import { counted, formatRatio } from "../basics/units.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Comparison } from "../record/comparison.ts";
import { comparisonOver, inverseVerdict } from "../record/inverse.ts";
import { isDecided, NOT_COMPARED } from "../record/verdicts.ts";
import type { Summary } from "../record/summary.ts";
import { geometricMean } from "../statistics/logarithms.ts";
import { type PointKey, pointKeyOver } from "./shared-points.ts";
import { appsIdentity, suiteIdentity, type SuiteOrigin } from "./suite-identity.ts";

type SaidComparison = Pick<Comparison, "verdict" | "ratio">;

type Cpu = Pick<RunRecord["machine"], "cpu_model" | "cpu_kind">;

/** The parts of a run that are compared with those of other machines. */
export interface MachineRun {
  readonly run: SuiteOrigin & {
    readonly run: string;
    readonly plan: { readonly axes: readonly PlanAxis[] };
    readonly machine: Cpu;
    readonly hosts?: { readonly load_machine?: Cpu | undefined } | undefined;
  };
  readonly summary: Pick<Summary, "cells" | "families">;
}

/** Runs of one CPU; where load came from another machine, of these two. */
interface ComparedMachine {
  /** Short and unique among them: the kind of CPU, with its model where kinds are equal. */
  readonly name: string;
  /** The kind of the servers' CPU, for which verdicts hold. */
  readonly kind: string;
  /** The model, with the load generator's if that is another machine. */
  readonly model: string;
  readonly runs: readonly string[];
}

/** One comparison of two values that several kinds of CPU made. */
export interface ComparisonAcross {
  /** The axis's title, the texts of both values, and their common conditions in words; empty if nothing else varies. */
  readonly axis: string;
  readonly over: string;
  readonly under: string;
  readonly at: string;
  /** By machine; null if it made no such comparison. `over` is the value that wins on the most machines. */
  readonly seen: readonly (SaidComparison | null)[];
  /**
   * `holds`: every machine that made it decided it the same way; `turns`: another value wins on one of them; `differs`:
   * faster on one, equivalent on another; `open`: those that decided it agree, others did not decide it.
   */
  readonly outcome: "holds" | "turns" | "differs" | "open";
  /** Machines that decided it the same way, the most. */
  readonly same: number;
  readonly made: number;
  /** Decided ratios between machines; null if fewer than two decided it. */
  readonly moves: { readonly least: number; readonly greatest: number } | null;
}

/** The comparisons of runs on several kinds of CPU. */
export interface AcrossMachines {
  readonly machines: readonly ComparedMachine[];
  /** Comparisons that do not hold come first, then those that move most. Those that no machine decided are left out. */
  readonly comparisons: readonly ComparisonAcross[];
  readonly sentence: string;
}

/** The reason for which runs cannot be compared as machines: other suites or sources, one machine, nothing in common. */
export type NothingAcross =
  | { readonly cause: "other-suites"; readonly suites: readonly string[] }
  | { readonly cause: "other-sources"; readonly suite: string }
  | { readonly cause: "one-kind"; readonly kind: string | null }
  | { readonly cause: "nothing-shared" };

/** Holds verdicts of several machines against each other, by suite, axis and values; names play no part. */
export function acrossMachines(runs: readonly MachineRun[]): AcrossMachines | NothingAcross {
  const suites = [...new Set(runs.map(({ run }) => run.plan.suite.name))];
  if (suites.length > 1) return { cause: "other-suites", suites };
  if (new Set(runs.map(({ run }) => appsIdentity(run))).size > 1) {
    return { cause: "other-sources", suite: suites[0]! };
  }
  const machines = machinesOf(runs);
  const kinds = [...new Set(machines.map(({ kind }) => kind))];
  if (kinds.length < 2) return { cause: "one-kind", kind: kinds[0] ?? null };
  const keyOf = pointKeyOver(runs);
  const made = runs.flatMap((one) => {
    const machine = machines.findIndex((each) => each.key === machineKey(one));
    return comparisonsOf(one, keyOf).map((comparison) => ({ ...comparison, machine }));
  });
  const common = [...Map.groupBy(made, ({ key }) => key).values()].filter((same) =>
    new Set(same.map(({ machine }) => machines[machine]!.kind)).size > 1
  );
  if (common.length === 0) return { cause: "nothing-shared" };
  const all = common.map((same) =>
    acrossOf(
      same[0]!,
      machines.map((_, n) => {
        const judged = same.filter(({ machine }) => machine === n).map(({ seen }) => seen);
        return judged.length === 0 ? null : combinedOf(judged);
      }),
    )
  );
  const decided = all.filter(({ same }) => same > 0);
  return {
    machines: machines.map(({ key: _, ...machine }) => machine),
    comparisons: decided.toSorted((a, b) =>
      ORDER.indexOf(a.outcome) - ORDER.indexOf(b.outcome) || greatestMove(b.moves) - greatestMove(a.moves)
    ),
    sentence: sentenceOf(decided, machines.length, all.length - decided.length) +
      (new Set(runs.map(({ run }) => suiteIdentity(run))).size > 1 ? OTHER_STATES : ""),
  };
}

/** Said of runs whose apps have the same names and requests, in folders that changed between them. */
const OTHER_STATES = " The folders of their programs changed between the runs, so a difference may be of these.";

/** Returns what runs of one machine say together: the mean of their ratios; open if none decided it or they contradict each other. */
function combinedOf(judged: readonly SaidComparison[]): SaidComparison {
  const decided = judged.flatMap(({ verdict, ratio }) =>
    ratio !== null && isDecided({ verdict }) ? [{ verdict, ratio }] : []
  );
  const [first] = decided;
  if (first === undefined || decided.some(({ verdict }) => verdict !== first.verdict)) {
    return NOT_COMPARED;
  }
  return { verdict: first.verdict, ratio: geometricMean(decided.map(({ ratio }) => ratio)) };
}

/** Failed comparisons come first. */
const ORDER: readonly ComparisonAcross["outcome"][] = ["turns", "differs", "open", "holds"];

/** Returns the greatest ratio over the least; 1 without two. */
export function greatestMove(moves: ComparisonAcross["moves"]): number {
  return moves === null ? 1 : moves.greatest / moves.least;
}

/** A machine is a kind and model of CPU, with its load generator's where that is another: rates are of both. */
const machineKey = ({ run: { machine, hosts } }: MachineRun): string =>
  JSON.stringify([machine, hosts?.load_machine].map((cpu) => cpu && [cpu.cpu_kind, cpu.cpu_model]));

/** Machines with names that all differ: `amd-25-1`, `amd-25-1 loaded from intel-6-85`; with models where kinds are equal. */
function machinesOf(runs: readonly MachineRun[]): (ComparedMachine & { readonly key: string })[] {
  const nameOf = ({ run: { machine, hosts } }: MachineRun, text: (cpu: Cpu) => string) =>
    hosts?.load_machine === undefined ? text(machine) : `${text(machine)} loaded from ${text(hosts.load_machine)}`;
  const machines = [...Map.groupBy(runs, machineKey)].map(([key, same]) => ({ key, same, first: same[0]! }));
  const short = machines.map(({ first }) => nameOf(first, ({ cpu_kind }) => cpu_kind));
  return machines.map(({ key, same, first }, n) => {
    const { machine: { cpu_kind: kind, cpu_model }, hosts } = first.run;
    const isOnly = short.filter((name) => name === short[n]).length === 1;
    return {
      key,
      name: isOnly ? short[n]! : nameOf(first, ({ cpu_kind, cpu_model }) => `${cpu_kind} ${cpu_model}`),
      kind,
      model: hosts?.load_machine === undefined ? cpu_model : `${cpu_model}, load from ${hosts.load_machine.cpu_model}`,
      runs: same.map(({ run }) => run.run),
    };
  });
}

interface Made {
  readonly key: string;
  readonly axis: PlanAxis;
  readonly axes: readonly PlanAxis[];
  readonly points: readonly [Cell["point"], Cell["point"]];
  readonly seen: SaidComparison;
}

/** The comparisons of a run's cells that differ in one axis alone, each once: under the label `main` where there are several. */
function comparisonsOf({ run, summary }: MachineRun, keyOf: PointKey): Made[] {
  const cellOf = new Map(summary.cells.map(({ name, cell }) => [name, cell]));
  const found = new Map<string, Made & { label: string }>();
  for (const comparison of summary.families.flatMap(({ comparisons }) => comparisons)) {
    const [a, b] = [cellOf.get(comparison.over), cellOf.get(comparison.under)];
    if (a === undefined || b === undefined || a.label !== b.label || a.label === AA) continue;
    const differing = run.plan.axes.filter(({ name }) => a.point.at[name] !== b.point.at[name]);
    if (differing.length !== 1) continue;
    const isFirst = keyOf(a.point) <= keyOf(b.point);
    const { verdict, ratio } = comparisonOver(isFirst ? comparison.over : comparison.under, comparison);
    const points = isFirst ? [a.point, b.point] as const : [b.point, a.point] as const;
    const key = JSON.stringify(points.map(keyOf));
    const known = found.get(key);
    if (known !== undefined && (known.label === MAIN || a.label !== MAIN)) continue;
    const [axis] = differing as [PlanAxis];
    found.set(key, { key, axis, axes: run.plan.axes, points, seen: { verdict, ratio }, label: a.label });
  }
  return [...found.values()];
}

/** Combines one comparison over machines. The value that wins on most of them stands over the other. */
function acrossOf(
  { axis, axes, points }: Omit<Made, "seen">,
  seen: readonly (SaidComparison | null)[],
): ComparisonAcross {
  const count = (verdict: SaidComparison["verdict"]) => seen.filter((each) => each?.verdict === verdict).length;
  const [faster, slower] = [count("faster"), count("slower")];
  const first = seen.find((each) => each?.verdict === "faster" || each?.verdict === "slower");
  // Without a winner the values stand as the plan has them.
  const isFirst = faster !== slower
    ? faster > slower
    : first === undefined || first === null
    ? placeOnAxis(axis, points[0].at) <= placeOnAxis(axis, points[1].at)
    : first.verdict === "faster";
  const [over, under] = isFirst ? points : [points[1], points[0]];
  const found = seen.map((each) =>
    each === null ? null : isFirst ? each : {
      verdict: inverseVerdict(each.verdict),
      ratio: each.ratio === null ? null : 1 / each.ratio,
    }
  );
  const ratios = found.flatMap((each) => each !== null && isDecided(each) ? each.ratio ?? [] : []);
  const made = found.filter((each) => each !== null).length;
  const same = Math.max(faster, slower, count("equivalent"));
  return {
    axis: axis.title,
    over: textOf(axis, over.at),
    under: textOf(axis, under.at),
    at: placeText(shownAxes(axes).filter((each) => each !== axis), over.at),
    seen: found,
    outcome: faster > 0 && slower > 0 ? "turns" : same < ratios.length ? "differs" : same < made ? "open" : "holds",
    same,
    made,
    moves: ratios.length < 2 ? null : { least: Math.min(...ratios), greatest: Math.max(...ratios) },
  };
}

function sentenceOf(decided: readonly ComparisonAcross[], machines: number, undecided: number): string {
  const compared = counted(undecided, "comparison");
  if (decided.length === 0) return `No machine decided any of ${compared} that several made.`;
  const count = (outcome: ComparisonAcross["outcome"]) => decided.filter((each) => each.outcome === outcome).length;
  const [turns, differs, open, holds] = ORDER.map(count) as [number, number, number, number];
  const everywhere = decided.every(({ made }) => made === machines)
    ? machines === 2 ? "both machines" : `all ${counted(machines, "machine")}`
    : "all machines that made them";
  const most = Math.max(...decided.map(({ moves }) => greatestMove(moves)));
  const parts = [
    `${holds} of ${counted(decided.length, "verdict")} ${holds === 1 ? "holds" : "hold"} on ${everywhere}`,
    turns === 0 ? "" : `in ${turns} another value wins`,
    differs === 0 ? "" : `${differs} ${differs === 1 ? "is" : "are"} faster on one and equivalent on another`,
    open === 0 ? "" : `${open} ${open === 1 ? "is" : "are"} open on one or more`,
    undecided === 0 ? "" : `${compared} ${undecided === 1 ? "is" : "are"} open on all`,
    decided.every(({ moves }) => moves === null)
      ? "no ratio was decided on two of them"
      : `ratios move by up to ${formatRatio(most)} ×`,
  ];
  return `${parts.filter((text) => text !== "").join("; ")}.`;
}
