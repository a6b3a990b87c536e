import type { RequestPlan } from "../../suites/suite.ts";
import type { LatencyHistogram } from "../core/latency-histogram.ts";

/** One server to load and what it is asked. */
export interface LoadTarget {
  /** `http://127.0.0.1:8080`, without a path. */
  readonly url: string;
  readonly requests: RequestPlan;
}

/** Load to put on one server, or on several at the same time. */
export interface LoadPlan {
  /** Several: each gets a thread and all its connections for itself. They share a host and a number of connections. */
  readonly targets: readonly [LoadTarget, ...LoadTarget[]];
  /** Threads for one target; several have one each. */
  readonly threads: number;
  /** Whole seconds for wrk. */
  readonly durationMs: number;
  /** Replies that take longer are counted as timeouts. */
  readonly timeoutMs: number;
  /** Seed of everything drawn. Targets of one load draw the same. */
  readonly seed: number;
  /** Place among the loads of an observation, from 0: serial numbers of different loads differ. */
  readonly load: number;
  /** Send the first template's path as it is and count nothing on the way: the generator's cheapest load, for its ceiling. */
  readonly plain?: boolean;
  /** Tell how many requests were sent while it runs; see {@link Generator.watch}. For warm-ups and for servers together. */
  readonly watched?: boolean;
}

/** How many requests a thread had sent at a moment of a watched load. */
export interface SentSoFar {
  /** Place of the thread: with several targets the target's. */
  readonly thread: number;
  /** Wall clock in microseconds. */
  readonly atUs: number;
  readonly requests: number;
}

/** What one thread sent. */
export interface ThreadResult {
  /** When its slots begin, on the wall clock in microseconds; 0 when it sent nothing or counts nothing. */
  readonly startedUs: number;
  /** Requests sent in each slot, to about a batch of 64. */
  readonly slots: readonly number[];
  /** Requests sent by template of the mix; up to one a connection was not answered any more. */
  readonly sent: readonly number[];
  /** Of these, how many must be answered with an error status (above 399), and how many may be. */
  readonly errorsDue: number;
  readonly errorsAllowed: number;
}

/** What a generator counted. */
export interface LoadResult {
  readonly durationUs: number;
  /** Replies. */
  readonly requests: number;
  /** Bytes of replies, heads included. */
  readonly bytes: number;
  /** With several targets thread n is target n's; else all are the one target's. */
  readonly threads: readonly ThreadResult[];
  /** Length of a slot in microseconds: a tenth of a second for one target, a fiftieth for several. */
  readonly slotUs: number;
  readonly errors: {
    readonly connect: number;
    readonly read: number;
    readonly write: number;
    readonly timeout: number;
    /** Replies with a status above 399. */
    readonly status: number;
  };
  /** Raw: one count a request, nothing corrected. Null for several targets and for a watched load: nobody asks. */
  readonly latency: LatencyHistogram | null;
}

/** A load generator: how it is called and how its output is read. Running it is the host's. */
export interface Generator {
  readonly name: string;
  /** The program to look for. */
  readonly program: string;
  /** What to install when it is missing, by package manager. */
  readonly install: { readonly apt: string; readonly brew: string; readonly nix: string };
  readonly versionArgs: readonly string[];
  /** Reads the version out of what the program prints for {@link versionArgs}. */
  parseVersion(output: string): string | undefined;
  args(plan: LoadPlan): string[];
  /** Environment variables it needs besides the usual ones. */
  env(plan: LoadPlan): Record<string, string>;
  /** Reads what a watched load prints on the way; undefined for any other line. */
  watch(line: string): SentSoFar | undefined;
  /** What ends a load early and still makes it report all it counted. */
  readonly endSignal: "SIGINT";
  /** Throws an Error in one line when the output is not what it should be. */
  parse(output: string, plan: LoadPlan): LoadResult;
}
