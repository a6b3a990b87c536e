import { inWords } from "../record/in-words.ts";
import { fasterFirst } from "../record/inverse.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { isDecided, isJudged, type Judged, shownInterval, signLegend, VERDICTS } from "../record/verdicts.ts";
import { fromTo, shortRatio } from "../basics/units.ts";
import { slowestOf } from "../result/picks.ts";
import { calmFirst, type Place, type Question, questionsOf } from "../result/questions.ts";
import { aligned, printable, widthOf } from "./align.ts";
import type { TitledTable } from "./table.ts";

/** The verdicts of one question: a row a place, a column a value, ratios to its slowest value. */
export interface PlaceTable extends TitledTable {
  /** The question's title. */
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

/**
 * The verdicts of a question as a table of ratios. Rows are places, so that each has its own 1; where that is too wide
 * rows are values, and the title says that columns cannot be compared.
 *
 * @param whole with intervals
 */
export function placeTable({ run, summary }: Input, question: Question, columns: number, whole: boolean): PlaceTable {
  const { title, values, kind, axis } = question;
  const places = calmFirst(question.places).filter(({ comparisons }) => comparisons.length > 0);
  const slowest = slowestOf(question);
  const isElse = places.some(({ values }) => !values.includes(slowest));
  const others = [slowest, ...values.filter((value) => value !== slowest)];
  const field = (place: Place, value: string) => cellText(place, value, slowest, whole);
  const byPlace = {
    heads: ["", ...others],
    rows: places.map((place) => [place.name, ...others.map((value) => field(place, value))]),
  };
  const byValue = {
    heads: ["", ...places.map(({ name }) => name)],
    rows: others.map((value) => [value, ...places.map((place) => field(place, value))]),
  };
  const byPair = {
    heads: ["", title.toLowerCase(), `${slowest} = 1`],
    rows: places.flatMap((place) =>
      place.values.slice(place.values.includes(slowest) ? 0 : 1).filter((value) => value !== slowest)
        .map((value) => [place.name, value, field(place, value)])
    ),
  };
  const fits = ({ heads, rows }: typeof byPlace) =>
    aligned([heads, ...rows].map((row) => row.map(printable)), () => true).every((line) =>
      widthOf(line) + 2 <= columns
    );
  const layout = [byPlace, byValue, byPair].find(fits) ?? byPair;
  const level = summary.questions.find((one) => one.kind === kind && one.axis === axis)?.level ?? null;
  const apart = places.length < 2 || layout === byPair ? "" : ` in each ${layout === byValue ? "column" : "row"}`;
  return {
    of: title,
    title: inWords(run.plan, `${unitOf(question)}, ${slowest}${isElse ? " (else the first)" : ""} = 1${apart}`),
    remark: [legendOf(question, slowest), ...(whole ? [evidenceOf(question, level)] : [])]
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
  const bound = bounded === undefined ? "" : bounded === "over" ? "≥ " : "≤ ";
  const text = core === undefined
    ? `${bound}${shortRatio(ratio)}`
    : `${shortRatio(core.slow.ratio)}–${shortRatio(core.fast.ratio)}`;
  return `${text}${whole ? ` [${shortRatio(low)}–${shortRatio(high)}]` : ""}${sign === "" ? "" : ` ${sign}`}`;
}

const judgedOf = ({ places }: Question): Judged[] =>
  places.flatMap(({ comparisons }) => comparisons.map(({ comparison }) => fasterFirst(comparison)).filter(isJudged));

/** The unit of the ratios: requests for the same CPU time, or by the clock. */
function unitOf(question: Question): string {
  const bases = new Set(judgedOf(question).map(({ basis }) => basis));
  return bases.has("together")
    ? bases.has("solo") ? "Requests per CPU second (or per second, alone)" : "Requests per CPU second"
    : "Requests per second";
}

/** The signs in a table. */
function legendOf({ places }: Question, slowest: string): string {
  const shown = places.flatMap(({ comparisons }) => comparisons)
    .filter(({ over, under }) => over === slowest || under === slowest).map(({ comparison }) => comparison);
  return [
    signLegend(shown.map(({ verdict }) => verdict)),
    ...(shown.some((one) => isJudged(one) && one.core !== undefined) ? ["a–b from a slow core to a fast one"] : []),
  ].filter((text) => text !== "").join(", ");
}

/** `14 rounds, intervals of 95 % together, with what the run differs from itself by`. */
function evidenceOf(question: Question, level: number | null): string {
  const rounds = judgedOf(question).map((one) => one.rounds);
  const [least, most] = [Math.min(...rounds), Math.max(...rounds)];
  const made = `${fromTo(String(least), String(most))} ${most === 1 ? "round" : "rounds"}`;
  return `${made}${level === null ? "" : `, intervals that all hold with ${Number((100 * level).toPrecision(3))} %`}`;
}
