import { distance } from "#levenshtein";
import { type BenchError, usageError } from "./errors.ts";
import { MOST_NAMED } from "./visible.ts";

/** Returns the candidate nearest to a typed name, if it is near enough to be meant. */
export function nearest(typed: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((name) => ({ name, far: distance(typed.toLowerCase(), name) }))
    .sort((a, b) => a.far - b.far);
  const best = ranked[0];
  return best !== undefined && best.far <= Math.max(2, Math.floor(best.name.length / 3)) ? best.name : undefined;
}

/** Returns a few candidates that may be meant by a typed name: those that hold it, then those near it. */
export function nearestNames(typed: string, candidates: readonly string[]): string[] {
  const wanted = typed.toLowerCase();
  const ranked = candidates.map((name) => {
    const far = name.toLowerCase().includes(wanted) ? 0 : distance(wanted, name.toLowerCase());
    return { name, far };
  }).filter(({ name, far }) => far <= Math.max(2, Math.floor(Math.min(name.length, typed.length) / 3)));
  return ranked.toSorted((a, b) => a.far - b.far).slice(0, MOST_NAMED).map(({ name }) => name);
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
