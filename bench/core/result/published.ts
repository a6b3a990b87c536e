import { cellFileStem } from "../cell.ts";
import { MAIN } from "../plan.ts";
import { type CellCard, cellCard, makeCellCards } from "./cell-card.ts";
import type { JournalLine } from "./journal-line.ts";
import type { RunRecord } from "./run-record.ts";
import { summarise } from "./summarise.ts";
import { type Summary, summarySchema } from "./summary.ts";

/** What a run publishes: nothing in it but what follows from run.json and trials.ndjson. */
export interface Published {
  readonly cards: readonly CellCard[];
  readonly summary: Summary;
  /** File name in the run's folder and what stands in it. */
  readonly files: ReadonlyMap<string, unknown>;
}

/** Derives everything published from a run's plan and journal. Throws when it would break its own schema. */
export function publish(run: RunRecord, journal: readonly JournalLine[]): Published {
  const trials = journal.filter((line) => line.schema === "levelfield.trial/1");
  const place = new Map(run.plan.subjects.map((subject, index) => [JSON.stringify(subject), index]));
  const cards = makeCellCards(run.run, trials)
    .map((card) => cellCard.parse(card))
    .sort((a, b) => placeOf(place, a) - placeOf(place, b));
  const summary = summarySchema.parse(summarise(run, journal));
  const files = new Map<string, unknown>(cards.map((card) => [`cells/${cardFileName(card)}`, card]));
  files.set("summary.json", summary);
  return { cards, summary, files };
}

/** `node-sqlite-10k.json`, with the label where it is not the main one. */
export function cardFileName({ cell, label }: Pick<CellCard, "cell" | "label">): string {
  return `${cellFileStem(cell)}${label === MAIN ? "" : `@${label}`}.json`;
}

function placeOf(places: ReadonlyMap<string, number>, { cell, label }: CellCard): number {
  return places.get(JSON.stringify({ cell, label })) ?? Number.MAX_SAFE_INTEGER;
}
