/** What the generators have in common that load one server and say nothing on the way. */
import type { Generator } from "./generator.ts";

/** Of their abilities. */
export const ONE_SERVER = { manyServers: false, watch: false, requests: true } as const;

/** Of how they are run. */
export const UNWATCHED: Pick<Generator, "env" | "watch" | "endSignal"> = {
  env: () => ({}),
  watch: () => () => undefined,
  endSignal: "SIGINT",
};

/** Of what they tell, where that is totals alone: nothing of threads and of single requests. */
export const TOTALS = { threads: [], slotUs: 0, latency: null } as const;

/** Errors of connections that are not told apart: see {@link unsorted}. */
export const UNSORTED = { connect: null, read: null, write: null } as const;

/** Reads what wrk's script, and what calls functions, print of a watched load: `sent THREAD MICROSECONDS REQUESTS`. */
export const watchSent: Generator["watch"] = () => (line) => {
  const match = /^sent (\d+) (\d+) (\d+)$/.exec(line);
  return match === null ? undefined : { thread: Number(match[1]), atUs: Number(match[2]), requests: Number(match[3]) };
};

/** That errors of connections are not told apart, and why. */
export const unsorted = (why: string): Readonly<Record<string, string>> => ({
  "errors.connect": why,
  "errors.read": "see errors.connect",
  "errors.write": "see errors.connect",
});
