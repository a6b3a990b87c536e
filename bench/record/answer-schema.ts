import { z } from "zod";

const count = z.int().nonnegative();
const ratio = z.number().positive().nullable();

/** What verdicts say of one question: which value of a contrast axis, which label, or which of a pair to take. */
const questionSchema = z.strictObject({
  kind: z.enum(["axis", "label", "pair"]),
  /** Name of the contrast axis; null for the other kinds. */
  axis: z.string().nullable(),
  /** For people: `Engine`. */
  title: z.string(),
  /** `proven`: the pick beats or equals all others at every place, by verdict; `partly`: at some; `open`: nothing leads. */
  mark: z.enum(["proven", "partly", "open"]),
  /** The value to take, as text; null where no verdicts carry one, where each place has another, or where two do equally well. */
  pick: z.string().nullable(),
  /** The places where the pick leads, in words, where these are fewer than half of all; else null. */
  only_at: z.string().nullable(),
  /** Values that no verdict calls slower than the pick at most of the places it leads, nor faster at any. */
  also: z.array(z.strictObject({
    value: z.string(),
    /** `equivalent` where that was found at all of these places. */
    how: z.enum(["equivalent", "not-separable"]),
    /** Places where both are as good, of those where they were compared. */
    places: z.int().positive(),
    of: z.int().positive(),
  })),
  /** The pick's speed over that of each other value where it is not slower; both null where nothing says that. */
  ratios: z.array(z.strictObject({
    value: z.string(),
    least: ratio,
    greatest: ratio,
    /** Comparisons with the pick that are decided, for whom ever, of all there are. */
    decided: count,
    of: count,
  })),
  /** Places where the pick does not hold. */
  exceptions: z.array(z.strictObject({
    /** Another value is faster there by verdict, or the pick was not compared there. */
    why: z.enum(["beaten", "absent"]),
    /** What is faster there; where the pick was not compared what leads there, null where nothing is known to. */
    value: z.string().nullable(),
    /** The places in words. */
    at: z.string(),
    places: z.int().positive(),
    /** Speed of that value over the pick's; null where no verdict says it. */
    least: ratio,
    greatest: ratio,
  })),
  /** Values without any verdict at some places where the pick leads the others; absent where there are none. */
  untold: z.array(z.strictObject({
    value: z.string(),
    /** How many places these are, of those where the value stood to be compared. */
    places: z.int().positive(),
    of: z.int().positive(),
    /** The places in words. */
    at: z.string(),
  })).min(1).optional(),
  /** Comparisons that ended in `faster` or `equivalent`, of all. */
  decided: count,
  of: count,
  sentence: z.string(),
});

/** What to take from a run, as far as its verdicts carry it: the same in every output. */
export const answerSchema = z.strictObject({
  /** All questions in one sentence; or "No answer from this run: " and the weightiest reason. */
  sentence: z.string(),
  /** Null with an answer; else every reason why there is none, the weightiest first. */
  none: z.array(z.string()).min(1).nullable(),
  questions: z.array(questionSchema),
  /** What else must be known before anything is taken: whole sentences. */
  caveats: z.array(z.string()),
  /** What would decide the open comparisons that may change the answer; null where there are none. */
  settle: z.strictObject({
    /** Rounds of a new run; null where no number of rounds would. */
    rounds: z.int().positive().nullable(),
    /** Time of that run; null where no round was timed. */
    minutes: z.number().nonnegative().nullable(),
    sentence: z.string(),
  }).nullable(),
  /** What the answer rests on besides verdicts: complete rounds, what one more takes, and what others took of the machine. */
  rounds: count,
  round_ms: z.number().nonnegative().nullable(),
  contended: z.array(z.string()),
});

/** See {@link answerSchema}. */
export type Answer = z.infer<typeof answerSchema>;

/** One question of an {@link Answer}. */
export type AnsweredQuestion = Answer["questions"][number];
