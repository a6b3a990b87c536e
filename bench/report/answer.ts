import { AA, subjectName } from "../core/plan.ts";
import type { CellCard } from "../core/result/cell-card.ts";
import type { RunRecord } from "../core/result/run-record.ts";
import type { Summary, VerdictEntry } from "../core/result/summary.ts";
import { formatRate } from "../core/units.ts";
import { isRanked } from "./page/metrics.ts";
import { verdictText } from "./verdict-lines.ts";

/** What a run says of one size: which runtime and store to take, how sure that is, and what speaks against it. */
export interface Answer {
  readonly size: number;
  readonly suite: string;
  /** The fastest cell that may be ranked; null when there is none. */
  readonly best: CellCard | null;
  /** The fastest that keeps its users on disk, where the best does not. */
  readonly durable: CellCard | null;
  /** Whole sentences, the most important first. */
  readonly sentences: readonly string[];
  /** Whether a verdict of the run carries the choice of runtime, of store. */
  readonly proven: boolean;
}

/** The answers of a run, one a suite, workload and size, the smallest first. */
export function answersOf(
  run: Pick<RunRecord, "stores">,
  summary: Summary,
  cells: readonly CellCard[],
): Answer[] {
  const own = cells.filter((card) => card.label !== AA);
  const groups = Object.groupBy(own, ({ cell }) => `${cell.suite}/${cell.workload}/${cell.size}`);
  return (Object.values(groups) as CellCard[][])
    .sort((a, b) => a[0]!.cell.size - b[0]!.cell.size)
    .map((group) => answerOf(run, summary, group));
}

function answerOf(run: Pick<RunRecord, "stores">, summary: Summary, cards: readonly CellCard[]): Answer {
  const { suite, workload, size } = cards[0]!.cell;
  const ranked = cards.filter(isRanked).sort((a, b) => b.requests_per_second! - a.requests_per_second!);
  const fastest = ranked[0] ?? null;
  const best = fastest === null ? null : beaterOf(summary, fastest, cards) ?? fastest;
  const inMemory = new Set(run.stores.filter((store) => store.durability === "memory").map((store) => store.name));
  const durable = best !== null && inMemory.has(best.cell.store)
    ? ranked.find((card) => !inMemory.has(card.cell.store)) ?? null
    : null;
  const sentences: string[] = [];
  const told: boolean[] = [];
  if (best === null) sentences.push("No cell of this size may be ranked.");
  else {
    sentences.push(openingOf(best, fastest!));
    const flags = summary.cells.find((cell) => cell.subject === subjectName(best))?.flags ?? [];
    const objections = flags.filter((flag) => flag.objection).map((flag) => flag.message);
    if (objections.length > 0) sentences.push(`Its rate is marked: ${objections.join("; ")}.`);
    for (const purpose of ["runtimes", "stores"] as const) {
      const family = familySentence(summary, purpose, best);
      if (family === null) continue;
      sentences.push(family.text);
      told.push(family.proven);
    }
  }
  if (durable !== null) {
    sentences.push(
      `${best!.cell.store} keeps users in memory only; of the stores on disk ${nameOf(durable)} leads: ${
        rateText(durable)
      }.`,
    );
  }
  const limited = cards.filter((card) => card.status === "ok" && card.bound === "generator");
  if (limited.length > 0) {
    sentences.push(
      `${limited.map(nameOf).join(", ")}: the load generator was the limit, so ${
        limited.length === 1 ? "it is" : "they are"
      } shown as "≥" and not ranked.`,
    );
  }
  return {
    size,
    suite: `${suite}/${workload}`,
    best,
    durable,
    sentences,
    proven: told.length > 0 && told.every(Boolean),
  };
}

/**
 * The cell that verdicts name as faster than the one with the highest rate: a duet proves more than two single rates,
 * also where the load generator was the limit of the rate.
 */
function beaterOf({ families }: Summary, fastest: CellCard, cards: readonly CellCard[]): CellCard | null {
  const name = subjectName(fastest);
  const winners = families.flatMap(({ verdicts }) =>
    verdicts.flatMap((entry) => {
      if (entry.verdict !== "faster" || (entry.a !== name && entry.b !== name)) return [];
      const winner = entry.winner === "a" ? entry.a : entry.b;
      return winner === name ? [] : [winner];
    })
  );
  return cards.find((card) => card.status === "ok" && winners.includes(subjectName(card))) ?? null;
}

function openingOf(best: CellCard, fastest: CellCard): string {
  if (best === fastest) return `${nameOf(best)} is the fastest ranked: ${rateText(best)}.`;
  const rate = best.bound === "generator" ? `at least ${rateText(best)}` : rateText(best);
  return `${nameOf(best)} is faster than ${nameOf(fastest)} by verdict, with ${rate}; alone ${
    nameOf(fastest)
  } reached ${rateText(fastest)}.`;
}

/** `map on bun`. */
function nameOf({ cell }: CellCard): string {
  return `${cell.store} on ${cell.runtime}`;
}

function rateText({ requests_per_second: rate, requests_per_second_interval: interval }: CellCard): string {
  const range = interval === null ? "" : ` [${formatRate(interval.low)}, ${formatRate(interval.high)}]`;
  return `${formatRate(rate!)} req/s${range}`;
}

/** What the verdicts say of the best cell against the others of its family; null without a family. */
function familySentence(
  summary: Summary,
  purpose: "runtimes" | "stores",
  best: CellCard,
): { text: string; proven: boolean } | null {
  const name = subjectName(best);
  const family = summary.families.find((candidate) =>
    candidate.purpose === purpose && candidate.verdicts.some((entry) => entry.a === name || entry.b === name)
  );
  if (family === undefined) return null;
  const subject = purpose === "runtimes" ? `Runtimes with ${best.cell.store}` : `Stores on ${best.cell.runtime}`;
  const own = family.verdicts.filter((entry) => entry.a === name || entry.b === name);
  const told = own.filter((entry) => entry.verdict !== "no-verdict");
  if (told.length === 0) {
    return { text: `${subject}: no verdict (${reasonOf(own) ?? "nothing compared them"}).`, proven: false };
  }
  const untold = own.length - told.length;
  const rest = untold === 0 ? "" : `; ${untold} without a verdict`;
  return {
    text: `${subject}: ${told.map((entry) => verdictText(family, entry)).join("; ")}${rest}.`,
    proven: told.every((entry) => entry.verdict === "faster" || entry.verdict === "equivalent") && untold === 0,
  };
}

function reasonOf(entries: readonly VerdictEntry[]): string | undefined {
  return entries.flatMap((entry) => entry.verdict === "no-verdict" ? entry.reasons : [])
    .map((reason) => reason.replace(/\.$/, ""))[0];
}
