/** An answer as a reader takes it in. Terminal, README, suites, page and card draw the same block. */
import { counted } from "../basics/units.ts";
import { isJudged } from "../record/verdicts.ts";
import type { Answer } from "../record/answer-schema.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Summary } from "../record/summary.ts";
import { isOfOthers } from "../judge/status.ts";
import { aboutPercent } from "../result/claim-texts.ts";
import { undecidedConditions } from "../result/answer-scope.ts";
import { listed } from "../result/questions.ts";
import { partClauses } from "../result/part-sentence.ts";
import { thresholds } from "../statistics/thresholds.ts";
import type { LinkSeen } from "../result/link-seen.ts";
import { hostTexts } from "./machine-text.ts";
import { isItself } from "./listed-run.ts";
import { noteTexts } from "./evidence-lines.ts";
import { nextSteps, type OfferedStep } from "./next-steps.ts";
import { judgedQuestions, mostDecided, type PlaceTable, placeTable } from "./place-table.ts";

/** A line of a block: its subject, and texts that each begin a line. */
export interface BlockLine {
  readonly label: string;
  readonly texts: readonly string[];
}

/** The parts of an answer, in the order of their lines. */
export interface AnswerBlock {
  readonly head: BlockLine;
  readonly questions: readonly BlockLine[];
  /** Values that were not run, and the conditions of the answer. */
  readonly scope: readonly BlockLine[];
  readonly table: PlaceTable | null;
  readonly memory: readonly BlockLine[];
  readonly notes: readonly string[];
  readonly next: readonly OfferedStep[];
}

/** The parts of a run that its block is made of. */
export interface BlockInput {
  readonly run: Pick<RunRecord, "run" | "plan" | "grade" | "state" | "machine" | "hosts" | "against">;
  readonly summary: Summary;
  readonly columns: number;
  /** The link between the hosts in the windows of the run; undefined if another text names the hosts. */
  readonly seen?: LinkSeen | null;
  readonly given?: { readonly run?: string | undefined; readonly results?: string | undefined };
}

/** Returns the block of a run. */
export function answerBlock({ run, summary, columns, seen, given = {} }: BlockInput): AnswerBlock {
  const { answer } = summary;
  const question = answer.none === null ? mostDecided(judgedQuestions({ run, summary })) : undefined;
  return {
    head: headOf(run, summary),
    questions: answer.none === null ? questionLines(answer) : [],
    scope: [
      ...notRunLine(run.plan),
      ...notDecidedLine(run.plan, summary),
      ...scopeLine(answer),
      ...(seen === undefined ? [] : hostLine(run, seen)),
    ],
    table: question === undefined ? null : placeTable({ run, summary }, question, columns, false),
    memory: answer.memory === undefined ? [] : [{ label: "Memory", texts: [`less is better; ${answer.memory}`] }],
    notes: [
      ...(answer.none ?? []).slice(1).map(({ text }) => `Besides: ${text}`),
      ...(answer.none === null ? (answer.services ?? []).map(({ sentence }) => sentence) : []),
      ...answer.marks.map(({ text }) => text),
      ...noteTexts(summary),
    ],
    next: nextSteps(run, summary, given),
  };
}

/** The lines of an answer's questions: the main part, then a line for each value with a note. */
const questionLines = ({ questions }: Pick<Answer, "questions">): BlockLine[] =>
  questions.map(({ title, parts }) => ({
    label: title,
    texts: parts.map((part) => `${partClauses(part).join(". ")}.`),
  }));

const MACHINES: Readonly<Record<RunRecord["grade"]["grade"], string>> = {
  dedicated: "dedicated machine",
  shared: "shared machine",
  advisory: "nothing pinned",
};

function headOf(run: BlockInput["run"], summary: Summary): BlockLine {
  const { answer, marks } = summary;
  if (summary.latency !== undefined) return { label: "Answer", texts: [answer.sentence] };
  if (answer.none !== null) {
    const [first] = answer.none;
    return { label: isItself(first!) ? "Answer" : "No answer", texts: [first!.text] };
  }
  const isBusy = marks.some(isOfOthers);
  const machine = isBusy ? "busy machine" : MACHINES[run.grade.grade];
  const made = `${counted(answer.rounds, "round")}, ${machine}`;
  const hidden = hiddenBelow(summary);
  const [share] = hidden.map((one) => one.share);
  const isRough = run.state !== "finished" || share === undefined || share > thresholds.roughAnswer.value;
  const can = hidden.map(({ share, basis }, n) =>
    n === 0
      ? `can miss differences below about ${aboutPercent(share)}`
      : `${basis === "solo" ? "of rows alone" : "else"} ${aboutPercent(share)}`
  );
  return {
    label: isRough ? "Rough answer" : "Answer",
    texts: [`${made}: ${can.join(", ") || "what it can miss is not known"}`],
  };
}

/** The difference that a run would as a rule have seen, by basis, as a share: the median over its comparisons. */
export function hiddenBelow({ families }: {
  readonly families: readonly Pick<Summary["families"][number], "comparisons">[];
}): { readonly basis: string; readonly share: number }[] {
  const judged = families.flatMap(({ comparisons }) => comparisons).filter(isJudged);
  return [...Map.groupBy(judged, ({ basis }) => basis)].map(([basis, same]) => {
    const shares = same.map((one) => one.smallest_detectable ?? Infinity).sort((a, b) => a - b);
    const half = shares.length >> 1;
    return { basis, share: shares.length % 2 === 1 ? shares[half]! : (shares[half - 1]! + shares[half]!) / 2 };
  }).filter(({ share }) => Number.isFinite(share)).toSorted((a, b) => a.share - b.share);
}

function notRunLine({ axes, left_out: left = [] }: Pick<RunRecord["plan"], "axes" | "left_out">): BlockLine[] {
  if (left.length === 0) return [];
  const texts = left.map(({ axis, values }) =>
    `${axes.find(({ name }) => name === axis)?.title.toLowerCase() ?? axis} ${values.join(", ")}`
  );
  return [{ label: "Not run", texts: [`${texts.join("; ")}.`] }];
}

function notDecidedLine(plan: RunRecord["plan"], { answer, families }: Summary): BlockLine[] {
  const open = answer.none === null ? undecidedConditions(plan, families) : [];
  return open.length === 0
    ? []
    : [{ label: "Undecided", texts: [`${listed(open)}: measured, nothing decided (bench show --all).`] }];
}

function hostLine(run: Pick<RunRecord, "machine" | "hosts">, seen: LinkSeen | null): BlockLine[] {
  const texts = hostTexts(run, seen);
  if (texts === null) return [];
  const { server, load, link } = texts;
  return [{ label: "Hosts", texts: [`servers on ${server}; load from ${load}; between them ${link}`] }];
}

function scopeLine({ none, conditions, machine }: Answer): BlockLine[] {
  if (none !== null || conditions === "" && machine === "") return [];
  const parts = [conditions, machine && `on ${machine}`].filter((text) => text !== "");
  return [{ label: "For", texts: [`${parts.join(", ")}.`] }];
}
