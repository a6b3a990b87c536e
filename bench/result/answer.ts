import { isJudged } from "../record/verdicts.ts";
import { isLowerBound } from "../judge/bound.ts";
import { AA, factsOf, shownAxes, textOf } from "../record/cell.ts";
import type { WordedPlan } from "../record/in-words.ts";
import { mark, type MarkCode, MARKS, rowOf } from "../record/mark.ts";
import { isOfOthers, isOfServer } from "../judge/status.ts";
import { ALL_BOUNDS, BOUND, type Bound, type Mark } from "../record/outcome-schema.ts";
import type { Plan } from "../record/plan.ts";
import { thresholds } from "../statistics/thresholds.ts";
import { counted, withoutStop } from "../basics/units.ts";
import type { Answer, AnsweredQuestion } from "../record/answer-schema.ts";
import type { CellOutcome, Cost, Parts, Subject } from "../record/card.ts";
import { partsOf } from "./answer-parts.ts";
import { conditionsText, subjectText } from "./answer-scope.ts";
import { repeatLater, settleOf } from "./open-comparisons.ts";
import { memorySentence } from "./memory.ts";
import { listedOr, type Question, questionsOf } from "./questions.ts";
import type { Comparison } from "../record/comparison.ts";
import type { Summary } from "../record/summary.ts";
import { serviceLimit } from "./service-limit.ts";
import { serviceShares } from "./service-texts.ts";
import { comparisonsOf, isOfCells, verdictCounts, withheldBy } from "./verdict-counts.ts";

/** A cell as answers read it: its worth, its cost and its services. */
type AnswerCard = Subject & CellOutcome & Cost & Pick<Parts, "services">;

/** The input of an answer: a summary as far as it is made or shown, and the cards of its cells. */
export interface AnswerInput {
  readonly plan: Pick<Plan, "axes" | "suite"> & Partial<Pick<Plan, "warmup" | "generator">> & WordedPlan;
  readonly marks: Summary["marks"];
  readonly families: Summary["families"];
  readonly memory?: Summary["memory"];
  readonly latency?: Summary["latency"];
  readonly open_loop?: Summary["open_loop"];
  readonly cells: readonly (Pick<Summary["cells"][number], "name" | "cell"> & {
    readonly marks?: Summary["cells"][number]["marks"];
  })[];
  readonly cards: readonly AnswerCard[];
  readonly rounds: number;
  /** The time of one round in ms; null if none was timed. */
  readonly roundMs: number | null;
  readonly machine?: string;
}

/** Returns the code of the first reason; if no cell was measured, that of the first cell that failed. */
const causeOf = ([first]: readonly Mark[], cards: AnswerInput["cards"]): MarkCode =>
  (first!.code === "nothing-measured" ? faultyOf(cards)?.marks[0]?.code : undefined) ?? first!.code;

const faultyOf = (cards: AnswerInput["cards"]) => cards.find((card) => card.status !== "ok");

/** Answers a run: a pick needs verdicts, a rate alone picks nothing. */
export function answerOf(input: AnswerInput): Answer {
  const { latency } = input;
  if (latency !== undefined) return ratesAnswer(input, latency);
  const { plan, families, cells, rounds, roundMs, machine = "" } = input;
  const questions = questionsOf(plan, families, cells);
  const barred = input.marks.some(({ effect }) => effect === "withholds");
  const answered = questions.map((question): AnsweredQuestion => {
    const { kind, axis, title } = question;
    const { decided, all } = verdictCounts(comparisonsOf(question));
    return { kind, axis, title, parts: barred ? [BARRED] : partsOf(question), decided, of: all };
  });
  const restless = input.marks.some((one) => rowOf(one).helps === "quiet");
  const carried = answered.some(({ parts }) =>
    parts.some(({ claims }) => claims.some(({ says }) => says !== "no-difference"))
  );
  const limit = carried || barred ? null : serviceLimit(plan, questions.map(({ title }) => title), input.cards, rounds);
  const none = carried ? null : limit === null ? reasonsFor(input, questions) : [limit.mark];
  // The commonest mark is the reason, or follows the number of undecided comparisons.
  const often = withheldBy(questions.flatMap(comparisonsOf)).slice(0, 1).map(({ code }) => code);
  const named = none === null ? [] : [...none.map(({ code }) => code), ...often];
  const memory = barred ? "" : memorySentence(plan, input);
  return {
    schema: "levelfield.answer/4",
    sentence: none === null
      ? answered.map(({ title, parts }) => `${title}: ${parts[0]!.sentence}.`).join(" ")
      : `${limit?.ofAll ? "" : "No answer from this run: "}${none[0]!.text}.`,
    none,
    subject: subjectText(plan, families),
    conditions: conditionsText(plan, families),
    machine,
    questions: answered,
    ...serviceShares(plan, input.cards),
    ...(memory === "" ? {} : { memory }),
    marks: marksBesides(input, none),
    settle: limit !== null
      ? limit.settle
      : none !== null && isOfOthers({ code: causeOf(none, input.cards) })
      ? repeatLater(rounds, roundMs)
      : settleOf(questions, { rounds, roundMs, restless, warmup: plan.warmup, cards: input.cards, named }),
    rounds,
    round_ms: roundMs,
  };
}

