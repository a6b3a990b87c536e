import { parseCpuList } from "../basics/cpu-list.ts";
import { knownNames } from "../basics/unknown-name.ts";
import { parseDurationMs, parseLimit } from "../basics/units.ts";
import { AA } from "../record/cell.ts";
import { isWithin, RANGES } from "../record/ranges.ts";
import { faultAt, type Origin, refused } from "./origin.ts";

/** The fault of a value, in words that follow its name, and the part of the value that has it. */
export class ValueFault {
  readonly what: string;
  readonly path: readonly PropertyKey[];

  constructor(what: string, path: readonly PropertyKey[] = []) {
    this.what = what;
    this.path = path;
  }
}

/** One value or several. */
export type OneOrMore<T> = T | readonly T[];

/**
 * Values that an option accepts: the same for a word of the command line, a key of a config and a choice of a program.
 *
 * @typeParam T the value once it is read
 * @typeParam In the value as a config gives it
 */
export interface Type<T = unknown, In = unknown> {
  /** Placeholder of a value in help; empty for a switch. */
  readonly shown: string;
  /** Checks and reads a value as a config gives it. */
  readonly read: (value: unknown) => T | ValueFault;
  /** Returns the config value for a word of the command line; the word itself if left out. */
  readonly fromWord?: ((word: string) => unknown) | undefined;
  /** The text after its first `=` is never shown. */
  readonly secret?: true;
  readonly hint: string | ((value: unknown) => string);
  /** Never set: it only carries the type of a config value. */
  readonly given?: In;
}

/** The value of a type once it is read. */
export type ValueOf<Y> = Y extends Type<infer T> ? T : never;

/** The value of a type as a config gives it. */
export type GivenOf<Y> = Y extends Type<unknown, infer In> ? In : never;

/** A type of values, from a function `reads`; if that returns undefined, the error says "is no …". */
export const type = <T, In = T>(
  shown: string,
  what: string,
  hint: Type["hint"],
  reads: (value: unknown) => T | undefined,
  fromWord?: Type["fromWord"],
): Type<T, In> => ({ shown, hint, fromWord, read: (value) => reads(value) ?? new ValueFault(what) });

const textType = <T>(shown: string, what: string, hint: Type["hint"], reads: (text: string) => T | undefined) =>
  type<T, string>(shown, what, hint, (value) => typeof value === "string" ? reads(value) : undefined);

/** True for an object that is no list. */
export const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** One or several of a type: always a list. */
export const listOfType = <T, In>(one: Type<T, In>, fromWord?: Type["fromWord"]): Type<T[], OneOrMore<In>> => ({
  shown: one.shown,
  hint: one.hint,
  fromWord,
  read(value) {
    const parts = Array.isArray(value) ? value : [value];
    if (parts.length === 0) return new ValueFault("is empty");
    const read = parts.map(one.read);
    const n = read.findIndex((part) => part instanceof ValueFault);
    if (n < 0) return read as T[];
    const { what, path } = read[n] as ValueFault;
    return new ValueFault(what, Array.isArray(value) ? [n, ...path] : path);
  },
});

/** An object of a type by names. */
export const byName = <T, In>(one: Type<T, In>, what: string): Type<Record<string, T>, Record<string, In>> => ({
  shown: one.shown,
  hint: one.hint,
  read(value) {
    if (!isObject(value)) return new ValueFault(what);
    const read = Object.entries(value).map(([name, part]) => [name, one.read(part)] as const);
    const [name, fault] = read.find(([, part]) => part instanceof ValueFault) ?? [];
    return fault instanceof ValueFault
      ? new ValueFault(fault.what, [name!, ...fault.path])
      : Object.fromEntries(read) as Record<string, T>;
  },
});

/** Words with commas between them. */
export const listWords = (text: string): string[] =>
  text.split(",").map((word) => word.trim()).filter((word) => word !== "");

/** A number in digits; any other word stays as it is, to be refused. */
const digits = (word: string) => /^\d+(_\d+)*$/.test(word) ? Number(word.replaceAll("_", "")) : word;
/** A switch. */
export const switchType = type(
  "",
  "is neither true nor false",
  "true or false",
  (value) => typeof value === "boolean" ? value : undefined,
  () => true,
);

/** Any text but an empty one. */
export const text = (shown: string) =>
  textType(shown, "is no text, or empty", "give it a text", (word) => word || undefined);

