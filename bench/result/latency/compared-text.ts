/** Cells at the same rates in words. It takes no library, because the page runs it too. */
import { counted, formatRatio, percent, withoutStop } from "../../basics/units.ts";
import { everyTwo } from "../../plan/families.ts";
import type { Quantiles } from "../../record/card.ts";
import { atRateOf, CLOSED, placeText, pointKey, RATE, shownAxes, textOf } from "../../record/cell.ts";
import type { Cell, PlanAxis } from "../../record/cell-schema.ts";
import type { Comparison } from "../../record/comparison.ts";
import { comparisonOf } from "../../record/inverse.ts";
import type { Value } from "../../../suites/suite.ts";
import { thresholds } from "../../statistics/thresholds.ts";
import { listed } from "../questions.ts";
import { dueText, msText } from "./wait-sentence.ts";

/** Cells compared at one rate. */
export interface ComparedAt {
  readonly rate: Value;
  /** Requests per second that were due; null without a window. */
  readonly perSecond: number | null;
  readonly cells: readonly { readonly name: string; readonly cell: Cell; readonly due: Quantiles | null }[];
  readonly p50: readonly Comparison[];
  readonly p99: readonly Comparison[];
}

/** Returns a sentence for a rate: the waits of its cells, and which are told apart by how much. */
export function rateSentences(axes: readonly PlanAxis[], one: ComparedAt, all: readonly ComparedAt[]): string[] {
  const names = shortNames(axes, one);
  const under = conditionText(axes, one, all);
  const of = (quantile: "p50" | "p99") => {
    const known = one.cells.toSorted((a, b) =>
      (a.due?.[quantile]?.us ?? Infinity) - (b.due?.[quantile]?.us ?? Infinity)
    )
      .map(({ name, due }) => `${names.get(name)} ${due?.[quantile] ? msText(due[quantile].us) : "unknown"}`);
    const verdicts = verdictsText(one[quantile], names);
    return `${quantile} ${known.join(", ")}${one[quantile].length > 1 ? ` (${verdicts})` : `, ${verdicts}`}`;
  };
  return [`At ${rateText(one)}${under}: ${of("p99")}; ${of("p50")}.`];
}

/** `node 1.31 × bun [1.2–1.5]`, `not told apart`, `no verdict: …`; of several pairs those told apart, and how many are not. */
function verdictsText(comparisons: readonly Comparison[], names: ReadonlyMap<string, string>): string {
  const decided = comparisons.flatMap((one) => one.verdict === "faster" ? [timesText(one, names)] : []);
  const kinds = Map.groupBy(comparisons.filter(({ verdict }) => verdict !== "faster"), (each) => openText(each, names));
  const single = comparisons.length === 1;
  const open = [...kinds].map(([text, same]) => {
    if (single) return text;
    const pairs = same.map(({ over, under }) => `${names.get(over)} and ${names.get(under)}`);
    return `${pairs.length > 3 ? counted(pairs.length, "pair") : pairs.join(", ")} ${text}`;
  });
  return [...decided, ...open].join("; ");
}

function openText(one: Comparison, names: ReadonlyMap<string, string>): string {
  if (one.verdict === "equivalent") return `equal within ${percent(thresholds.equivalence.value, 0)}`;
  if (one.verdict !== "no-verdict") return "not told apart";
  const { code, cell = "", text } = one.marks[0]!;
  const name = names.get(cell) ?? cell;
  if (code === "generator-late") return `void: the generator was late for ${name}`;
  if (code === "rates-contradict") return `void: rates of ${name} contradict each other`;
  return `no verdict: ${withoutStop(text)}`;
}

/** The wait of the slower one over that of the other. */
const timesText = ({ over, under, ratio, interval }: Comparison, names: ReadonlyMap<string, string>) =>
  `${names.get(under)} ${formatRatio(ratio!)} × ${names.get(over)} [${formatRatio(interval!.low)}–${
    formatRatio(interval!.high)
  }]`;

/**
 * Returns who waits less by p99, for each two cells of an ensemble: named only where it does at more than half of the rates
 * at which both are compared, with every other rate; else that neither does.
 */
export function winnerSentences(axes: readonly PlanAxis[], all: readonly ComparedAt[]): string[] {
  const ensembles = Map.groupBy(all, ({ cells }) => pointKey(atRateOf(cells[0]!.cell, CLOSED).point));
  const said = [...ensembles.values()].flatMap((rates) => {
    const [{ cells, p99 }] = rates as [ComparedAt];
    const under = conditionText(axes, rates[0]!, all);
    return everyTwo([...cells.keys()]).filter(([a, b]) =>
      comparisonOf(cells[a]!.name, cells[b]!.name, p99) !== undefined
    )
      .map(([a, b]) => pairSentence(axes, rates, a, b)).map(({ wins, text }) => ({ wins, text: text + under }));
  });
  const [won, open] = [true, false].map((wanted) => said.filter(({ wins }) => wins === wanted)) as [Said[], Said[]];
  const named = [...won, ...open].slice(0, MOST_NAMED).map(({ text }) => text);
  const more = said.length - named.length;
  return more === 0
    ? named
    : [...named, `${counted(more, "more pair")}, ${Math.max(0, won.length - MOST_NAMED)} of them decided`];
}

