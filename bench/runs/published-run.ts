import { join } from "node:path";
import { cellCard } from "../record/card.ts";
import { cardFile } from "../record/cell.ts";
import { publish } from "../result/published.ts";
import { cardFilesOf, isPublished, readJson, readRun, readSummary } from "./read-run.ts";

/** Reads the published results of a run with its lines; a run that was stopped before is summed up here. */
export function readPublishedRun(path: string) {
  const { run, lines } = readRun(path);
  if (!isPublished(path)) {
    const { cards, summary } = publish(run, lines);
    return { path, run, cells: cards, summary, lines };
  }
  const { cells, axes } = run.plan;
  const place = new Map(cells.map((cell, index) => [cardFile(axes, cell), index]));
  const placeOf = (file: string) => place.get(file) ?? cells.length;
  const files = cardFilesOf(path).sort((a, b) => placeOf(a) - placeOf(b));
  return {
    path,
    run,
    cells: files.map((file) => readJson(join(path, file), cellCard)),
    summary: readSummary(path),
    lines,
  };
}
