import type { AnswerClaim, AnswerPart } from "../record/answer-schema.ts";
import { capitalized, counted, twoDigits } from "../basics/units.ts";
import { MOST_NAMED } from "../basics/visible.ts";
import { EQUAL, NOT_COMPARED, OPEN_WORD, VERDICTS } from "../record/verdicts.ts";
import { atText, claimsText, greatestRatio, spanOf, winTexts } from "./claim-texts.ts";
import { listed } from "./questions.ts";

type Part = Omit<AnswerPart, "sentence">;
type Told = Pick<Part, "picks" | "claims" | "untold">;

/** The most letters for names of places; longer lists are counted, since the table shows them. */
const MOST_LETTERS = 48;
/** Ranges of ratios that together span no more than this factor are reported as one. */
const ONE_SPAN = 1.4;

/** Returns clauses without a full stop, the most important first; `joint` separates picks and ratio. */
export function partClauses(part: Part, joint = ": "): string[] {
  const clauses = part.kind === "warning" && part.note !== ""
    ? warningClauses(part)
    : part.kind === "caveat"
    ? [`${part.about} ${part.note}${after(": ", footnoteText(part, part.about))}`, ...lossTexts(byPicks(part).losses)]
    : part.picks.length > 0
    ? [`${listed(part.picks, "or")}${after(joint, winsText(part))}`, ...restClauses(part)]
    : part.by === undefined
    ? openClauses(part)
    : byClauses(part.by);
  return [...clauses.filter((text) => text !== ""), ...basisClauses(part.claims)];
}

/** The same as one text, to follow a title and a colon. */
export const partSentence = (part: Part): string => partClauses(part, ", ").join(". ");

const after = (joint: string, text: string) => text === "" ? "" : `${joint}${text}`;

/** Groups claims by their picks: one of them against another value, two of them, or none. */
function byPicks({ picks, claims, untold }: Told) {
  const count = ({ value, over }: { readonly value: string; readonly over: string }) =>
    [value, over].filter((each) => picks.includes(each)).length;
  const saying = (says: AnswerClaim["says"], picked: number) =>
    claims.filter((claim) => claim.says === says && count(claim) === picked);
  return {
    wins: saying("faster", 1).filter(({ value }) => picks.includes(value)),
    losses: saying("faster", 1).filter(({ over }) => picks.includes(over)),
    equal: saying("equivalent", 1),
    near: saying("no-difference", 1),
    inside: claims.filter((claim) => count(claim) === 2),
    apart: saying("faster", 0),
    untold: (picked: number) => untold.filter((one) => count(one) === picked),
  };
}

/** `1.3 to 2.0 × node`; `1.1 × water, 1.4 to 1.9 × steam at iron`; `1.2 to 4.9 × the other 6 where decided`. */
function winsText(part: Told): string {
  const { picks } = part, { wins } = byPicks(part);
  const byOver = [...Map.groupBy(wins, ({ over }) => over)].map(([over, some]) => ({ over, some }))
    .toSorted((a, b) => spanOf(a.some)[1] - spanOf(b.some)[1]);
  if (byOver.length === 0) return "";
  const isWhole = ({ some }: { readonly some: readonly AnswerClaim[] }) =>
    some.length === picks.length && some.every(({ where, places, of }) => where === "" && places === of);
  const [least, greatest] = spanOf(wins);
  const together = (names: string) => `${claimsText(wins)} ${names}${byOver.every(isWhole) ? "" : " where decided"}`;
  if (byOver.length > MOST_NAMED) return together(`the other ${byOver.length}`);
  const isPlain = byOver.every(isWhole) && wins.every((claim) => claim.at_least !== true && claim.core === undefined);
  if (byOver.length > 1 && isPlain && greatest <= ONE_SPAN * least) {
    return together(listed(byOver.map(({ over }) => over)));
  }
  return byOver.map((one) => {
    const where = isWhole(one) ? "" : one.some.length === 1 ? atText(one.some[0]!) : " where decided";
    return `${claimsText(one.some)} ${one.over}${where}`;
  }).join(", ");
}

function restClauses(part: Told): string[] {
  const { losses, equal, near, apart, untold } = byPicks(part);
  const open = [...near, ...untold(1)], reach = greatestRatio(near);
  const atMost = reach === null ? "" : ` (at most ${twoDigits(reach)} × apart)`;
  return [
    ...lossTexts(losses),
    ...amongPicks(part),
    ...(open.length === 0 ? [] : [`${capitalized(OPEN_WORD)} against ${placesOfOthers(open, part.picks)}${atMost}`]),
    ...(equal.length === 0 ? [] : [`${capitalized(EQUAL)}: ${placesOfOthers(equal, part.picks)}`]),
    ...winTexts(apart).map((text) => `Of the others ${text}`),
  ];
}

/** `But bun is 3.2 to 5.1 × deno, node 1.1 × at iron`: values that are faster than a pick, the fastest first. */
function lossTexts(losses: readonly AnswerClaim[]): string[] {
  return [...Map.groupBy(losses, ({ where }) => where).values()].flatMap((same) => {
    if (same.some(({ over }) => over !== same[0]!.over)) return winTexts(same).map((text) => `But ${text}`);
    const [first, ...others] = same.toSorted((a, b) => b.greatest - a.greatest);
    const more = others.map((claim) => `, ${claim.value} ${claimsText([claim])}`).join("");
    return `But ${first!.value} is ${claimsText([first!])} ${first!.over}${more}${atText(first!)}`;
  });
}

