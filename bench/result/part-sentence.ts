/** Sentences made from claims alone. It takes no library, because the page runs it too. */
import { formatRatio, percent } from "../basics/units.ts";
import type { AnswerClaim, AnswerPart } from "../record/answer-schema.ts";
import { listed } from "./questions.ts";

type Part = Omit<AnswerPart, "sentence">;

/** Up to so many values are named one by one. */
const MOST_NAMED = 3;
/** Ratios no further apart than this are shown as about the one between them, which is then at most 5 % off. */
const ABOUT = 1.1;
/** The least ratio shown that way; smaller ones above 1 are shown by both ends. */
const ABOUT_FROM = 1.5;

/**
 * A part in words, without a stop at its end: what to take, by how much, where not, and what is not known.
 */
export function partSentence(part: Part): string {
  return `${saidText(part)}${basisText(part.claims)}`;
}

function saidText(part: Part): string {
  if (part.kind === "warning" && part.note !== "") return warningText(part);
  if (part.kind === "caveat") {
    return `${part.about} ${part.note}; it is ${winsText(part, part.about)}${restText(part, part.about)}`;
  }
  return part.picks.length === 0 ? openText(part) : takenText(part);
}

/** `wind, 1.56 × steam; 1.08 × water at iron, no verdict at rope`; `wind or water, each about 1.8 × steam; …`. */
function takenText(part: Part): string {
  const { picks } = part;
  const shared = picks.length > 1 ? sharedText(part) : null;
  const wins = shared ??
    (picks.length === 1
      ? winsText(part, picks[0]!)
      : picks.map((pick) => [pick, winsText(part, pick, ", ")]).filter(([, text]) => text !== "")
        .map(([pick, text]) => `${pick} ${text}`).join("; "));
  return `${listed(picks, "or")}${wins === "" ? "" : `, ${wins}`}${
    restText(part, picks.length === 1 ? picks[0]! : null)
  }`;
}

/**
 * Returns the text for picks that are all faster than one other value alone, at the same places: by how much each, or
 * all; else null.
 */
function sharedText({ picks, claims }: Part): string | null {
  const wins = picks.map((pick) => winsOf({ picks, claims }, pick).named);
  const [first] = wins.flat();
  if (
    first === undefined ||
    wins.some((win) => win.length !== 1 || win[0]!.over !== first.over || win[0]!.where !== first.where)
  ) return null;
  const [least, greatest] = spanOf(wins.flat());
  const isBound = wins.flat().some((claim) => claim.at_least === true);
  const over = `${first.over}${atText(first)}`;
  if (greatest <= ABOUT * least && !isBound) return `each ${timesText(least, greatest)} ${over}`;
  const each = wins.flat().map((claim) => `${claim.value} ${claimText(claim)}`);
  return `${listed(each)} ${over}`;
}

const spanOf = (claims: readonly AnswerClaim[]) =>
  [Math.min(...claims.map((one) => one.least)), Math.max(...claims.map((one) => one.greatest))] as const;

/**
 * Returns by how much a value is faster than others: claims for all places first, then the nearest ratio first, with
 * places without a verdict.
 */
function winsText({ picks, claims, untold }: Part, value: string, between = "; "): string {
  const { named, more } = winsOf({ picks, claims }, value);
  const texts = named.map((claim) => {
    const without = picks.length > 1 ? undefined : untold.find((one) => isOf(one, claim));
    const none = without === undefined ? "" : `, no verdict${without.where === "" ? "" : ` at ${without.where}`}`;
    return `${claimText(claim)} ${claim.over}${atText(claim)}${none}`;
  });
  if (more.length > 0) {
    const [least, greatest] = spanOf(more);
    const bound = more.some((claim) => claim.at_least === true) ? "at least " : "";
    const partly = more.some(({ where }) => where !== "") ? " at some places" : "";
    texts.push(`${bound}${timesText(least, greatest)} the other ${more.length}${partly}`);
  }
  return texts.join(between);
}

/** Returns the values that a value is faster than: some named one by one, the rest combined. */
function winsOf({ picks, claims }: Pick<Part, "picks" | "claims">, value: string) {
  const wins = claims.filter((claim) => claim.says === "faster" && claim.value === value && !picks.includes(claim.over))
    .toSorted((a, b) => Number(a.where !== "") - Number(b.where !== "") || a.ratio - b.ratio);
  const named = wins.length <= MOST_NAMED + 1 ? wins : wins.slice(0, MOST_NAMED);
  return { named, more: wins.slice(named.length) };
}

/** True if an open comparison is of the same two values as a claim. */
const isOf = (one: Part["untold"][number], { value, over }: AnswerClaim) =>
  one.value === value && one.over === over || one.value === over && one.over === value;

/**
 * Returns all but the wins: losses, ties, and open comparisons, each after a semicolon.
 *
 * @param named the value whose wins, and places without a verdict, were named; null if several were
 */
