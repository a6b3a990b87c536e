import type { LatencyHistogram } from "../core/latency-histogram.ts";

/** Load to put on one server, or on several at the same time. */
export interface LoadPlan {
  /** More than one is a duet: each server gets a thread and all `connections` for itself. They share a host. */
  readonly urls: readonly [string, ...string[]];
  /** Connections to each server. */
  readonly connections: number;
  /** Threads for one server; a duet has one a server. */
  readonly threads: number;
  /** Whole seconds for wrk. */
  readonly durationMs: number;
  /** Replies that take longer are counted as timeouts. */
  readonly timeoutMs: number;
  readonly requests: RequestPlan;
}

/** What is asked for. */
export type RequestPlan =
  /** The URL as it is, every time. */
  | { readonly kind: "fixed"; readonly path: string }
  /** `GET /users/:id` with ids drawn uniformly over a data set. */
  | {
    readonly kind: "ids";
    readonly size: number;
    readonly dataSeed: number;
    readonly drawSeed: number;
    /** Share of requests for ids that do not exist, 0 to 1. */
    readonly missShare: number;
  };

/** What a generator counted. */
export interface LoadResult {
  readonly durationUs: number;
  readonly requests: number;
  readonly bytes: number;
  /** Requests sent for ids that do not exist; up to one a connection was not answered any more. */
  readonly sentMisses: number;
  /** Requests sent by each thread; up to one a connection was not answered any more. Zero for a fixed URL. */
  readonly sentByThread: readonly number[];
  /** When the slots of each thread begin, on the wall clock. */
  readonly startedUs: readonly number[];
  /** Length of a slot: a tenth of a second for one server, a fiftieth for a duet. */
  readonly slotUs: number;
  /** Requests each thread sent in each slot, to about a batch of 64; empty for a fixed URL. */
  readonly slotsByThread: readonly (readonly number[])[];
  readonly errors: {
    readonly connect: number;
    readonly read: number;
    readonly write: number;
    readonly timeout: number;
    /** Replies with a status above 399. */
    readonly status: number;
  };
  /** Raw: one count a request, nothing corrected. */
  readonly latency: LatencyHistogram;
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
  /** Throws an Error in one line when the output is not what it should be. */
  parse(output: string, plan: LoadPlan): LoadResult;
}
