/**
 * Reasons for which a statistic cannot be had: a code and its facts. Code decides by these; {@link lossText} makes the
 * words, once.
 */
import { counted } from "../basics/units.ts";

/** The codes of lacks, each with the words of its facts. */
const WORDS = {
  "too-few-rounds": ({ n }: Count) => `${n} of the two rounds a comparison needs`,
  "too-few-a-side": ({ n }: Count) => `${n} of the two values a side that a comparison needs`,
  "too-few-values": ({ n }: Count) => `${n} of the two values needed`,
  "too-few-for-trend": ({ n, least }: OfLeast) => `${n} of the ${counted(least, "round")} a trend needs`,
  "too-few-telling": ({ n, least }: OfLeast) => `${n} of the ${counted(least, "round")} that say something`,
  "too-few-complete": ({ n }: Count) => `${n} of the two rounds needed have a rate at every value`,
  "too-few-for-interval": ({ n, level, least }: OfLeast & { level: number }) =>
    `${counted(n, "value gives", "values give")} no ${percentText(level)} interval of a median: it needs ${least}`,
  "no-values": () => "there are no values",
  "value-not-positive": ({ value, round }: { value: number; round: number | null }) =>
    `${round === null ? "a value is" : `round ${round} has the value`} "${value}", which is not positive`,
  "rate-not-positive": ({ value, rps }: { value: number; rps: number | null }) =>
    `value "${value}" has "${rps}" req/s; both must be positive`,
  "no-spread": () => "every round gave the same ratio: the values look copied, not measured",
  "span-short": ({ least }: { least: number }) => `values must span a factor of ${least} to tell one law from another`,
  "across-edge": ({ law }: { law: string }) =>
    `the interval of the exponent reaches across the edge of ${law}: more rounds would tell`,
  "slices-short": ({ n, least }: OfLeast) => `${n} of ${counted(least, "slice")}`,
  "empty-slice": () => "a slice has no request or no CPU time",
  "no-interval": () => "too few slices for an interval",
  "too-noisy": () => "too noisy to say",
} as const;

interface Count {
  readonly n: number;
}

interface OfLeast extends Count {
  readonly least: number;
}

const percentText = (level: number) => `${Number((level * 100).toFixed(3))} %`;

type LackCode = keyof typeof WORDS;

type FactsOf<Code extends LackCode> = Parameters<typeof WORDS[Code]> extends [infer Facts] ? Readonly<Facts>
  : Readonly<Record<string, never>>;

/** A reason for which a statistic cannot be had. */
export type Lack<Code extends LackCode = LackCode> = {
  readonly [C in Code]: { readonly code: C; readonly facts: FactsOf<C> };
}[Code];

/** Returns a lack of a code. */
export const lack = <Code extends LackCode>(code: Code, ...[facts]: Parameters<typeof WORDS[Code]>): Lack<Code> =>
  ({ code, facts: facts ?? {} }) as Lack<Code>;

/** Returns the words of a lack, a part of a sentence. */
export const lossText = ({ code, facts }: Lack): string => WORDS[code](facts as never);
