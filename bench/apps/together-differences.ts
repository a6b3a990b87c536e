import { percent } from "../basics/units.ts";
import type { HeldFile, Holdings } from "../machine/holdings.ts";

/** A server after its first requests, alone or while others run. */
export interface ServerState {
  /** Null where the system does not show it, or the server has ended. The port of its requests is left out. */
  readonly held: Holdings | null;
  /** Files that were changed while its requests were answered, by their paths. */
  readonly changed: readonly string[];
  /** Lines that it printed, by their words without numbers; null where there were too many to keep. */
  readonly said: ReadonlyMap<string, string> | null;
  /** Replies that differ from the recorded ones, by the place of their request. */
  readonly replies: ReadonlyMap<number, string>;
  /** The reason why it does not run; null while it does. */
  readonly ended: string | null;
  /** CPU times in ns of its first few requests, of more and of yet more; as many as were read. */
  readonly cost: readonly number[];
}

/** A difference of a server while others run from the same server alone. */
export interface Difference {
  readonly kind: "ended" | "port" | "socket" | "lock" | "file" | "replies" | "cost" | "said";
  /** The name of a thing that it holds alone; for other kinds the difference in words. */
  readonly what: string;
}

/**
 * Requests that cost this many times as much, and this much CPU time in all, are no chance: a hundred requests of a new
 * process cost up to twice as much from start to start, as its compiler gets to work sooner or later.
 */
const COST_TIMES = 3, COST_NS = 20e6;

/** Returns the differences of a server while others run, those that say most first. */
export function differencesOf(alone: ServerState, together: ServerState): Difference[] {
  if (alone.ended !== null) return [];
  if (together.ended !== null) return [{ kind: "ended", what: together.ended }];
  // A reply that also differs alone may contain words that change by themselves.
  const [replies] = [...together.replies].flatMap(([of, text]) => alone.replies.has(of) ? [] : [text]);
  const cost = costBetween(alone, together);
  return [
    ...lostBetween(alone.held, together.held),
    ...(replies === undefined ? [] : [{ kind: "replies", what: replies } as const]),
    ...(cost === null ? [] : [{ kind: "cost", what: cost } as const]),
    ...newLines(alone, together).slice(0, 1).map((what) => ({ kind: "said", what }) as const),
  ];
}

/** Returns the differences that a second start alone shows as well: random names or odd lines are left out. */
export function confirmed(
  differences: readonly Difference[],
  again: ServerState,
  alone: ServerState,
  together: ServerState,
) {
  const second = differencesOf(again, together);
  return differences.filter(({ kind, what }) => {
    if (kind === "said" && newLines(alone, again).length > 0) return false;
    const isNamed = ["port", "socket", "lock", "file"].includes(kind);
    return second.some((other) => other.kind === kind && (!isNamed || other.what === what));
  });
}

function namesOf({ ports, sockets, files }: Holdings): Difference[] {
  const paths = (some: readonly HeldFile[]) => [...new Set(some.map(({ path }) => path))];
  return [
    ...ports.map((port) => ({ kind: "port", what: String(port) }) as const),
    ...sockets.map((what) => ({ kind: "socket", what }) as const),
    ...paths(files.filter(({ locked }) => locked)).map((what) => ({ kind: "lock", what }) as const),
    ...paths(files).map((what) => ({ kind: "file", what }) as const),
  ];
}

/** Returns true if a server holds something. */
export const holds = ({ held }: ServerState, { kind, what }: Difference): boolean =>
  held !== null && namesOf(held).some((name) => name.kind === kind && name.what === what);

function lostBetween(alone: Holdings | null, together: Holdings | null): Difference[] {
  if (alone === null || together === null) return [];
  const kept = namesOf(together);
  return namesOf(alone).filter(({ kind, what }) => !kept.some((name) => name.kind === kind && name.what === what));
}

/** Returns what several servers hold at the same time: ports, sockets, and files that their requests change. */
export function sharedBy(states: readonly ServerState[]): Difference[] {
  const all = states.flatMap(({ held, changed }) =>
    held === null ? [] : namesOf({
      ...held,
      files: held.files.filter(({ path, appends }) => !appends && changed.includes(path) && !path.endsWith("-shm")),
    })
  );
  const key = ({ kind, what }: Difference) => `${kind} ${what}`;
  return [...Map.groupBy(all, key).values()].flatMap((same) => same.length > 1 ? same.slice(0, 1) : []);
}

/** Returns the files whose last change is another one than before, by their paths. */
export function changedFiles(before: Holdings | null, after: Holdings | null): string[] {
  const known = new Map(before?.files.map(({ path, change }) => [path, change]));
  return after?.files.flatMap(({ path, change }) => known.has(path) && known.get(path) !== change ? [path] : []) ?? [];
}

function costBetween({ cost: alone }: ServerState, { cost: together }: ServerState): string | null {
  // The most requests that both were sent: their first ones are dearer than the others.
  const last = Math.min(alone.length, together.length) - 1;
  if (last < 0) return null;
  const [was, is] = [alone[last]!, together[last]!];
  const isFar = Math.max(was, is) > COST_TIMES * Math.min(was, is) && Math.abs(is - was) > COST_NS;
  return isFar ? `${percent(is / was, 0)} of its CPU time alone` : null;
}

function newLines({ said: before }: ServerState, { said: after }: ServerState): string[] {
  if (before === null || after === null) return [];
  return [...after].flatMap(([words, line]) => before.has(words) ? [] : [line]);
}

/** Lines by their words of letters alone: numbers with their units, ids and times differ at each start. */
export function linesByWords(text: string): Map<string, string> {
  const colour = new RegExp(`${String.fromCharCode(27)}\\[[\\d;?]*[A-Za-z]`, "g");
  return new Map(
    text.replaceAll(colour, "").split("\n").flatMap((line) => {
      const words = line.split(/[^\p{L}\p{N}_]+/u).filter((word) =>
        /^\p{L}{3,}$/u.test(word) && !/^[a-f]+$/i.test(word)
      );
      return words.length === 0 ? [] : [[words.join(" "), line.trim()] as const];
    }),
  );
}