/** The answer of a run along the axis `rate`: who waits less, then the sentences of its servers. */
function ratesAnswer(
  { plan, open_loop, rounds, roundMs, machine = "" }: AnswerInput,
  latency: NonNullable<AnswerInput["latency"]>,
): Answer {
  const sentences = [...open_loop?.sentences ?? [], ...latency.map(({ name, sentence }) => `${name} ${sentence}`)];
  return {
    schema: "levelfield.answer/4",
    sentence: `${sentences.join("; ")}.`,
    subject: subjectText(plan, []),
    conditions: "",
    machine,
    questions: [],
    marks: [],
    none: null,
    settle: null,
    rounds,
    round_ms: roundMs,
  };
}

/** The answer to a question by a run that contradicts itself. */
const BARRED: AnsweredQuestion["parts"][number] = {
  ...{ kind: "main", about: "", note: "", picks: [], claims: [], untold: [] },
  sentence: "no pick, as the run speaks against itself",
};

const isOfFew = (given: { readonly code: MarkCode }) => rowOf(given).helps === "rounds";

const weightOf = ({ code }: Mark) => Object.keys(MARKS).indexOf(code);

/** Returns the marks that keep a run from an answer, the weightiest first; each doubt is one of them, once. */
function reasonsFor(input: AnswerInput, questions: readonly Question[]): Mark[] {
  const { marks, cards, rounds } = input;
  const compared = questions.flatMap(comparisonsOf);
  // A cell that was only measured together has no card; only a lack of rounds speaks against it.
  const isSound = (one: Comparison) => isJudged(one) || rounds > 0 && one.marks.every(isOfFew);
  const measured = cards.some((card) => card.observations_ok > 0) || compared.some(isSound);
  const faulty = faultyOf(cards);
  const why = faulty === undefined
    ? ""
    : ` (${faulty.name} is ${faulty.status}: ${faulty.marks[0]?.text ?? "no reason kept"})`;
  // An interrupted run has few rounds; every answer says so separately.
  const others = marks.filter((one) => !rowOf(one).contradicts && (one.effect !== "note" || rowOf(one).helps !== null));
  const contended = others.filter(isOfOthers);
  const ofAll = marksOfAll(questions, input.cards);
  // Rounds that something voided are counted, so the commonest cause comes first.
  const lost = ofAll.filter(({ effect }) => effect === "voids");
  const causes = lost.filter((one) => !contended.some(({ code }) => code === rowOf(one).follows));
  const reasons = [
    ...(measured || lost.length > 0 ? [] : [mark("nothing-measured", `no cell was measured${why}`)]),
    ...marks.filter((one) => rowOf(one).contradicts).toSorted((a, b) => weightOf(a) - weightOf(b)),
    ...causes,
    ...contended,
    ...ofAll.filter((one) => !lost.includes(one)),
    ...others.filter((one) => !contended.includes(one)),
    ...fewMarks(compared, rounds),
  ];
  return [...reasons, undecidedMark(compared, [...reasons, ...lost].map(({ code }) => code))];
}

const MOST_REASONS = 2;

/** True if a mark says that something else than the server was the limit, not just near. */
const isLimit = (given: { readonly code: MarkCode }) => rowOf(given).of === "limit" && rowOf(given).helps === null;

/** Returns the marks of cells that withhold every verdict of a question; empty if none does. */
function marksOfAll(questions: readonly Question[], cards: AnswerInput["cards"]): Mark[] {
  const reasons = questions.flatMap((question) => {
    const made = comparisonsOf(question);
    return withheldBy(made.filter(isOfCells)).filter((reason) => reason.of === made.length);
  });
  const once = [...new Map(reasons.map((reason) => [reason.code, reason])).values()];
  const isLimited = once.some(isLimit);
  const bounds = limitsOf(cards).map(({ text }) => withoutStop(text)).join("; ");
  return once.filter((one) => !isLimited || isLimit(one) || rowOf(one).of !== "limit")
    .toSorted((a, b) => b.of - a.of).slice(0, MOST_REASONS)
    .map(({ code, text }) => mark(code, isLimit({ code }) && bounds !== "" ? bounds : text));
}