/** `Which of the two: not decided, at most 1.4 × apart`; which of the picks is faster where. */
function amongPicks(part: Told): string[] {
  const { picks } = part, { inside, untold } = byPicks(part);
  if (picks.length < 2) return [];
  const wins = inside.filter(({ says }) => says === "faster");
  if (wins.length > 0) return winTexts(wins).map((text) => `But ${text}`);
  const near = inside.filter(({ says }) => says === "no-difference");
  if (near.length + untold(2).length === 0) return inside.length === 0 ? [] : [`They are ${EQUAL}`];
  const reach = greatestRatio(near);
  const count = picks.length === 2 ? "two" : "three";
  return [`Which of the ${count}: ${OPEN_WORD}${reach === null ? "" : `, at most ${twoDigits(reach)} × apart`}`];
}

/** `hono and h3 at deno, fastify at node`; of places in many words their number: `bun at 3 of 12 places`. */
function placesOfOthers(
  some: readonly {
    readonly value: string;
    readonly over: string;
    readonly where: string;
    readonly places: number;
    readonly of: number;
  }[],
  picks: readonly string[],
): string {
  const nameOf = ({ value, over }: { readonly value: string; readonly over: string }) =>
    picks.includes(value) ? over : value;
  const groups = [...Map.groupBy(some, ({ where }) => where)].map(([where, same]) => ({
    where,
    names: [...new Set(same.map(nameOf))],
  }));
  const whole = groups.map(({ where, names }) => `${listed(names)}${atText({ where })}`).join(", ");
  if (whole.length <= MOST_LETTERS) return whole;
  return [...Map.groupBy(some, nameOf)].map(([name, own]) => {
    const places = own.reduce((sum, one) => sum + one.places, 0);
    return `${name} at ${places} of ${counted(Math.max(...own.map(({ of }) => of)), "place")}`;
  }).join(", ");
}

/** `at node and deno: pg, 1.4 to 1.9 × postgres`, `at bun: not decided`: the picks by the values of another axis. */
const byClauses = ({ groups }: NonNullable<Part["by"]>): string[] =>
  groups.toSorted((a, b) => Number(a.picks.length === 0) - Number(b.picks.length === 0)).flatMap((group) => {
    const { values, picks, claims } = group, at = `At ${listed(values)}: `;
    return picks.length === 0
      ? [`${at}${OPEN_WORD}${after(", but ", provenText(claims))}`]
      : [`${at}${listed(picks, "or")}${after(", ", winsText(group))}`, ...lossTexts(byPicks(group).losses)];
  });

/** Returns the proven differences where nothing is taken, the largest first: `sun is 19 × steam and wind at iron; 2 more`. */
function provenText(claims: readonly AnswerClaim[]): string {
  const texts = winTexts(claims.filter(({ says }) => says === "faster").toSorted((a, b) => b.greatest - a.greatest));
  const more = texts.length - MOST_NAMED;
  return `${texts.slice(0, MOST_NAMED).join("; ")}${more > 0 ? `; ${more} more` : ""}`;
}

/** No pick at all: that all are equal, or what is open and what is proven all the same. */
function openClauses({ claims, untold }: Told): string[] {
  const proven = provenText(claims);
  const near = claims.filter(({ says }) => says === "no-difference");
  const names = listed([...new Set([...claims, ...untold].flatMap(({ value, over }) => [value, over]))]);
  if (claims.length > 0 && claims.every(({ says }) => says === "equivalent")) {
    return [`${names} are ${EQUAL}${untold.length === 0 ? "" : " where decided"}`];
  }
  const reach = greatestRatio(near);
  if (proven === "") {
    return [reach === null ? OPEN_WORD : `${OPEN_WORD}: ${names} may be up to ${twoDigits(reach)} × apart`];
  }
  return [
    OPEN_WORD,
    `Proven: ${proven}`,
    ...(reach === null ? [] : [`The others may be up to ${twoDigits(reach)} × apart`]),
  ];
}

/** `1.3 to 1.4 × water and steam where decided`: how much faster a value is than all others, or they than it. */
function footnoteText({ claims, untold }: Told, about: string, isSlower = false): string {
  const wins = claims.filter(({ says, value, over }) => says === "faster" && (isSlower ? over : value) === about);
  if (wins.length === 0) return untold.length > 0 ? VERDICTS[NOT_COMPARED.verdict].word : "";
  const names = listed([...new Set(wins.map(({ value, over }) => isSlower ? value : over))]);
  const isWhole = wins.every(({ where, places, of }) => where === "" && places === of) && untold.length === 0;
  return `${claimsText(wins)} ${isSlower ? "slower than " : ""}${names}${isWhole ? "" : " where decided"}`;
}

/** A suite's warning: `steam shows what coal costs: 5.3 to 22 × slower than wind`; where it is faster all the same. */
const warningClauses = ({ about, note, claims, ...part }: Part): string[] => [
  `${about} ${note}${after(": ", footnoteText({ ...part, claims }, about, true))}`,
  ...winTexts(claims.filter(({ says, value }) => says === "faster" && value === about)).map((text) => `But ${text}`),
];

const basisClauses = (claims: readonly AnswerClaim[]): string[] =>
  claims.length > 0 && claims.every(({ basis }) => basis === "solo")
    ? ["Measured one at a time, which is less sure"]
    : [];
