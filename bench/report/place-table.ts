import { inWords } from "../record/in-words.ts";
import { fasterFirst } from "../record/inverse.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { isDecided, isJudged, type Judged, shownInterval, signLegend, VERDICTS } from "../record/verdicts.ts";
import { formatRatio, fromTo, twoDigits } from "../basics/units.ts";
import { picksOf, slowestOf } from "../result/picks.ts";
import { type Place, type Question, questionsOf, warnedLast } from "../result/questions.ts";
import { aligned, printable, widthOf } from "./align.ts";
import type { TitledTable } from "./table.ts";

/** The verdicts of one question: a row a place, a column a value, ratios to its slowest value. */
export interface PlaceTable extends TitledTable {
  readonly of: string;
}

type Input = {
  readonly run: Pick<RunRecord, "plan">;
  readonly summary: Pick<Summary, "families" | "cells" | "questions">;
};

/** The questions of a run of which anything was judged. */
export const judgedQuestions = ({ run: { plan }, summary }: Input): Question[] =>
  questionsOf(plan, summary.families, summary.cells)
    .filter(({ places }) =>
      places.some(({ comparisons }) => comparisons.some(({ comparison }) => isJudged(comparison)))
    );

/** The question with the largest share of its comparisons decided, the first of these; undefined without any. */
export function mostDecided(questions: readonly Question[]): Question | undefined {
  const shareOf = ({ places }: Question) => {
    const made = places.flatMap(({ comparisons }) => comparisons);
    return made.filter(({ comparison }) => isDecided(comparison)).length / made.length;
  };
  return questions.toSorted((a, b) => shareOf(b) - shareOf(a))[0];
}

/** A question's ratios, a row a place, or a row for each value where that is too wide; with intervals if `whole`. */
export function placeTable({ run, summary }: Input, question: Question, columns: number, whole: boolean): PlaceTable {
  const { title, values, kind, axis } = question;
  const places = warnedLast(question.places).filter(({ comparisons }) => comparisons.length > 0);
  const slowest = slowestOf(question);
  const isElse = places.some(({ values }) => !values.includes(slowest));
  const others = [slowest, ...values.filter((value) => value !== slowest)];
  const field = (place: Place, value: string) => cellText(place, value, slowest, whole);
  const rival = whole ? null : rivalOf(question, slowest);
  const bases = new Set(judgedOf(question).map(({ basis }) => basis));
  const isAlone = ({ comparisons }: Place) =>
    comparisons.every(({ comparison }) => !isJudged(comparison) || comparison.basis === "solo");
  const nameOf = (place: Place) => `${place.name}${bases.size > 1 && isAlone(place) ? " (alone)" : ""}`;
  const byPlace = {
    heads: ["", ...others, ...(rival === null ? [] : [`${rival.over}/${rival.under}`])],
    rows: places.map((place) => [
      nameOf(place),
      ...others.map((value) => field(place, value)),
      ...(rival === null ? [] : [
        [rival.over, rival.under].every((value) => place.values.includes(value))
          ? cellText(place, rival.over, rival.under, false)
          : "–",
      ]),
    ]),
  };
  const byPair = {
    heads: ["", title, `${slowest} = 1`],
    rows: places.flatMap((place) =>
      place.values.slice(place.values.includes(slowest) ? 0 : 1).filter((value) => value !== slowest)
        .map((value) => [place.name, value, field(place, value)])
    ),
  };
  const fits = ({ heads, rows }: typeof byPlace) =>
    aligned([heads, ...rows].map((row) => row.map(printable)), () => true).every((line) =>
      widthOf(line) + 2 <= columns
    );
  const layout = fits(byPlace) ? byPlace : byPair;
  const level = summary.questions.find((one) => one.kind === kind && one.axis === axis)?.level ?? null;
  const apart = layout === byPlace && places.length > 1 ? " in each row" : "";
  return {
    of: title,
    title: inWords(
      run.plan,
      `${whole ? `${title}: ` : ""}${unitOf(question)}, ${slowest} = 1${apart}${isElse ? ", else the first" : ""}`,
    ),
    remark: [
      legendOf(question, [slowest, ...(rival === null ? [] : [rival.under])]),
      ...(whole ? [evidenceOf(question, level)] : []),
    ]
      .filter((text) => text !== "").join("; "),
    ...layout,
    isText: (column) => column === 0,
  };
}

