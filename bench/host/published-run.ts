import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CellCard, cellCard } from "../core/result/cell-card.ts";
import { publish } from "../core/result/published.ts";
import { type RunRecord, runRecord } from "../core/result/run-record.ts";
import { type Summary, summarySchema } from "../core/result/summary.ts";
import { readJson, readRun } from "./read-run.ts";

/** What a run's folder publishes, and its raw lines as text: reading them is the reader's. */
export interface PublishedRun {
  readonly path: string;
  readonly run: RunRecord;
  readonly cells: readonly CellCard[];
  readonly summary: Summary;
  /** Whole lines of trials.ndjson. */
  readonly lines: readonly string[];
}

/**
 * Reads what a run has published. A run stopped before it published anything is summed up from its lines here.
 * Whether cards and lines agree is what `bench verify` says.
 */
export function readPublishedRun(path: string): PublishedRun {
  const run = readJson(join(path, "run.json"), runRecord, "levelfield.run/1");
  const text = readFileSync(join(path, "trials.ndjson"), "utf8");
  const lines = text.split("\n").slice(0, -1);
  if (!existsSync(join(path, "summary.json"))) {
    const { cards, summary } = publish(run, readRun(path).lines);
    return { path, run, cells: cards, summary, lines };
  }
  const summary = readJson(join(path, "summary.json"), summarySchema, "levelfield.summary/2");
  const place = new Map(run.plan.subjects.map((subject, index) => [JSON.stringify(subject), index]));
  const placeOf = ({ cell, label }: CellCard) => place.get(JSON.stringify({ cell, label })) ?? Number.MAX_SAFE_INTEGER;
  const cells = readdirSync(join(path, "cells"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => readJson(join(path, "cells", name), cellCard, "levelfield.cell/1"))
    .sort((a, b) => placeOf(a) - placeOf(b));
  return { path, run, cells, summary, lines };
}
