import type { At, ExpectedMetric } from "../../suites/suite.ts";
import {
  AA,
  atWithout,
  cellKey,
  cellName,
  hasValues,
  MAIN,
  placeText,
  pointKey,
  shownAxes,
  textOf,
} from "../record/cell.ts";
import type { Cell } from "../record/cell-schema.ts";
import type { Plan, PlanExpectation, PlanSubject } from "../record/plan.ts";
import { ratioInterval } from "../statistics/estimate.ts";
import { lossText } from "../statistics/lacks.ts";
import { estimateScaling, type ScalePoint, scalingCheck, spansEnough } from "../statistics/scaling.ts";
import type { Subject } from "../record/card.ts";
import { isUnsupported, unsupportedCells } from "./cell-card.ts";
import { rateOf, type Solo } from "../judge/lines.ts";
import type { MeasuredCell } from "./measured-cells.ts";
import { openText, ratioByRounds, ratioEvidence } from "./ratio-evidence.ts";
import type { Summary } from "../record/summary.ts";

const LEVEL = 0.95;

type Of<K extends PlanExpectation["kind"]> = Extract<PlanExpectation, { kind: K }>;

function expected<K extends PlanExpectation["kind"]>({ expectations }: PlanSubject, kind: K): Of<K>[] {
  return expectations.filter((one): one is Of<K> => one.kind === kind);
}

/** `iron, 10k items`: the values that cells share, for people; the label only if it is not the main one. */
export function titleOf({ axes, suite }: PlanSubject, at: At, label: string): string {
  const place = placeText(shownAxes(axes), at) || suite.title;
  return label === MAIN ? place : `${place} @${label}`;
}

function linesAlong<T extends { readonly cell: Cell }>(items: readonly T[], axis: string): T[][] {
  const key = ({ cell: { point, label } }: T) =>
    JSON.stringify([pointKey({ ...point, at: atWithout(point.at, axis) }), label]);
  return [...Map.groupBy(items.filter(({ cell }) => cell.label !== AA), key).values()];
}

/** Returns the growth of rates along axes with a promised law, one for each line of points that is long enough. */
export function scalingOf(plan: Plan, cells: readonly MeasuredCell[]): Summary["scaling"] {
  return expected(plan, "scaling").flatMap(({ axis, at, ...rule }) => {
    const valueOf = ({ cell }: MeasuredCell) => Number(cell.point.at[axis]);
    const ofValues = cells.filter(({ cell, planned, card }) =>
      planned && hasValues(cell.point.at, at) && (card === null || !isUnsupported(card))
    );
    return linesAlong(ofValues, axis).filter((line) => spansEnough(line.map(valueOf))).map((line) => {
      const points = line.flatMap((measured) =>
        measured.solo.map((one) => ({ round: one.round, value: valueOf(measured), rps: rateOf(one) }))
      );
      const rounds = [...Map.groupBy(points, ({ round }) => round).values()] satisfies ScalePoint[][];
      const estimate = estimateScaling(rounds, LEVEL);
      const check = scalingCheck(rule, estimate);
      const { point, label } = line[0]!.cell;
      const shared = atWithout(point.at, axis);
      return {
        axis,
        name: titleOf(plan, shared, label),
        at: shared,
        label,
        law: rule.law,
        exponent: estimate.kind === "estimated" ? estimate.exponent : null,
        interval: estimate.kind === "estimated" ? { ...estimate.interval } : null,
        check: check.kind,
        reason: check.kind === "unknown" ? lossText(check.lack) : null,
      };
    });
  });
}

/** Checks ratios and scaling against the suite's expectations. `bench self` checks those of the generator. */
export function checksOf(
  plan: Plan,
  cells: readonly Pick<MeasuredCell, "card" | "solo">[],
  scaling: Summary["scaling"],
): Summary["checks"] {
  return [
    ...expected(plan, "ratio").flatMap((ratio) => ratioChecks(plan, ratio, cells)),
    ...scaling.map((entry) => {
      const { axis, name, law, exponent, interval, check, reason } = entry;
      const title = plan.axes.find((one) => one.name === axis)?.title ?? axis;
      return {
        name: `${name}: ${law} along ${title}`,
        holds: check === "fits" ? "yes" as const : check === "does-not-fit" ? "no" as const : "unknown" as const,
        seen: exponent === null || interval === null
          ? reason ?? "no estimate"
          : `req/s ~ n^${exponent.toFixed(3)} [${interval.low.toFixed(3)}, ${interval.high.toFixed(3)}]`,
        expected: check === "unknown" && exponent !== null ? reason ?? law : law,
      };
    }),
  ];
}

