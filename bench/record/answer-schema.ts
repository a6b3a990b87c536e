import { z } from "zod";
import { list, longText } from "./bounds.ts";
import { REMEDIES } from "./mark.ts";
import { markSchema } from "./outcome-schema.ts";

const count = z.int().nonnegative();

/** One claim of verdicts on two values, at one or several places. Sentences are made from claims alone. */
const claimSchema = z.strictObject({
  question: longText,
  /** `faster` and `equivalent` are verdicts; `no-difference`: none was found, which proves nothing. */
  says: z.enum(["faster", "equivalent", "no-difference"]),
  /** The faster one, if it says `faster`. */
  value: longText,
  over: longText,
  /** Speed of the value relative to the other one: the least ratio, the greatest, and the geometric middle. */
  ratio: z.number().positive(),
  least: z.number().positive(),
  greatest: z.number().positive(),
  /** From the lowest to the highest end of the intervals that the verdicts were read from, see `shownInterval`. */
  interval: z.strictObject({ low: z.number().positive(), high: z.number().positive() }),
  /** The places in words; empty if these are all there are. */
  where: longText,
  /** The number of these places, and of all places at which the two were to be compared. */
  places: z.int().positive(),
  of: z.int().positive(),
  /** True if the value's rate was a lower bound at one of these places: the ratio is at least what is said. */
  at_least: z.literal(true).optional(),
  /** The ratio where the core was slow and where it was fast, of one verdict that is proven to move with its speed. */
  core: z.strictObject({ slow: z.number().positive(), fast: z.number().positive() }).optional(),
  /** The difference, as a share, that would as a rule have been seen at each of these places; absent if none would. */
  visible: z.number().nonnegative().optional(),
  /** The kind of measurement under the verdicts: servers measured together, rates of one server at a time, or both. */
  basis: z.enum(["together", "solo", "both", "memory", "waits"]),
  /** The verdicts it follows from, as the names of the two cells of each. */
  verdicts: list(z.strictObject({ over: longText, under: longText })).min(1),
});

/** Two values without a verdict at some places. */
const untoldSchema = z.strictObject({
  value: longText,
  over: longText,
  where: longText,
  places: z.int().positive(),
  of: z.int().positive(),
});

/** A part of a question: `main` values; a `caveat`, a value over the picks; a `warning`, one that a suite warns of. */
const partSchema = z.strictObject({
  kind: z.enum(["main", "caveat", "warning"]),
  /** The value it is about; empty for the main part. */
  about: longText,
  /** The suite's reason against that value; empty for the main part. */
  note: longText,
  /** The values to take, each decided at most places; empty if verdicts carry none. The sentence has each of their losses. */
  picks: list(longText),
  /** All claims of the answer, and every verdict that calls another value faster than one of the picks. */
  claims: list(claimSchema),
  untold: list(untoldSchema),
  /** Of a main part without picks: picks by value of the axis that separates them best; its name, "" for the label. */
  by: z.strictObject({
    axis: longText,
    groups: list(z.strictObject({
      values: list(longText).min(1),
      picks: list(longText),
      claims: list(claimSchema),
      untold: list(untoldSchema),
    })).min(1),
  }).optional(),
  sentence: longText,
});

/** The verdicts on one question: which value of a contrast axis, which label, or which of a pair to take. */
const questionSchema = z.strictObject({
  kind: z.enum(["axis", "label", "pair"]),
  /** Name of the contrast axis; null for the other kinds. */
  axis: longText.nullable(),
  title: longText,
  /** The main part first. */
  parts: list(partSchema).min(1),
  /** Comparisons that ended in `faster` or `equivalent`, of all. */
  decided: count,
  of: count,
});

/** The answer of a run, as far as its verdicts carry it: the same in every output. */
export type Answer = z.infer<typeof answerSchema>;
export const answerSchema = z.strictObject({
  schema: z.literal("levelfield.answer/4"),
  /** The main parts of all questions; or "No answer from this run: " and the weightiest reason. */
  sentence: longText,
  /** Null with an answer; else the marks that keep it from one, the weightiest first. */
  none: list(markSchema).min(1).nullable(),
  /** The subject of titles: `PostgreSQL drivers against a null service: one row by key`. */
  subject: longText,
  /** The conditions of the verdicts: `iron, 10k kg`; empty without verdicts. */
  conditions: longText,
  /** The machine: its CPU model, its number of CPUs, and its grade. */
  machine: longText,
  questions: list(questionSchema),
  /** The share of a request's CPU time that a service takes; absent without services. */
  services: list(z.strictObject({
    name: longText,
    /** The least and the most share of a cell, of server and service together. */
    least: z.number().nonnegative(),
    greatest: z.number().nonnegative(),
    cells: list(longText).min(1),
    sentence: longText,
  })).optional(),
  /** The memory that values need, by separate verdicts; absent without any, and in earlier versions. */
  memory: longText.optional(),
  /** Marks to know before taking anything; their texts are whole sentences. */
  marks: list(markSchema),
  /** The run that would decide the open comparisons; null if none of them can change the answer. */
  settle: z.strictObject({
    /** Rounds of a new run; null if no number of rounds would. */
    rounds: z.int().positive().nullable(),
    /** Time of that run; null if no round was timed. */
    minutes: z.number().nonnegative().nullable(),
    /** Warm-up of that run in ms, where rounds alone would not help. */
    warmup_ms: z.int().positive().optional(),
    /** The remedy for the marks that keep comparisons open; absent if none is known. */
    helps: z.enum(REMEDIES).optional(),
    /** Words for the result, without a stop: `decide 10 of 11 open comparisons`. */
    sentence: longText,
  }).nullable(),
  /** The evidence other than verdicts: complete rounds, and the time of one more. */
  rounds: count,
  round_ms: z.number().nonnegative().nullable(),
});

/** One question of an {@link Answer}. */
export type AnsweredQuestion = Answer["questions"][number];

/** One part of a question. */
export type AnswerPart = AnsweredQuestion["parts"][number];

/** One claim of a part. */
export type AnswerClaim = AnswerPart["claims"][number];
