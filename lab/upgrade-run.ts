/**
 * Makes runs of an earlier version readable: `node lab/upgrade-run.ts FOLDER…`. Each is written anew in its place: lines in
 * today's form, marks by judging them again, summary and cards by what publishes every run. A run of today is published anew.
 */
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { observationRecord } from "../bench/record/observation-record.ts";
import type { Observation, Warmup } from "../bench/record/observation-record.ts";
import { mark, type MarkCode } from "../bench/record/mark.ts";
import { type RunRecord, runRecord } from "../bench/record/run-record.ts";
import { givenCpus } from "../bench/plan/workers.ts";
import { judgeLine } from "../bench/judge/judge-line.ts";
import { publish } from "../bench/result/published.ts";
import { parseBoundedJson } from "../bench/basics/bounded-json.ts";
import { writePlainFile } from "../bench/files/plain-file.ts";
import { journalRows, readText } from "../bench/runs/read-run.ts";
import { sealRun } from "../bench/runs/seal.ts";
import { steady } from "../bench/statistics/steady.ts";

/** A value as earlier versions wrote it: what it was then is checked once it has today's form. */
// deno-lint-ignore no-explicit-any
type Earlier = any;

/** A run in today's form. Throws where it is none of this version or the one before. */
export function upgraded(run: Earlier, lines: readonly Earlier[]): { run: RunRecord; lines: Observation[] } {
  if (run.schema === "levelfield.run/4") {
    return { run: runRecord.parse(run), lines: lines.map((line) => observationRecord.parse(line)) };
  }
  if (run.schema !== "levelfield.run/3") throw new Error(`"${run.schema}" is no version that can be made readable`);
  const record = runRecord.parse({ ...run, schema: "levelfield.run/4" });
  return {
    run: record,
    lines: lines.map((line) => {
      const read = observationRecord.parse(lineOf(line));
      return judgeLine(read, givenCpus(record, read.members[0]!.cell));
    }),
  };
}

function lineOf(line: Earlier): Earlier {
  return {
    ...marked(line),
    schema: "levelfield.observation/3",
    kind: line.kind === "duet" ? "ensemble" : line.kind,
    warmup: warmupOf(line.warmup, false),
    members: line.members.map((member: Earlier) => ({
      ...marked(member),
      warmup: warmupOf(member.warmup, true),
      alone: member.alone && marked(member.alone),
    })),
    ...(line.windows === undefined ? {} : { windows: line.windows.map(marked) }),
  };
}

const marked = ({ reasons, ...rest }: Earlier): Earlier => ({
  ...rest,
  marks: reasons.map(({ code, message }: { code: MarkCode; message: string }) => mark(code, message)),
});

/** Why a run of an earlier version has no slices of its warm-ups. */
export const NO_SLICES = "an earlier version kept quotients of CPU time and requests only";

/** Keeps the end of a curve; the requests and CPU time of its slices are not known any more. */
function warmupOf(warmup: Earlier, alone: boolean): Warmup | null {
  if (warmup === null) return null;
  const { curves, ...rest } = warmup;
  return {
    ...rest,
    slices: null,
    why_no_slices: NO_SLICES,
    judged_slices: null,
    changes: curves.map((curve: readonly (number | null)[]) => alone ? changeAtEnd(curve) : null),
  };
}

/** By what share the cost changed at the end of a curve of CPU time per request, in slices of equal length. */
function changeAtEnd(curve: readonly (number | null)[]): number | null {
  const known = curve.filter((cost) => cost !== null && cost > 0) as number[];
  return steady(known.map((cost) => ({ requests: 1 / cost, cpu_ns: 1 }))).change;
}

/** Writes a run anew in its folder. */
function upgrade(folder: string): void {
  const { run, lines } = upgraded(
    parseBoundedJson(readText(join(folder, "run.json"))),
    journalRows(join(folder, "journal.ndjson")).rows.map(parseBoundedJson),
  );
  const write = (file: string, content: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writePlainFile(join(folder, file), content);
  };
  rmSync(join(folder, "cells"), { recursive: true, force: true });
  write("journal.ndjson", lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  write("run.json", `${JSON.stringify(run, null, 2)}\n`);
  for (const [file, content] of publish(run, lines).files) write(file, `${JSON.stringify(content, null, 2)}\n`);
  sealRun(folder);
}

if (import.meta.main) {
  for (const folder of process.argv.slice(2)) {
    upgrade(folder);
    process.stdout.write(`${folder}: written anew\n`);
  }
}