function ratioChecks(
  plan: Plan,
  expectation: Of<"ratio">,
  cells: readonly Pick<MeasuredCell, "card" | "solo">[],
): Summary["checks"] {
  const { name, over, under, metric, least, most, published, why } = expectation;
  const cards = cells.flatMap(({ card }) => card ?? []);
  const solos = new Map(cells.map(({ card, solo }) => [card, solo]));
  const named = [...Object.keys(over), ...Object.keys(under)];
  const measured = cards.filter(({ cell, [metric]: value }) => cell.label !== AA && value !== null && value > 0);
  const shared = ({ cell: { point, label } }: Subject) =>
    JSON.stringify([pointKey({ ...point, at: atWithout(point.at, ...named) }), label]);
  const unders = Map.groupBy(measured.filter(({ cell }) => hasValues(cell.point.at, under)), shared);
  const bounds = boundsText(least, most);
  return measured.filter(({ cell }) => hasValues(cell.point.at, over)).flatMap((a) =>
    (unders.get(shared(a)) ?? []).filter((b) => b !== a).map((b) => {
      const ratio = a[metric]! / b[metric]!;
      // If only one side names an axis, the other side's value there follows the place.
      const place = {
        ...atWithout(b.cell.point.at, ...Object.keys(under)),
        ...atWithout(a.cell.point.at, ...Object.keys(over)),
      };
      const inside = ratio >= (least ?? 0) && ratio <= (most ?? Infinity);
      const evidence = bounds === null || inside
        ? null
        : ratioEvidence(solos.get(a)!, solos.get(b)!, metric, { least, most });
      return {
        name: `${name}: ${titleOf(plan, place, a.cell.label)}`,
        holds: bounds !== null && inside
          ? "yes" as const
          : evidence?.kind === "outside"
          ? "no" as const
          : "unknown" as const,
        seen: `${placeText(plan.axes, over)} over ${placeText(plan.axes, under)}: ${ratio.toFixed(2)}${
          METRIC_TEXT[metric]
        }${evidence?.kind === "open" ? ` (${openText(evidence.compared)})` : ""}`,
        expected: `${bounds ?? "shown only"}${
          published === undefined ? "" : `, published ${published.toFixed(2)}`
        }; ${why}`,
      };
    })
  );
}

/** The unit of a ratio's figures, if it is not requests per second. */
const METRIC_TEXT: Readonly<Record<ExpectedMetric, string>> = {
  requests_per_second: "",
  rows_per_second: " in rows/s",
  cpu_ns_per_request: " in CPU time a request",
};

function boundsText(least: number | undefined, most: number | undefined): string | null {
  if (least === undefined) return most === undefined ? null : `at most ${most}`;
  return most === undefined ? `at least ${least}` : `${least} to ${most}`;
}

/** Tables of the cost or gain of each step, one for each place at which the steps were planned. */
export function stepsOf(
  plan: Plan,
  measured: readonly Pick<MeasuredCell, "card" | "solo" | "key">[],
): Summary["steps"] {
  const cellOf = new Map(measured.map((one) => [one.key, one]));
  const cells = [...plan.cells.map((cell) => ({ cell })), ...unsupportedCells(plan)];
  return expected(plan, "steps").flatMap(({ name, axis: stepped, values, at = {}, metric, why }) => {
    const axis = plan.axes.find((one) => one.name === stepped);
    if (axis === undefined) return [];
    const there = cells.filter(({ cell: { point } }) => hasValues(point.at, at) && values.includes(point.at[stepped]!));
    return linesAlong(there, stepped).filter(({ length }) => length > 1).map((line) => {
      const { point, label } = line[0]!.cell;
      const steps = values.flatMap((value) => line.find(({ cell }) => cell.point.at[stepped] === value) ?? [])
        .map(({ cell }) => {
          const { card = null, solo = [] } = cellOf.get(cellKey(cell)) ?? {};
          return { cell, solo, value: card?.status === "ok" ? card[metric] : null };
        });
      return {
        name,
        title: titleOf(plan, atWithout(point.at, stepped), label),
        metric,
        why,
        rows: steps.map((step, n) => {
          const previous = ratioOf(step, steps[n - 1], metric);
          const first = ratioOf(step, n === 0 ? undefined : steps[0], metric);
          return {
            cell: cellName(plan.axes, step.cell),
            text: textOf(axis, step.cell.point.at),
            value: step.value,
            over_previous: previous.ratio,
            over_first: first.ratio,
            ...(previous.interval === undefined ? {} : { over_previous_interval: previous.interval }),
            ...(first.interval === undefined ? {} : { over_first_interval: first.interval }),
          };
        }),
      };
    });
  });
}

interface Step {
  readonly value: number | null;
  readonly solo: readonly Solo[];
}

/** The ratio of a step to another: the mean of their rounds, or that of their values where rounds are too few. */
function ratioOf(
  { value, solo }: Step,
  other: Step | undefined,
  metric: ExpectedMetric,
): { readonly ratio: number | null; readonly interval?: [number, number] } {
  if (other === undefined || value === null || other.value === null || other.value === 0) return { ratio: null };
  const compared = ratioByRounds(solo, other.solo, metric);
  if (compared.kind === "unmeasured") return { ratio: value / other.value };
  const { low, high } = ratioInterval(compared.logRatio, LEVEL);
  return { ratio: compared.ratio, interval: [low, high] };
}