/** `1.7`; `1.4–1.5` where it moves with the core's speed; with its sign; a dash where it was not to be compared. */
function cellText(place: Place, value: string, slowest: string, whole: boolean): string {
  const one = place.values.includes(slowest) ? slowest : place.values[0];
  if (!place.values.includes(value)) return "–";
  if (value === one) return "1";
  const judged = place.over(value, one!);
  const { sign } = VERDICTS[judged.verdict];
  if (!isJudged(judged)) return sign;
  const { ratio, core, lower_bound: bounded } = judged;
  const { low, high } = shownInterval(judged);
  const format = whole ? formatRatio : twoDigits;
  const bound = bounded === undefined ? "" : bounded === "over" ? "≥ " : "≤ ";
  const text = core === undefined
    ? `${bound}${format(whole || bounded === undefined ? ratio : bounded === "over" ? low : high)}`
    : `${format(core.slow.ratio)}–${format(core.fast.ratio)}`;
  return `${text}${whole ? ` [${format(low)}–${format(high)}]` : ""}${sign === "" ? "" : ` ${sign}`}`;
}

const judgedOf = ({ places }: Question): Judged[] =>
  places.flatMap(({ comparisons }) => comparisons.map(({ comparison }) => fasterFirst(comparison)).filter(isJudged));

/** The unit of the ratios: requests for the same CPU time, or by the clock. */
function unitOf(question: Question): string {
  const bases = new Set(judgedOf(question).map(({ basis }) => basis));
  const alone = bases.has("solo") ? " (alone: per second)" : "";
  return bases.has("together") ? `Requests per CPU second${alone}` : "Requests per second";
}

/** Returns the pick and the value next to it, which no column holds against each other; null where one does. */
function rivalOf(question: Question, slowest: string): { readonly over: string; readonly under: string } | null {
  const [first, second] = picksOf(question);
  if (first === undefined) return null;
  const closeness = (value: string) =>
    question.places.reduce((sum, place) => {
      const { verdict, ratio } = place.over(first, value);
      return sum + (verdict === "faster" ? ratio ?? 1 : 1);
    }, 0);
  const [next] = second === undefined
    ? question.values.filter((value) =>
      value !== first && value !== slowest && !question.notes.has(value) &&
      2 * question.places.filter(({ values }) => values.includes(value)).length > question.places.length
    )
      .toSorted((a, b) => closeness(a) - closeness(b))
    : [second];
  return next === undefined || next === slowest || first === slowest ? null : { over: first, under: next };
}

function legendOf({ places }: Question, ones: readonly string[]): string {
  const shown = places.flatMap(({ comparisons }) => comparisons)
    .filter(({ over, under }) => ones.includes(over) || ones.includes(under)).map(({ comparison }) => comparison);
  return [
    signLegend(shown.map(({ verdict }) => verdict)),
    ...(shown.some((one) => isJudged(one) && one.core !== undefined) ? ["a–b from a slow core to a fast one"] : []),
  ].filter((text) => text !== "").join(", ");
}

function evidenceOf(question: Question, level: number | null): string {
  const rounds = judgedOf(question).map((one) => one.rounds);
  const [least, most] = [Math.min(...rounds), Math.max(...rounds)];
  const made = `${fromTo(String(least), String(most))} ${most === 1 ? "round" : "rounds"}`;
  return `${made}${level === null ? "" : `, intervals that all hold with ${Number((100 * level).toPrecision(3))} %`}`;
}