/** Up to so many pairs are named one by one. */
const MOST_NAMED = 3;

/** A sentence on a pair; `wins` is true if it names a winner. */
interface Said {
  readonly wins: boolean;
  readonly text: string;
}

function pairSentence(axes: readonly PlanAxis[], rates: readonly ComparedAt[], a: number, b: number): Said {
  const [first, second] = [a, b].map((n) => shortNames(axes, rates[0]!).get(rates[0]!.cells[n]!.name)!) as [
    string,
    string,
  ];
  const seen = rates.map((at) => ({ at, one: comparisonOf(at.cells[a]!.name, at.cells[b]!.name, at.p99)! }));
  const compared = seen.filter(({ one }) => one.verdict !== "no-verdict");
  const withWord = (verdict: Comparison["verdict"]) => seen.filter(({ one }) => one.verdict === verdict);
  const [wins, losses] = [withWord("faster"), withWord("slower")];
  const whyOpen = ({ at, one }: typeof seen[number]) => openText(one, shortNames(axes, at));
  const at = (some: typeof seen) => listed(some.map((each) => rateText(each.at)));
  const ratio = (some: typeof seen) => {
    const ratios = some.map(({ one }) => Math.max(one.ratio!, 1 / one.ratio!)).toSorted((x, y) => x - y);
    const [least, most] = [formatRatio(ratios[0]!), formatRatio(ratios.at(-1)!)];
    return least === most ? least : `${least} to ${most}`;
  };
  const lessText = (some: typeof seen, less: string, more: string) =>
    some.length === 0 ? [] : [`${less} less at ${at(some)} (p99 of ${more} ${ratio(some)} ×)`];
  const rest = (...skipped: Comparison["verdict"][]) =>
    [
      ...(["equivalent", "not-separable"] as const).flatMap((verdict) =>
        withWord(verdict).length === 0
          ? []
          : [`${verdict === "equivalent" ? "equal" : "not told apart"} at ${at(withWord(verdict))}`]
      ),
      ...(skipped.includes("slower") ? [] : lessText(losses, second, first)),
      ...(skipped.includes("faster") ? [] : lessText(wins, first, second)),
      ...withWord("no-verdict").map((each) => `${whyOpen(each)} at ${rateText(each.at)}`),
    ].map((text) => `, ${text}`).join("");
  const won = (rows: typeof seen, less: string, more: string, skipped: "faster" | "slower") =>
    `${less} waits less than ${more} at ${
      rows.length === rates.length
        ? (rates.length === 1 ? rateText(rows[0]!.at) : `all ${rates.length} rates`)
        : at(rows)
    } (p99 of ${more} ${ratio(rows)} ×)${rest(skipped)}`;
  if (2 * wins.length > compared.length) return { wins: true, text: won(wins, first, second, "faster") };
  if (2 * losses.length > compared.length) return { wins: true, text: won(losses, second, first, "slower") };
  const text = compared.length === 0
    ? `${first} and ${second} are not compared, ${whyOpen(seen[0]!)}`
    : wins.length + losses.length === 0
    ? `no difference between ${first} and ${second}${rest().replace(/^,/, ":")}`
    : `neither ${first} nor ${second} waits less at most rates${rest().replace(/^,/, ":")}`;
  return { wins: false, text };
}

const rateText = ({ perSecond, rate }: ComparedAt): string => perSecond === null ? String(rate) : dueText(perSecond);

/** True if the cells of an ensemble differ on an axis. */
const differ = ({ cells }: ComparedAt, { name }: PlanAxis) =>
  new Set(cells.map(({ cell }) => cell.point.at[name])).size > 1;

/** Names of cells by what they differ in: `bun`. */
function shortNames(axes: readonly PlanAxis[], one: ComparedAt): ReadonlyMap<string, string> {
  const differing = shownAxes(axes).filter((axis) => differ(one, axis));
  const labels = new Set(one.cells.map(({ cell }) => cell.label)).size > 1;
  return new Map(one.cells.map(({ name, cell }) => [
    name,
    [...differing.map((axis) => textOf(axis, cell.point.at)), ...(labels ? [cell.label] : [])].join("/"),
  ]));
}

/** The conditions of an ensemble, where others have other ones. */
function conditionText(axes: readonly PlanAxis[], one: ComparedAt, all: readonly ComparedAt[]): string {
  const named = shownAxes(axes).filter((axis) =>
    axis.name !== RATE && new Set(all.map(({ cells }) => textOf(axis, cells[0]!.cell.point.at))).size > 1 &&
    !differ(one, axis)
  );
  return named.length === 0 ? "" : ` with ${placeText(named, one.cells[0]!.cell.point.at)}`;
}
