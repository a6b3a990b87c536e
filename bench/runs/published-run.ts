import { join } from "node:path";
import { cellCard } from "../record/card.ts";
import { cardFile } from "../record/cell.ts";
import { publish } from "../result/published.ts";
import { cardFilesOf, isPublished, journalRows, readJson, readRun, readRunSummary } from "./read-run.ts";

/**
 * Reads the published results of a run, with the complete lines of its journal as text. A run stopped before it published
 * is summed up here, as is one that an earlier version published. `bench verify` checks that cards and lines agree.
 */
export function readPublishedRun(path: string) {
  const { rows: lines } = journalRows(join(path, "journal.ndjson"));
  if (!isPublished(path)) {
    const { run, lines: journal } = readRun(path);
    const { cards, summary } = publish(run, journal);
    return { path, run, cells: cards, summary, lines };
  }
  const { run, summary } = readRunSummary(path);
  const { cells, axes } = run.plan;
  const place = new Map(cells.map((cell, index) => [cardFile(axes, cell), index]));
  const placeOf = (file: string) => place.get(file) ?? cells.length;
  const files = cardFilesOf(path).sort((a, b) => placeOf(a) - placeOf(b));
  return { path, run, cells: files.map((file) => readJson(join(path, file), cellCard)), summary, lines };
}
