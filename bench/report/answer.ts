import { AA, factsOf, placeText, textOf } from "../core/cell.ts";
import type { PlanAxis } from "../core/cell-schema.ts";
import type { CellCard } from "../core/result/cell-card.ts";
import type { RunRecord } from "../core/result/run-record.ts";
import type { Summary, VerdictEntry } from "../core/result/summary.ts";
import { byPlaces, conditionKey, conditionText, contrastText, type Layout, layoutOf } from "./layout.ts";
import { flagsByName } from "./mark.ts";
import { isRanked, rateText } from "./metrics.ts";
import { verdictText } from "./verdict-lines.ts";

/** What a run says under one combination of conditions: what to take, how sure that is, and what speaks against it. */
export interface Answer {
  /** The conditions in words: `10k rows`. */
  readonly place: string;
  /** What to take, in words; null when no cell may be ranked. */
  readonly pick: string | null;
  /** Whole sentences, the most important first. */
  readonly sentences: readonly string[];
  /** Whether verdicts of the run carry the choice on each contrast axis. */
  readonly proven: boolean;
}

/** The answers of a run, one for each combination of conditions, in the plan's order. */
export function answersOf(run: Pick<RunRecord, "plan">, summary: Summary, cells: readonly CellCard[]): Answer[] {
  const layout = layoutOf(run.plan);
  const own = cells.filter(({ cell }) => cell.label !== AA).toSorted(byPlaces(layout.conditions));
  return [...Map.groupBy(own, ({ cell }) => conditionKey(layout, cell)).values()]
    .map((group) => answerOf(run.plan.axes, layout, summary, group));
}

function answerOf(
  axes: readonly PlanAxis[],
  layout: Layout,
  summary: Summary,
  cards: readonly CellCard[],
): Answer {
  const nameOf = ({ cell }: CellCard) => contrastText(layout, cell);
  const ranked = cards.filter(isRanked).sort((a, b) => b.requests_per_second! - a.requests_per_second!);
  const fastest = ranked[0] ?? null;
  const best = fastest === null ? null : beaterOf(summary, fastest, cards) ?? fastest;
  const sentences: string[] = [];
  const told: boolean[] = [];
  if (best === null) sentences.push("No cell here may be ranked.");
  else {
    sentences.push(
      best === fastest
        ? `${nameOf(best)} is the fastest ranked: ${rateText(best)}.`
        : `${nameOf(best)} is faster than ${nameOf(fastest!)} by verdict, with ${rateText(best)}; alone ` +
          `${nameOf(fastest!)} reached ${rateText(fastest!)}.`,
    );
    const objections = flagsByName(summary)(best.name).filter((flag) => flag.objection).map(({ message }) => message);
    if (objections.length > 0) sentences.push(`Its rate is marked: ${objections.join("; ")}.`);
    for (const axis of layout.contrasts) {
      const family = familySentence(axes, layout, summary, axis, best);
      if (family === null) continue;
      sentences.push(family.text);
      told.push(family.proven);
    }
    const shown = [...layout.contrasts, ...layout.conditions];
    const caveats = shown.flatMap((axis) => {
      const caveat = factsOf(axis, best.cell.point.at)["caveat"];
      return caveat === undefined ? [] : [`${textOf(axis, best.cell.point.at)} ${caveat}`];
    });
    if (caveats.length > 0) {
      const other = ranked.find(({ cell }) =>
        shown.every((axis) => factsOf(axis, cell.point.at)["caveat"] === undefined)
      );
      const rest = other === undefined ? "" : `; of the others ${nameOf(other)} leads: ${rateText(other)}`;
      sentences.push(`${caveats.join("; ")}${rest}.`);
    }
  }
  const limited = cards.filter((card) => card.status === "ok" && card.bound === "generator");
  if (limited.length > 0) {
    sentences.push(
      `${limited.map(nameOf).join(", ")}: the load generator was the limit, so ` +
        `${limited.length === 1 ? "it is" : "they are"} shown as "≥" and not ranked.`,
    );
  }
  return {
    place: conditionText(layout, cards[0]!.cell),
    pick: best === null ? null : nameOf(best),
    sentences,
    proven: told.length > 0 && told.every(Boolean),
  };
}

/**
 * The cell that verdicts name as faster than the one with the highest rate: a duet proves more than two single rates,
 * also where the load generator was the limit of the rate.
 */
function beaterOf({ families }: Summary, { name }: CellCard, cards: readonly CellCard[]): CellCard | null {
  const winners = families.flatMap(({ verdicts }) =>
    verdicts.flatMap((entry) => {
      if (entry.verdict !== "faster" || (entry.a !== name && entry.b !== name)) return [];
      const winner = entry.winner === "a" ? entry.a : entry.b;
      return winner === name ? [] : [winner];
    })
  );
  return cards.find((card) => card.status === "ok" && winners.includes(card.name)) ?? null;
}

/** What the verdicts say of the best cell against the others on one axis; null without such a family. */
function familySentence(
  axes: readonly PlanAxis[],
  layout: Layout,
  summary: Summary,
  axis: PlanAxis,
  { name, cell }: CellCard,
): { text: string; proven: boolean } | null {
  const own = (entry: VerdictEntry) => entry.a === name || entry.b === name;
  const family = summary.families.find((candidate) =>
    candidate.kind === "axis" && candidate.axis === axis.name && candidate.verdicts.some(own)
  );
  if (family === undefined) return null;
  const shared = placeText(layout.contrasts.filter((other) => other !== axis), cell.point.at);
  const subject = shared === "" ? axis.title : `${axis.title}, with ${shared}`;
  const entries = family.verdicts.filter(own);
  const told = entries.filter((entry) => entry.verdict !== "no-verdict");
  if (told.length === 0) {
    return { text: `${subject}: no verdict (${reasonOf(entries) ?? "nothing compared them"}).`, proven: false };
  }
  const untold = entries.length - told.length;
  const rest = untold === 0 ? "" : `; ${untold} without a verdict`;
  return {
    text: `${subject}: ${told.map((entry) => verdictText(axes, summary, family, entry)).join("; ")}${rest}.`,
    proven: told.every((entry) => entry.verdict === "faster" || entry.verdict === "equivalent") && untold === 0,
  };
}

function reasonOf(entries: readonly VerdictEntry[]): string | undefined {
  return entries.flatMap((entry) => entry.verdict === "no-verdict" ? entry.reasons : [])
    .map((reason) => reason.replace(/\.$/, ""))[0];
}
