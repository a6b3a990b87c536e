import type { RuntimeName } from "../../servers/runtime.ts";
import type { Outcome } from "./outcome.ts";

/** Outcomes of one exchange by runtime. */
export type Outcomes = Readonly<Partial<Record<RuntimeName, Outcome>>>;

/**
 * A class of requests that each parser may treat in its way. Words with "|" between them say what a runtime may do:
 * - a text of an {@link Outcome}, in which `*` is any status but a 5xx;
 * - `app`: it hands the request to the app, and all who do must get the same status and body;
 * - `any`: it hands on something that it made.
 */
export interface KnownDifference {
  /** Names of mutations. */
  readonly of: readonly string[];
  /** Parts of the titles of the apps it is about; all where it is left out. */
  readonly apps?: readonly string[];
  readonly answers: Readonly<Record<RuntimeName, string>>;
  readonly why: string;
}

/** A class of requests that a framework answers with a 5xx, though the client is at fault. */
export interface KnownFault {
  /** Titles of the apps. */
  readonly apps: readonly string[];
  /** Names of mutations. */
  readonly of: readonly string[];
  readonly why: string;
}

/** True if a 5xx is known of a framework. */
export function isKnownFault(known: readonly KnownFault[], app: string, mutation: string): boolean {
  return known.some(({ apps, of }) => apps.includes(app) && of.includes(mutation));
}

/** True if runtimes did different things. */
export function differs(outcomes: Outcomes): boolean {
  const [first, ...rest] = Object.values(outcomes);
  return rest.some(({ text, bodies }) => text !== first!.text || bodies !== first!.bodies);
}

/** `node 400, deno 200, bun 200`, and whether bodies alone differ. */
export function differenceText(outcomes: Outcomes): string {
  const texts = Object.entries(outcomes).map(([runtime, { text }]) => `${runtime} ${text}`);
  const alike = new Set(Object.values(outcomes).map(({ text }) => text)).size === 1;
  return texts.join(", ") + (alike ? ", bodies differ" : "");
}

/** The entry that says why a difference is none of the apps' making; undefined where none does. */
export function explanationOf(
  known: readonly KnownDifference[],
  app: string,
  mutation: string,
  outcomes: Outcomes,
): KnownDifference | undefined {
  return known.find((entry) =>
    entry.of.includes(mutation) && (entry.apps?.some((part) => app.includes(part)) ?? true) && allows(entry, outcomes)
  );
}

/** True if an outcome is one that a word names. */
function matches(word: string, text: string): boolean {
  if (word === "any") return !/\b5\d\d\b/.test(text);
  return word === text || new RegExp(`^${word.replaceAll("*", "[1-4]\\d\\d")}$`).test(text);
}

function allows({ answers }: KnownDifference, outcomes: Outcomes): boolean {
  const handedOn: Outcome[] = [];
  for (const [runtime, outcome] of Object.entries(outcomes)) {
    const words = answers[runtime as RuntimeName].split("|");
    if (words.some((word) => word !== "app" && matches(word, outcome.text))) continue;
    if (!words.includes("app") || !matches("any", outcome.text)) return false;
    handedOn.push(outcome);
  }
  return !differs(Object.fromEntries(handedOn.map((outcome, n) => [n, outcome])) as Outcomes);
}