function fewMarks(compared: readonly Comparison[], rounds: number): Mark[] {
  const marks = compared.flatMap((one) => !isJudged(one) ? one.marks : []);
  const few = marks.find(({ code }) => code === "too-few-rounds");
  const least = thresholds.leastRounds.value;
  const unknown = rounds < least && marks.some(isOfFew);
  if (few === undefined && !unknown) return [];
  return [mark("too-few-rounds", `too few rounds: ${few?.text ?? `${rounds} of the ${least} that verdicts need`}`)];
}

/** @param named the codes of the other reasons, which are not repeated */
function undecidedMark(compared: readonly Comparison[], named: readonly MarkCode[]): Mark {
  const { all, decided, open, withheld } = verdictCounts(compared);
  if (all === 0) return mark("undecided", "no two cells were compared");
  if (decided === all) {
    return mark("undecided", `all of ${counted(all, "comparison")} are decided, but they contradict each other`);
  }
  const of = `${decided === 0 ? "none" : decided} of ${counted(all, "comparison")} ` +
    `${decided > 1 ? "are" : "is"} decided${decided === 0 ? "" : ", which is too little for a pick"}`;
  const [often] = withheldBy(compared);
  const isNamed = often === undefined || named.includes(often.code) ||
    isOfFew(often) && named.includes("too-few-rounds");
  const parts = [
    ...(open === 0 ? [] : [`${open} ${open === 1 ? "is" : "are"} open`]),
    ...(withheld === 0 ? [] : [
      `${withheld} ${withheld === 1 ? "has" : "have"} no verdict${
        isNamed ? "" : ` (${withheld === 1 ? "" : "most often: "}${often.text})`
      }`,
    ]),
  ];
  return mark("undecided", `${of}; ${parts.join(" and ")}`);
}

/** Returns the marks of an answer that are no reason against it: limits are one where they withhold every verdict. */
function marksBesides(input: AnswerInput, none: Answer["none"]): Mark[] {
  const isNamed = none?.some(isLimit) ?? false;
  return [
    ...input.marks.filter(isOfServer),
    ...sharedMarks(input),
    ...coldMarks(input),
    ...(isNamed ? [] : limitsOf(input.cards)),
  ];
}

/** Names cells with cold caches: verdicts on a user's servers that cache hold for that state. */
function coldMarks({ plan, cells }: AnswerInput): Mark[] {
  if (plan.suite.own === undefined) return [];
  const cold = cells.filter(({ cell }) => cell.label !== AA).flatMap(({ name, marks = [] }) =>
    marks.filter(({ code }) => code === "cold-cache").map(({ text }) => ({ name, text }))
  );
  const [first] = cold;
  if (first === undefined) return [];
  const where = listedOr(cold.map(({ name }) => name), "cell");
  const text = cold.length === 1
    ? `${where}: ${first.text}.`
    : `Cold caches in ${where}; in ${first.name} ${first.text}.`;
  return [mark("cold-cache", text)];
}

const limitsOf = (cards: AnswerInput["cards"]): Mark[] =>
  ALL_BOUNDS.filter(isLowerBound).flatMap((bound) => limitedMarks(cards, bound));

function limitedMarks(cards: AnswerInput["cards"], by: Bound): Mark[] {
  const limited = cards.filter(({ status, bound, cell }) => status === "ok" && bound === by && cell.label !== AA);
  const names = limited.map(({ name }) => name);
  if (names.length === 0) return [];
  const bounds = names.length === 1 ? "its rate is a lower bound" : "their rates are lower bounds";
  const named = listedOr(names, "cell");
  return [mark("lower-bounds", `${named}: ${BOUND[by].text} was the limit, so ${bounds} ("≥") and not ranked.`)];
}

function sharedMarks({ plan, cards }: AnswerInput): Mark[] {
  const at = cards[0]?.cell.point.at ?? {};
  return shownAxes(plan.axes).flatMap((axis) => {
    const caveat = axis.values.length === 1 ? factsOf(axis, at)["caveat"] : undefined;
    const said = [
      ...(caveat === undefined ? [] : [`${textOf(axis, at)} ${caveat}`]),
      ...axis.values.flatMap(({ text, facts: { note } }) => note === undefined ? [] : [`${text} ${note}`]),
    ];
    return said.map((text) => mark("suite-caveat", `${text}.`));
  });
}
