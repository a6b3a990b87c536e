import type { Effect } from "./mark.ts";
import type { RunRecord } from "./run-record.ts";

/** One thing the doctor looked at. Where something is wrong or unknown it is a mark: `{code, effect, text}`. */
export interface Finding {
  /** Stable name, kebab-case. */
  readonly code: string;
  readonly title: string;
  /** `withholds` makes figures of this machine doubtful, `voids` leaves none to trust; null when it is well. */
  readonly effect: Effect | null;
  /** The value read, or why it could not be read. */
  readonly text: string;
  /** The effect in words; null when it is well. */
  readonly cost: string | null;
  /** The command that mends it; null without one. */
  readonly mend: string | null;
}

/** `dedicated`: proven quiet and steady; `shared`: compare servers together; `advisory`: processes cannot be pinned. */
export type Grade = RunRecord["grade"];

/** Returns the words of a reason that has a code; of earlier runs, of a text alone. */
export const reasonText = (reason: string | { readonly text: string }): string =>
  typeof reason === "string" ? reason : reason.text;

/** The result of the doctor's examination. */
export interface Examination {
  readonly findings: readonly Finding[];
  readonly grade: Grade;
}
