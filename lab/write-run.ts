import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { writePlainFile } from "../bench/files/plain-file.ts";
import { sealRun } from "../bench/runs/seal.ts";
import type { Observation } from "../bench/record/observation-record.ts";
import type { RunRecord } from "../bench/record/run-record.ts";
import { publish } from "../bench/result/published.ts";

/** A run as it is recorded. */
interface Recorded {
  readonly run: RunRecord;
  readonly lines: readonly Observation[];
}

/** Writes a file of a run's folder, which is made. */
export const writerTo = (folder: string) => (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writePlainFile(join(folder, name), text);
};

/** Writes run.json, journal.ndjson and everything published of a run. */
export function writeRun(folder: string, { run, lines }: Recorded): void {
  const write = writerTo(folder);
  write("run.json", JSON.stringify(run, null, 2) + "\n");
  write("journal.ndjson", lines.map((line) => JSON.stringify(line) + "\n").join(""));
  for (const [name, value] of publish(run, lines).files) write(name, JSON.stringify(value, null, 2) + "\n");
}

/** The same with its seal; gives the folder. */
export function writeSealedRun(folder: string, recorded: Recorded): string {
  writeRun(folder, recorded);
  sealRun(folder);
  return folder;
}
