/** Sentences made from claims alone. */
import type { AnswerClaim, AnswerPart } from "../record/answer-schema.ts";
import {
  ABOUT,
  atText,
  claimText,
  noDifference,
  spanOf,
  tiesText,
  timesText,
  winText,
  winTexts,
} from "./claim-texts.ts";
import { listed } from "./questions.ts";

type Part = Omit<AnswerPart, "sentence">;

/** Up to so many values are named one by one. */
const MOST_NAMED = 3;

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
  const shared = picks.length > 1 ? sharedText(part) ?? combinedText(part) : null;
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

/** Returns the text for several picks that are faster than many others: all ratios as one span; else null. */
function combinedText({ picks, claims }: Part): string | null {
  const wins = claims.filter(({ says, value, over }) =>
    says === "faster" && picks.includes(value) && !picks.includes(over)
  );
  const others = new Set(wins.map(({ over }) => over));
  if (others.size <= MOST_NAMED) return null;
  const isEvery = picks.every((value) =>
    [...others].every((over) => wins.some((win) => win.value === value && win.over === over && win.where === ""))
  );
  const bound = wins.some((claim) => claim.at_least === true) ? "at least " : "";
  return `${bound}${timesText(...spanOf(wins))} the other ${others.size}${isEvery ? "" : " where that is decided"}`;
}

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
    ...fewTies(tie("no-difference", false), picks, among === ""),
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

/** Returns values that verdicts do not separate from picks: one by one, or combined where there are many. */
function fewTies(claims: readonly AnswerClaim[], picks: readonly string[], first: boolean): string[] {
  const texts = tiesText("between", "and", claims, first);
  if (texts.length <= MOST_NAMED) return texts;
  const others = [...new Set(claims.flatMap(({ value, over }) => [value, over]))].filter((one) => !picks.includes(one));
  const from = others.length === 0 ? "some of the others" : listed(others);
  return [`${noDifference(claims, first)} from ${from} at some places`];
}

/** Returns the values that are faster than a pick, one text for each group of places; then those faster than others. */
function lossTexts(losses: readonly AnswerClaim[], picks: readonly string[]): string[] {
  const [against, others] = [true, false].map((inside) => losses.filter(({ over }) => picks.includes(over) === inside));
  return [...winTexts(against!).map((text) => `but ${text}`), ...winTexts(others!)];
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

/** Returns the words for verdicts that do not rest on servers measured together. */
function basisText(claims: readonly AnswerClaim[]): string {
  if (claims.every(({ basis }) => basis === "together")) return "";
  return claims.every(({ basis }) => basis === "solo") ? "; by single rates" : "; partly by single rates";
}
