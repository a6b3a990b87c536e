import { isJudged, type Judged, OPEN_WORD, shownInterval, VERDICTS } from "../../record/verdicts.ts";
import { counted, formatRatio, fromTo } from "../../basics/units.ts";
import { MOST_NAMED } from "../../basics/visible.ts";
import type { Quantiles } from "../../record/card.ts";
import { cellName, RATE, shownAxes } from "../../record/cell.ts";
import type { Cell, PlanAxis } from "../../record/cell-schema.ts";
import type { Comparison } from "../../record/comparison.ts";
import { comparisonOver } from "../../record/inverse.ts";
import { listed } from "../questions.ts";
import { msText } from "./wait-sentence.ts";
import { rowOf } from "../../record/mark.ts";

interface ComparedAt {
  readonly rate: string;
  readonly cells: readonly { readonly name: string; readonly cell: Cell; readonly due: Quantiles | null }[];
  readonly p50: readonly Comparison[];
  readonly p99: readonly Comparison[];
}

type Names = ReadonlyMap<string, string>;

/** Returns short names of cells, by the values in which they differ: `bun`. */
export function shortCellNames(axes: readonly PlanAxis[], compared: readonly ComparedAt[]): Names {
  const cells = compared.flatMap((at) => at.cells);
  const shown = shownAxes(axes).filter(({ name }) => name !== RATE);
  const differing = shown.filter(({ name }) => new Set(cells.map(({ cell }) => cell.point.at[name])).size > 1);
  return new Map(cells.map(({ name, cell }) => [name, cellName(differing.length > 0 ? differing : shown, cell)]));
}

/** Returns the waits at a rate and their verdicts: `At 34.6k/s: p99 bun 1.9 ms, node 2.2 ms, not told apart; …`. */
export function rateSentence(at: ComparedAt, names: Names): string {
  const of = (quantile: "p50" | "p99") => {
    const us = ({ due }: ComparedAt["cells"][number]) => due?.[quantile]?.us ?? Infinity;
    const waits = at.cells.toSorted((a, b) => us(a) - us(b))
      .map((one) => `${names.get(one.name)} ${us(one) === Infinity ? "unknown" : msText(us(one))}`);
    return { waits: `${quantile} ${waits.join(", ")}`, verdicts: verdictsText(at[quantile], names) };
  };
  const [p99, p50] = [of("p99"), of("p50")];
  // A reason against both is given once.
  const first = p99.verdicts === p50.verdicts && at.p99.every((one) => !isJudged(one))
    ? p99.waits
    : `${p99.waits}, ${p99.verdicts}`;
  return `At ${at.rate}: ${first}; ${p50.waits}, ${p50.verdicts}.`;
}

function verdictsText(comparisons: readonly Comparison[], names: Names): string {
  const texts = comparisons.toSorted((a, b) => Number(b.verdict === "faster") - Number(a.verdict === "faster"))
    .map((one) => {
      const [over, under] = [names.get(one.over), names.get(one.under)];
      if (one.verdict !== "faster") {
        return comparisons.length > 1 ? `${over} and ${under} ${openText(one, names)}` : openText(one, names);
      }
      const { ratio } = one, { low, high } = shownInterval(one as Judged);
      return `${under} ${formatRatio(ratio)} × ${over} [${formatRatio(low)}–${formatRatio(high)}]`;
    });
  return namedText(texts).join(", ");
}

const namedText = (texts: readonly string[]): string[] =>
  texts.length <= MOST_NAMED
    ? [...texts]
    : [...texts.slice(0, MOST_NAMED), `${counted(texts.length - MOST_NAMED, "more pair")}`];

function openText(one: Comparison, names: Names): string {
  const { word } = VERDICTS[one.verdict];
  if (isJudged(one)) return word;
  const { code, cell = "", text } = one.marks[0]!;
  if (rowOf({ code }).helps === "generator") return `void: the generator was late for ${names.get(cell)}`;
  if (rowOf({ code }).contradicts) return `void: rates of ${names.get(cell)} contradict each other`;
  return `${word}: ${text}`;
}

/** Returns who waits less by p99, for each pair, with every other rate; pairs with a winner come first. */
export function winnerSentences(compared: readonly ComparedAt[], names: Names): string[] {
  const seen = compared.flatMap(({ rate, p99 }) => p99.map((one) => ({ rate, one })));
  const pairs = Map.groupBy(
    seen,
    ({ one }) => JSON.stringify([one.over, one.under].map((name) => names.get(name)).sort()),
  );
  const sentences = [...pairs].map(([key, at]) => pairSentence(JSON.parse(key), at, names));
  return namedText(sentences.toSorted((a, b) => Number(b.wins) - Number(a.wins)).map(({ text }) => text));
}

function pairSentence(
  [first, second]: readonly [string, string],
  at: readonly { readonly rate: string; readonly one: Comparison }[],
  names: Names,
): { readonly wins: boolean; readonly text: string } {
  const kinds = Map.groupBy(
    at.map(({ rate, one }) => ({ rate, one: names.get(one.over) === first ? one : comparisonOver(one.under, one) })),
    ({ one }) => !isJudged(one) ? `${one.marks[0]!.code} ${names.get(one.marks[0]!.cell ?? "")}` : one.verdict,
  );
  const ratesOf = (kind: string) => {
    const rates = kinds.get(kind)!.map(({ rate }) => rate);
    return rates.length > 1 && rates.length === at.length ? `all ${rates.length} rates` : listed(rates);
  };
  const textOf = (kind: string, word: string) => {
    if (kind !== "faster" && kind !== "slower") {
      return `${openText(kinds.get(kind)![0]!.one, names)} at ${ratesOf(kind)}`;
    }
    const [less, more] = kind === "faster" ? [first, second] : [second, first];
    const ratios = kinds.get(kind)!.map(({ one }) => Math.max(one.ratio!, 1 / one.ratio!)).toSorted((a, b) => a - b);
    const times = fromTo(formatRatio(ratios[0]!), formatRatio(ratios.at(-1)!));
    return `${less} ${word === "" ? "less" : `${word} ${more}`} at ${ratesOf(kind)} (p99 of ${more} ${times} ×)`;
  };
  const compared = at.filter(({ one }) => isJudged(one)).length;
  const winner = ["faster", "slower"].find((kind) => 2 * (kinds.get(kind)?.length ?? 0) > compared);
  const rest = [...kinds.keys()].filter((kind) => kind !== winner).map((kind) => textOf(kind, ""));
  if (winner !== undefined) return { wins: true, text: [textOf(winner, "waits less than"), ...rest].join(", ") };
  const open = kinds.has("faster") || kinds.has("slower") ? `${OPEN_WORD}: ` : "";
  return { wins: false, text: `${first} and ${second}: ${open}${rest.join(", ")}` };
}
