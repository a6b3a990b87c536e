/** The words for verdicts: every output takes them from here. */
import type { Comparison, NoVerdict } from "./comparison.ts";

type Verdict = Comparison["verdict"];

/** A comparison with a verdict: it has a ratio and an interval. */
export type Judged = Exclude<Comparison, NoVerdict>;

/** How outputs show a verdict. */
interface Shown {
  /** After a ratio in tables. */
  readonly sign: "" | "=" | "?";
  /** In sentences and in columns of tables. */
  readonly word: string;
  /** Of memory, where less is better. */
  readonly ofMemory: string;
  readonly level: "good" | "bad" | "note" | "warn";
  /** True if it says which is better, or that neither is. */
  readonly decided: boolean;
}

/** One row for each verdict. */
export const VERDICTS: Readonly<Record<Verdict, Shown>> = {
  faster: { sign: "", word: "faster", ofMemory: "needs less memory", level: "good", decided: true },
  slower: { sign: "", word: "slower", ofMemory: "needs more memory", level: "bad", decided: true },
  equivalent: { sign: "=", word: "equal within 2 %", ofMemory: "equal within 2 %", level: "note", decided: true },
  "not-separable": { sign: "?", word: "not decided", ofMemory: "not decided", level: "note", decided: false },
  "no-verdict": { sign: "?", word: "no verdict", ofMemory: "no verdict", level: "warn", decided: false },
};

/** The word for an undecided comparison, and the word for one proven equivalent. */
export const OPEN_WORD = VERDICTS["not-separable"].word, EQUAL = VERDICTS.equivalent.word;

/** The comparison of two cells that were not compared. */
export const NOT_COMPARED = { verdict: "no-verdict", ratio: null } as const;

/** The legend of the signs that some verdicts have: `? not decided, = equal within 2 %`; empty without any. */
export const signLegend = (verdicts: readonly Verdict[]): string =>
  (["not-separable", "equivalent"] as const).filter((one) =>
    verdicts.some((verdict) => VERDICTS[verdict].sign === VERDICTS[one].sign)
  ).map((one) => `${VERDICTS[one].sign} ${VERDICTS[one].word}`).join(", ");

/** True if a comparison may be judged, so that it has a ratio. */
export const isJudged = (comparison: Pick<Comparison, "verdict">): comparison is Judged =>
  comparison.verdict !== "no-verdict";

/** True if a verdict says which is faster, or that neither is. */
export const isDecided = ({ verdict }: Pick<Comparison, "verdict">): boolean => VERDICTS[verdict].decided;

/** True if it was judged, and nothing was decided. */
export const isOpen = ({ verdict }: Pick<Comparison, "verdict">): boolean => verdict === "not-separable";

/** Returns a comparison as one that decides nothing. */
export const asOpen = (one: Judged): Judged => ({ ...one, verdict: "not-separable" });

/** The interval that a verdict was read from, with the margin it had to clear; of equal ones that inside the 2 %. */
export function shownInterval({ verdict, interval: { low, high }, delta }: Judged): { low: number; high: number } {
  return verdict === "equivalent" ? { low, high } : { low: low / (1 + delta), high: high * (1 + delta) };
}
