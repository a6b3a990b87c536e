import { join } from "node:path";
import { runRecord } from "../record/run-record.ts";
import { lookAt } from "../files/plain-file.ts";
import { readJson, readSummary } from "./read-run.ts";

/** Whether a run has published anything: one that was stopped before has its lines alone. */
export const isPublished = (path: string): boolean => lookAt(join(path, "summary.json")) !== undefined;

/** Reads what a run says of itself and of its results, without cards and lines. Throws in one line for damaged files. */
export function readRunSummary(path: string) {
  return {
    run: readJson(join(path, "run.json"), runRecord),
    summary: readSummary(path),
  };
}
