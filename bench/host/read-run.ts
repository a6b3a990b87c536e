import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { z } from "zod";
import { failure, usageError } from "../core/errors.ts";
import { type JournalLine, journalLine } from "../core/result/journal-line.ts";
import { type RunRecord, runRecord } from "../core/result/run-record.ts";

/** A run read back from its folder. */
export interface StoredRun {
  readonly path: string;
  readonly run: RunRecord;
  readonly lines: readonly JournalLine[];
  /** True when the journal's last line was cut short, as by a power cut; the rest is sound. */
  readonly truncated: boolean;
}

/** The folders of runs, the newest last. */
export function listRuns(results: string): string[] {
  if (!existsSync(results)) return [];
  return readdirSync(results).filter((name) => existsSync(join(results, name, "run.json"))).sort();
}

/** Finds a run's folder by path or by name; without a name the newest. Throws a usage error when there is none. */
export function findRun(results: string, wanted: string | undefined): string {
  if (wanted !== undefined && existsSync(join(wanted, "run.json"))) return resolve(wanted);
  const runs = listRuns(results);
  const newest = runs.filter((name) => name !== "reference").at(-1) ?? runs.at(-1);
  const name = wanted ?? newest;
  if (name === undefined) throw usageError(`there is no run in "${results}"`, "bench all --quick");
  if (!existsSync(join(results, name, "run.json"))) {
    throw usageError(`there is no run "${name}" in "${results}"`, newest ? `the newest is "${newest}"` : "bench all");
  }
  return resolve(results, name);
}

/** Reads a run. Throws in one line for a damaged file or one of another version. */
export function readRun(path: string): StoredRun {
  const run = readJson(join(path, "run.json"), runRecord, "levelfield.run/1");
  const text = readFileSync(join(path, "trials.ndjson"), "utf8");
  const rows = text.split("\n");
  const last = rows.pop()!;
  const lines = rows.map((row, index) => {
    const where = `${join(path, "trials.ndjson")} line ${index + 1}`;
    return check(parseJson(row, where), journalLine, where, "levelfield.trial/1");
  });
  return { path, run, lines, truncated: last !== "" };
}

/** Reads and checks one JSON file of a run. */
export function readJson<T extends z.ZodType>(file: string, schema: T, version: string): z.infer<T> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw failure(`cannot read "${file}": ${(error as NodeJS.ErrnoException).code}`, undefined, error);
  }
  return check(parseJson(text, file), schema, file, version);
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw failure(`"${where}" is damaged: it is no JSON`, "bench verify names what else is wrong", error);
  }
}

/** Kinds of lines with the version that is read; files of a run name theirs where they are read. */
const READ = ["levelfield.trial/1", "levelfield.duet/2", "levelfield.ceiling/1"];

const sameFamily = (a: string, b: string) => a.split("/")[0] === b.split("/")[0];

function check<T extends z.ZodType>(value: unknown, schema: T, where: string, version: string): z.infer<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const found = (value as { schema?: unknown } | null)?.schema;
  const wanted = typeof found === "string" ? READ.find((one) => sameFamily(one, found)) ?? version : version;
  if (typeof found === "string" && found !== wanted) {
    throw failure(
      `"${where}" is of version "${found}", this Levelfield reads ${wanted}`,
      "read it with the version that wrote it",
    );
  }
  const issue = parsed.error.issues[0]!;
  throw failure(`"${where}" is damaged: ${issue.path.join(".") || "it"}: ${issue.message}`);
}
