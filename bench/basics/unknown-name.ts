import { distance } from "fastest-levenshtein";
import { type BenchError, usageError } from "./errors.ts";

/** Returns the candidate nearest to a typed name, if it is near enough to be meant. */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((name) => ({ name, far: distance(typed.toLowerCase(), name) }))
    .sort((a, b) => a.far - b.far);
  const best = ranked[0];
  return best !== undefined && best.far <= Math.max(2, Math.floor(best.name.length / 3)) ? best.name : undefined;
}

/** Returns a hint for an unknown name: the nearest known one, or all of them. */
export function knownNames(typed: string, known: readonly string[]): string {
  const meant = nearest(typed, known);
  return meant === undefined ? `known are ${known.join(", ")}` : `did you mean "${meant}"?`;
}

/** Returns the error for an unknown name, with the nearest known one or all of them as its hint. */
export function unknownName(what: string, typed: string, known: readonly string[]): BenchError {
  return usageError(`unknown ${what} "${typed}"`, knownNames(typed, known));
}
