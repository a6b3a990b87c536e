import { z } from "zod";
import { issueText } from "../record/issue-text.ts";
import type { Generator, LoadPlan } from "./generator.ts";

/** Reads what a generator wrote as JSON against a schema. Throws an Error in one line that names the generator and the place. */
export function readReport<T>(name: string, text: string, schema: z.ZodType<T>): T {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new Error(text.trim() === "" ? `${name} printed nothing` : `${name} printed no JSON, or half of it`, {
      cause,
    });
  }
  const { data, error } = schema.safeParse(json);
  if (data !== undefined) return data;
  throw new Error(`${name}'s output is wrong: ${issueText(error!)}`);
}

/** The beginning of the line that our scripts print at their end. */
const MARK = "levelfield ";

/** Reads the last line of the output that is marked as a report. Throws as {@link readReport} does. */
export function readMarked<T>(name: string, output: string, schema: z.ZodType<T>): T {
  const line = output.split("\n").findLast((text) => text.startsWith(MARK));
  if (line === undefined) throw new Error(`${name} printed no result line`);
  return readReport(name, line.slice(MARK.length), schema);
}

/** A count, and a histogram of microseconds, in such a report. */
export const count = z.int().nonnegative(), histogram = z.array(z.tuple([count, z.int().positive()]));

/** The groups of the first match in a text. Throws an Error in one line when there is none. */
export function findIn(name: string, text: string, pattern: RegExp, what: string): readonly string[] {
  const match = pattern.exec(text);
  if (match === null) {
    throw new Error(text.trim() === "" ? `${name} printed nothing` : `${name} does not say ${what}`);
  }
  return match.slice(1);
}

/** Milliseconds as whole seconds, rounded up: most generators take only those. */
export const wholeSeconds = (ms: number): number => Math.ceil(ms / 1000);

/** Requests that are due in a load at a rate. */
export const dueIn = ({ durationMs, requests }: LoadPlan, perSecond: number): number =>
  requests ?? Math.max(1, Math.round(perSecond * durationMs / 1e3));

/** Abilities of generators that load one server and report nothing on the way. */
export const ONE_SERVER = { manyServers: false, watch: false } as const;

/** The way these generators are run. */
export const UNWATCHED: Pick<Generator, "env" | "watch" | "endSignal"> = {
  env: () => ({}),
  watch: () => () => undefined,
  endSignal: "SIGINT",
};

/** Fields of a result that has totals only: no threads and no latencies of single requests. */
export const TOTALS = { threads: [], slotUs: 0, latency: null } as const;

/** Connection errors of a generator that does not sort them: see {@link unsorted}. */
export const UNSORTED = { connect: null, read: null, write: null } as const;

/**
 * Reads a line that wrk's script and the in-process generator print of a watched load: `sent THREAD MICROSECONDS REQUESTS`.
 */
export const watchSent: Generator["watch"] = () => (line) => {
  const match = /^sent (\d+) (\d+) (\d+)$/.exec(line);
  return match === null ? undefined : { thread: Number(match[1]), atUs: Number(match[2]), requests: Number(match[3]) };
};

/** Returns why connection errors are not sorted, by field. */
export const unsorted = (why: string): Readonly<Record<string, string>> => ({
  "errors.connect": why,
  "errors.read": "see errors.connect",
  "errors.write": "see errors.connect",
});