/** A text of a form. */
export const textOfForm = (shown: string, holds: RegExp, what: string, hint: Type["hint"]) =>
  textType(shown, what, hint, (word) => holds.test(word) ? word : undefined);

/** A whole number. */
export const wholeNumber = ([least, most]: readonly [number, number]) =>
  type(
    "N",
    `is no whole number from ${least} to ${most}`,
    `give it as digits, from ${least} on`,
    (value) => isWithin(value, [least, most]) ? value : undefined,
    digits,
  );

/** `5%`, as a share. */
export const percentage = textType("5%", "is no percentage", "for example 5%", (word) => {
  const number = /^(\d+(?:\.\d+)?)\s*%$/.exec(word.trim())?.[1];
  return number === undefined ? undefined : Number(number) / 100;
});

const isSeconds = (ms: unknown) => isWithin(ms, RANGES.secondsMs) && ms % 1_000 === 0;

/** Whole seconds in milliseconds, as programs give them. */
export const wholeSecondsMs = type(
  "N",
  "is not whole seconds in milliseconds",
  "such as 3_000",
  (value) => isSeconds(value) ? value as number : undefined,
);

/** Whole seconds: `3s`, read in milliseconds. */
export const seconds = textType("3s", "is no duration of whole seconds from 1s to 10m", "written 3s or 2m", (word) => {
  const ms = parseDurationMs(word);
  return isSeconds(ms) ? ms : undefined;
});

/** The time of a command, from one second to ten hours: `10m`, read in milliseconds. */
export const minutes = textType("10m", "is no time from 1s to 600m", "written 90s or 10m", (word) => {
  const ms = parseDurationMs(word);
  return isWithin(ms, [1_000, 36_000_000]) ? ms : undefined;
});

/** `2-3,5`. */
export const cpus = textType("LIST", "is no list of CPUs", "lists are written 1 or 2-3,5", parseCpuList);

/** One of some names. */
export const oneOf = <T extends string>(names: readonly T[]) =>
  textType<T>(
    "NAME",
    `is none of ${names.join(", ")}`,
    (value) => knownNames(String(value), names),
    (name) => names.find((each) => each === name),
  );

/** Several names with commas between them. */
export const words: Type<string[], OneOrMore<string>> = { ...listOfType(text("a,b"), listWords), shown: "a,b" };

/** The label of a run's cells, if several runs are compared. */
export const label = textType(
  "NAME",
  "is no label",
  `letters, digits, dots, underscores and dashes, and not "${AA}"`,
  (word) => /^[a-z0-9][a-z0-9._-]{0,39}$/i.test(word) && word.toLowerCase() !== AA ? word : undefined,
);

/** Shares of replies whose time load generators report. */
const REPORTED_SHARES = [0.5, 0.9, 0.95, 0.99, 0.999];

/** `p99<10ms`. */
export const limit = textType(
  "p99<10ms",
  "is no limit that can be kept",
  "write it p99<10ms; p50, p90, p95, p99 and p99.9 are told",
  (word) => {
    const made = parseLimit(word);
    return made !== undefined && REPORTED_SHARES.includes(made.share) ? made : undefined;
  },
);

/**
 * Reads a value as its type does. Throws an error that names its place.
 * @param shown the word it was given by, where that is another
 */
export function readAs<T>(
  { read, secret, hint }: Pick<Type<T>, "read" | "secret" | "hint">,
  value: unknown,
  origin: Origin,
  shown?: string,
): T {
  const made = read(value);
  if (!(made instanceof ValueFault)) return made;
  const { what, path } = made;
  const part = path.reduce<unknown>((whole, key) => (whole as Record<PropertyKey, unknown> | null)?.[key], value);
  const hinted = typeof hint === "string" ? hint : hint(part);
  if (origin.from !== "config" && path.some((key) => typeof key === "string")) {
    throw faultAt(origin, `"${path.map(String).join(".")}" ${what}`, hinted);
  }
  const shownValue = path.length > 0 ? part : shown ?? part;
  throw refused(
    origin.from === "config" ? { ...origin, path: [...origin.path, ...path] } : origin,
    secret && typeof shownValue === "string" ? shownValue.replace(/=.*/s, "=…") : shownValue,
    what,
    hinted,
  );
}