function restText({ picks, claims, untold }: Part, named: string | null): string {
  const tie = (says: AnswerClaim["says"], inside: boolean) =>
    claims.filter((claim) =>
      claim.says === says && (picks.includes(claim.value) && picks.includes(claim.over)) === inside
    );
  const losses = claims.filter(({ says, over, value }) =>
    says === "faster" && (picks.includes(over) || !picks.includes(value))
  );
  const wins = named === null || picks.length > 1 ? [] : winsOf({ picks, claims }, named).named;
  const others = untold.filter((one) => !wins.some((claim) => isOf(one, claim)));
  const among = betweenText(tie("no-difference", true), tie("equivalent", true), picks);
  const ties = [
    ...(among === "" ? [] : [among]),
    ...tiesText("between", "and", tie("no-difference", false), among === ""),
  ];
  const texts = [
    ...lossTexts(losses, picks),
    ...ties,
    ...tiesText("", "equals", tie("equivalent", false)),
    ...untoldTexts(others, picks),
  ];
  return texts.filter((text) => text !== "").map((text) => `; ${text}`).join("");
}

/** Returns the places without a verdict: `no verdict between them`, `no verdict on steam and wind at iron`. */
function untoldTexts(untold: Part["untold"], picks: readonly string[]): string[] {
  const [inside, outside] = [true, false].map((among) =>
    untold.filter(({ value, over }) => (picks.includes(value) && picks.includes(over)) === among)
  );
  const pairs = inside!.map((one) => `${picks.length === 2 ? "them" : `${one.value} and ${one.over}`}${atText(one)}`);
  return [
    ...pairs.map((text) => `no verdict between ${text}`),
    ...[...Map.groupBy(outside!, ({ where }) => where).values()].map((same) => {
      const names = same.map(({ over, value }) => picks.includes(over) ? value : over);
      return `no verdict on ${listed([...new Set(names)])}${atText(same[0]!)}`;
    }),
  ];
}

/** Returns the words on picks among themselves: no verdict calls one of them faster. */
function betweenText(near: readonly AnswerClaim[], same: readonly AnswerClaim[], picks: readonly string[]): string {
  if (near.length + same.length === 0) return "";
  const them = picks.length === 2 ? "them" : listed(picks);
  return near.length === 0
    ? `${them === "them" ? "both" : them} are equivalent`
    : `${noDifference(near)} between ${them}`;
}

/**
 * `no difference above about 19 %`: what would as a rule have been seen; without a figure that none was found.
 *
 * @param first false after another such text: `nor above about 19 %`
 */
function noDifference(claims: readonly AnswerClaim[], first = true): string {
  const visible = claims.map((claim) => claim.visible ?? null);
  const lead = first ? "no difference" : "nor";
  return visible.includes(null)
    ? first ? `${lead} found` : lead
    : `${lead} above about ${aboutPercent(Math.max(...visible.map((share) => share!)))}`;
}

/** `19 %`, `1.2 %`: two digits. */
export const aboutPercent = (share: number): string =>
  share >= 0.0995 ? percent(share, 0) : percent(share, share < 0.00995 ? 2 : 1);

/** Returns the values that are faster than a pick, one text for each group of places; then those faster than others. */
function lossTexts(losses: readonly AnswerClaim[], picks: readonly string[]): string[] {
  const [against, others] = [true, false].map((inside) => losses.filter(({ over }) => picks.includes(over) === inside));
  return [...winTexts(against!).map((text) => `but ${text}`), ...winTexts(others!)];
}

/** `wind is 1.10 × steam and 1.25 × water, sun is 2.00 × steam at iron`: one text for each group of places. */
function winTexts(claims: readonly AnswerClaim[]): string[] {
  return [...Map.groupBy(claims, ({ where }) => where).values()].map((same) => {
    const each = [...Map.groupBy(same, ({ value }) => value)].map(([value, same]) =>
      `${value} is ${listed(same.map((claim) => `${claimText(claim)} ${claim.over}`))}`
    );
    return `${listed(each)}${atText(same[0]!)}`;
  });
}

/**
 * Returns values that verdicts do not separate, by their places. Values with the same others are named together.
 *
 * @param first true if no such text stands before
 */
function tiesText(before: string, word: string, claims: readonly AnswerClaim[], first = true): string[] {
  const parts = [...Map.groupBy(claims, ({ value, where }) => JSON.stringify([value, where])).values()]
    .map((some) => ({
      some,
      value: some[0]!.value,
      rest: `${listed(some.map(({ over }) => over), "or")}${atText(some[0]!)}`,
    }));
  return [...Map.groupBy(parts, ({ rest }) => rest)].map(([rest, same], n) => {
    const none = before === "" ? "" : `${noDifference(same.flatMap(({ some }) => some), first && n === 0)} ${before} `;
    return `${none}${listed(same.map(({ value }) => value), "or")} ${word} ${rest}`;
  });
}

