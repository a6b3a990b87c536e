import type { Protocol } from "../../servers/protocol.ts";
import type { Body, RequestPlan } from "../../suites/suite.ts";
import type { LatencyHistogram } from "../statistics/latency-histogram.ts";
import type { Lateness } from "./against-schedule.ts";

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
  /** Whole seconds for most generators. */
  readonly durationMs: number;
  /** So many requests in place of a duration, where the generator counts them. */
  readonly requests?: number;
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
  /** Nobody asks how long replies take; nobody does of several targets, or of a watched load, either. */
  readonly untimed?: boolean;
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

/** What a generator counted. What it cannot tell is null, and `untold` says why. */
export interface LoadResult {
  readonly durationUs: number;
  /** Replies. */
  readonly requests: number;
  /** Bytes of replies, heads included. */
  readonly bytes: number | null;
  /** With several targets thread n is target n's; else all are the one target's. Empty where sending is not counted. */
  readonly threads: readonly ThreadResult[];
  /** Length of a slot in microseconds: a tenth of a second for one target, a fiftieth for several; 0 without slots. */
  readonly slotUs: number;
  readonly errors: {
    readonly connect: number | null;
    readonly read: number | null;
    readonly write: number | null;
    readonly timeout: number | null;
    /** Replies with a status above 399. */
    readonly status: number | null;
    /** Requests that failed in a way the generator does not tell apart. */
    readonly other?: number;
  };
  /**
   * One count for each request, nothing corrected. Of an open loop from when the request was due, unless `untold` has
   * `latency`. Null if nobody needs it: see {@link LoadPlan.untimed}.
   */
  readonly latency: LatencyHistogram | null;
  /** Of an open loop whose latencies count from when a request was due: the same from when it was sent. */
  readonly sent?: LatencyHistogram;
  /** What the generator says of latencies itself: in place of a histogram where there is none, else beside it. */
  readonly told?: ToldLatency;
  /** Of an open loop: requests the schedule held and that were never sent. */
  readonly dropped?: number;
  /** Of an open loop: how late requests left, where each is known. */
  readonly lateness?: Lateness;
  /** The same, raw: how late each request left, in microseconds, for the generator's own sake alone. */
  readonly lateBy?: LatencyHistogram;
  /** Of a generator that polls its core: the share of its time in which it did not only look. Its use of the core is all. */
  readonly workedShare?: number;
  /** Fields of a load's record that it cannot tell, each with the reason. */
  readonly untold: Readonly<Record<string, string>>;
  /** What it warns of itself, word for word. */
  readonly warnings: readonly string[];
}

/** What can be sent, from most to least: drawn while it runs, a list drawn beforehand, a list of paths, the same again and again. */
export type Sends = "mix" | "list" | "paths" | "one";

/** What a generator can do. */
export interface Abilities {
  readonly sends: Sends;
  /** Keeps a rate. Latencies count from when a request was due, or {@link LoadResult.untold} says of `latency` that they do not. */
  readonly openLoop: boolean;
  readonly manyServers: boolean;
  /** Tells on the way how much it has sent, which a warm-up needs; and ends early when it is asked to. */
  readonly watch: boolean;
  /** Whether it takes a number of threads. */
  readonly threads: boolean;
  /** `exact`: one count a request; `percentiles`: some of them, as it computes them itself. */
  readonly latency: "exact" | "percentiles";
  /** Takes a number of requests in place of a duration. */
  readonly requests: boolean;
  /** Makes a connection for each request where that is asked for; `only` that, with sessions of TLS that go on, too. */
  readonly newConnections: boolean | "only";
  /** What it speaks; HTTP/1.1 without TLS where it is left out. */
  readonly protocols?: readonly Protocol[];
  /** Goes on with an earlier session of TLS in some of its new connections, and does not say in which. */
  readonly resumes?: true;
  /** Takes headers, or paths, as arguments alone, which every user of a machine may read while it runs. */
  readonly showsHeaders?: true;
  readonly showsPaths?: true;
  /** Sends bodies as text alone. */
  readonly textAlone?: true;
  /** Takes an interim reply, such as 103, for a reply of its own. */
  readonly countsInterim?: true;
  /** Takes a reply that ends with its connection for an error, or for none. */
  readonly needsLength?: true;
  /** Sends nothing: has servers call a function of their own, and counts the calls. */
  readonly calls?: true;
}

/** Whether a generator speaks what requests are to be sent by. */
export const speaks = (
  { abilities: { protocols = ["http"] } }: Pick<Generator, "abilities">,
  { protocol = "http" }: Pick<RequestPlan, "protocol">,
): boolean => protocols.includes(protocol);

/** Where a program comes from. */
export type Installer = "apt" | "brew" | "go" | "nix" | "npm";

/** A load generator: how it is called and how its output is read. Running it is the host's. */
export interface Generator {
  readonly name: string;
  /** The program to look for. */
  readonly program: string;
  /** Its main module, in node_modules or by its absolute path, where it is one that the pinned Node runs. */
  readonly module?: string;
  /** What to install when it is missing, by package manager. */
  readonly install: Readonly<Partial<Record<Installer, string>>>;
  readonly abilities: Abilities;
  readonly versionArgs: readonly string[];
  /** Reads the version out of what the program prints for {@link versionArgs}. */
  parseVersion(output: string): string | undefined;
  /**
   * Files to make before it starts, name and content, in a folder of the load's own. Throws an Error in one line that names
   * what cannot be sent.
   */
  input?(plan: LoadPlan): Readonly<Record<string, Body>>;
  /** Names of files it writes there, which {@link parse} reads. */
  readonly output?: readonly string[];
  /**
   * @param folder that of its files
   * @throws Error in one line that names what it cannot do
   */
  args(plan: LoadPlan, folder: string): string[];
  /** Environment variables it needs besides the usual ones. */
  env(plan: LoadPlan): Record<string, string>;
  /** Begins to read what a watched load prints on the way; undefined is for a line that tells nothing new. */
  watch(): (line: string) => SentSoFar | undefined;
  /** What ends a load early and still makes it report all it counted. */
  readonly endSignal: "SIGINT";
  /**
   * A load that is to end goes on until the next multiple of so many milliseconds since its first request: it looks no more
   * often. Left out where it ends at once.
   */
  readonly endsEveryMs?: number;
  /**
   * Throws an Error in one line when the output is not what it should be.
   * @param files contents of {@link output}, those that are there
   */
  parse(output: string, plan: LoadPlan, files: Readonly<Record<string, string>>): LoadResult;
}

/** Every command that installs a generator, for an error or a table: `"apt-get install -y wrk", "brew install wrk" or …`. */
export function installHint({ install }: Pick<Generator, "install">): string {
  const commands = Object.values(install).map((command) => `"${command}"`);
  const last = commands.pop()!;
  return commands.length === 0 ? last : `${commands.join(", ")} or ${last}`;
}

/** Latencies as a generator sums them up itself, where it keeps no count of each. */
export interface ToldLatency {
  /** In microseconds; null where it does not say. */
  readonly meanUs: number | null;
  readonly maxUs: number | null;
  /** [share of the requests, 0 to 1; microseconds], in ascending order of shares. */
  readonly percentiles: readonly (readonly [share: number, us: number])[];
}
