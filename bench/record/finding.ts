import type { Effect } from "./mark.ts";

/** One thing the doctor looked at. Where something is wrong or unknown it is a mark: `{code, effect, text}`. */
export interface Finding {
  /** Stable name, kebab-case. */
  readonly code: string;
  readonly title: string;
  /** Of a machine: `withholds` makes figures doubtful, `voids` leaves none to trust. Null when it is well. */
  readonly effect: Effect | null;
  /** The value read, or why it could not be read. */
  readonly text: string;
  /** Its effect on figures; null when it is well. */
  readonly cost: string | null;
  /** The command that mends it; null with a `reason` when there is none. */
  readonly mend: string | null;
  readonly reason: string | null;
}

/**
 * How far figures of a machine can be trusted by themselves. `dedicated`: everything essential is proven quiet and steady.
 * `shared`: something is not, so compare servers together. `advisory`: processes cannot be pinned at all.
 */
export interface Grade {
  readonly grade: "dedicated" | "shared" | "advisory";
  /** Everything that keeps it from a better grade; for `dedicated` what was proven. */
  readonly reasons: readonly string[];
}

/** The result of the doctor's examination. */
export interface Examination {
  readonly findings: readonly Finding[];
  readonly grade: Grade;
}