/**
 * Returns why no value is taken, in a few words for headings: `undecided, as none leads at any of the 5 places`; that
 * all are equivalent, if they are.
 *
 * @param why there is no pick
 */
export function openHead({ claims, untold }: Pick<Part, "claims" | "untold">, why: string): string {
  if (claims.length === 0) return "not decided";
  const wins = claims.filter(({ says }) => says === "faster");
  const { decided, all } = countsOf({ claims, untold });
  if (decided === 0) return all === 1 ? "undecided" : `undecided, as none of ${all} is decided`;
  if (claims.every(({ says }) => says === "equivalent")) {
    return `${namesOf(claims)} are equivalent${untold.length === 0 ? "" : WHERE_DECIDED}`;
  }
  const turns = wins.some((one) => wins.some((other) => one.value === other.over && one.over === other.value));
  return `${turns ? "it depends" : "undecided"}, as ${why}`;
}

const namesOf = (claims: Part["claims"]) => listed([...new Set(claims.flatMap(({ value, over }) => [value, over]))]);

const placesOf = (all: readonly { readonly places: number }[]) => all.reduce((sum, { places }) => sum + places, 0);

/** Returns the comparisons of a main part without picks: those that are decided, and all. */
function countsOf({ claims, untold }: Pick<Part, "claims" | "untold">) {
  const decided = placesOf(claims.filter(({ says }) => says !== "no-difference"));
  return { decided, all: placesOf(claims) + placesOf(untold) };
}

/** Returns what is decided where that carries no pick: `undecided, as none leads; 3 of 15 decided: wind is …`. */
function openText({ open = "undecided", claims, untold }: Part): string {
  const of = (says: AnswerClaim["says"]) => claims.filter((claim) => claim.says === says);
  const [wins, same, near] = [
    of("faster").toSorted((a, b) => b.places - a.places),
    of("equivalent"),
    of("no-difference"),
  ];
  if (claims.length === 0) return `${open}: there is no verdict`;
  if (wins.length + near.length === 0) return open;
  if (wins.length + same.length === 0) {
    return `${open}: ${noDifference(near)} between ${namesOf(claims)}${untold.length === 0 ? "" : WHERE_DECIDED}`;
  }
  const rest = [
    ...(near.length === 0
      ? []
      : [`${placesOf(near)} ${placesOf(near) === 1 ? "shows" : "show"} ${noDifference(near)}`]),
    ...(untold.length === 0 ? [] : [`${placesOf(untold)} ${placesOf(untold) === 1 ? "has" : "have"} no verdict`]),
  ];
  const texts = [...winTexts(wins), ...tiesText("", "equals", same)];
  const { decided, all } = countsOf({ claims, untold });
  const others = rest.length === 0 ? [] : [`of the others ${listed(rest)}`];
  return `${open}; ${decided} of ${all} decided: ${[...texts, ...others].join("; ")}`;
}

const WHERE_DECIDED = ", where there is a verdict";

/** Returns a suite's warning: `steam shows what coal costs; wind is 5.34 to 22.1 × steam`. */
function warningText({ about, note, claims, untold }: Part): string {
  const named = claims.filter(({ says }) => says === "faster").map(winText);
  const none = named.length === 0 && untold.length > 0 ? ["no verdict"] : [];
  return [`${about} ${note}`, ...named, ...none].join("; ");
}

/** `wind is 1.10 to 1.25 × steam at iron`. */
const winText = (claim: AnswerClaim) => `${claim.value} is ${claimText(claim)} ${claim.over}${atText(claim)}`;

/**
 * The ratio of a claim; of a lower bound the lower end of its interval: `at least 2.28 ×`. One that moves with the core's
 * speed: `1.39 (slow core) to 1.51 (fast core) ×`.
 */
const claimText = ({ at_least, core, least, greatest, interval }: AnswerClaim): string => {
  if (at_least === true) return `at least ${formatRatio(interval.low)} ×`;
  if (core !== undefined) return `${formatRatio(core.slow)} (slow core) to ${formatRatio(core.fast)} (fast core) ×`;
  return timesText(least, greatest);
};

/** `1.80 ×`, `about 1.8 ×`, `1.6 to 2.5 ×`. */
export function timesText(least: number, greatest: number): string {
  const [from, to] = [formatRatio(least), formatRatio(greatest)];
  if (from === to) return `${from} ×`;
  if (greatest > ABOUT * least || least < ABOUT_FROM) return `${from} to ${to} ×`;
  const middle = Math.sqrt(least * greatest);
  return `about ${middle < 9.95 ? middle.toFixed(1) : middle.toPrecision(2)} ×`;
}

const atText = ({ where }: Pick<AnswerClaim, "where">) => where === "" ? "" : ` at ${where}`;

/** Returns the words for verdicts that do not rest on servers measured together. */
function basisText(claims: readonly AnswerClaim[]): string {
  if (claims.every(({ basis }) => basis === "together")) return "";
  return claims.every(({ basis }) => basis === "solo") ? "; by single rates" : "; partly by single rates";
}
