import type { Protocol } from "../../servers/protocol.ts";
import type { Body, RequestPlan } from "../../suites/suite.ts";
import type { ByConnection, Messages } from "../record/load-record.ts";
import type { LatencyHistogram } from "../statistics/latency-histogram.ts";

/** A server to load, and its requests. */
export interface LoadTarget {
  /** `http://127.0.0.1:8080`, without a path. */
  readonly url: string;
  readonly requests: RequestPlan;
}

/** Load to put on one server, or on several at the same time. */
export interface LoadPlan {
  /** Several: each gets a thread and all its connections for itself. They share a host and a number of connections. */
  readonly targets: readonly [LoadTarget, ...LoadTarget[]];
  /** Threads for one target; several targets have one each. */
  readonly threads: number;
  /** Whole seconds for most generators. */
  readonly durationMs: number;
  /** A number of requests instead of a duration, where ontime or websocket sends them. */
  readonly requests?: number;
  /** Replies that take longer are counted as timeouts. */
  readonly timeoutMs: number;
  /** Seed of everything drawn. Targets of one load draw the same. */
  readonly seed: number;
  /** Place among the loads of an observation, from 0: serial numbers of different loads differ. */
  readonly load: number;
  /** Send the first template's path as it is and count nothing on the way: the generator's cheapest load, for its ceiling. */
  readonly plain?: boolean;
  /** Report the number of requests sent while it runs; see {@link Generator.watch}. For warm-ups and ensembles. */
  readonly watched?: boolean;
  /**
   * True if latencies are not needed; they never are for several targets or a watched load. Such a load ends without waiting
   * for replies: its servers may stand still.
   */
  readonly untimed?: boolean;
}

/** The number of requests a thread had sent at a moment of a watched load. */
export interface SentSoFar {
  readonly thread: number;
  /** Wall clock in microseconds. */
  readonly atUs: number;
  readonly requests: number;
}

/** Requests sent by one thread. */
export interface ThreadResult {
  /** When its slots begin, on the wall clock in microseconds; 0 when it sent nothing or counts nothing. */
  readonly startedUs: number;
  /** Requests sent in each slot, to about a batch of 64. */
  readonly slots: readonly number[];
  /** Requests sent by template of the mix; up to one a connection was not answered any more. */
  readonly sent: readonly number[];
  /** The number of these that must be answered with an error status (above 399), and the number that may be. */
  readonly errorsDue: number;
  readonly errorsAllowed: number;
  /** Its connections that broke, replies that came too late, and those with an error status; absent if unknown. */
  readonly failed?: readonly [sockets: number, timeouts: number, status: number];
}

/** The fate of a load's connections. */
interface Connections {
  /**
   * Share of a closed loop's connections that still had requests under way at its end; null if that cannot be said. Absent
   * for a generator that opens again what a server ends.
   */
  readonly keptShare?: number | null;
  /** Connections that the server ended between two requests, opened anew; absent if it does not count them. */
  readonly reopened?: number;
  /** Replies by connection, of each target; absent if it does not tell, and where requests have connections of their own. */
  readonly byConnection?: readonly ByConnection[];
}

/** The counts of a generator. A count it cannot give is null, and `untold` says why. */
export interface LoadResult extends Connections {
  readonly durationUs: number;
  readonly requests: number;
  /** Bytes of replies, heads included. */
  readonly bytes: number | null;
  /** Bytes of their bodies alone; absent if it does not count them apart. */
  readonly bodyBytes?: number;
  /** The counts of each thread: with several targets thread n loads target n. Empty if sending is not counted. */
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
    /** Failed requests that the generator does not sort. */
    readonly other?: number;
  };
  /**
   * A histogram with one count for each request, uncorrected. In an open loop latencies count from when the request was
   * due, unless `untold` has `latency`. Null if it is not needed: see {@link LoadPlan.untimed}.
   */
  readonly latency: LatencyHistogram | null;
  /** Counts of messages over WebSocket; a request is then a delivery. */
  readonly messages?: Messages;
  /** The histogram from when each request was sent, in an open loop whose `latency` counts from when it was due. */
  readonly sent?: LatencyHistogram;
  /** Scheduled requests of an open loop that were never sent. */
  readonly dropped?: number;
  /**
   * Lateness of requests of an open loop in microseconds, raw, as far as the generator can separate it from the server's;
   * absent if it does not report it.
   */
  readonly late?: LatencyHistogram;
  /** The share of its time in which a polling generator did more than poll; it uses its core all the time. */
  readonly workedShare?: number;
  /** The share of its idle time in which a polling generator did not run: other processes had its core. */
  readonly haltedShare?: number;
  /** Fields of a load's record that it cannot report, each with the reason. */
  readonly untold: Readonly<Record<string, string>>;
}

/**
 * Request lists a generator can send, from most to least: drawn while it runs, a list of paths drawn beforehand, one
 * request alone.
 */
type Sends = "mix" | "paths" | "one";

/** Abilities of a generator. */
interface Abilities {
  readonly sends: Sends;
  /** Keeps a rate. Latencies count from the due time, or {@link LoadResult.untold} says that they do not. */
  readonly openLoop: boolean;
  /** The most requests per second that one connection takes in an open loop; absent without such a limit. */
  readonly perConnection?: number;
  /** In an open loop, requests that find no free connection wait, and count from when they were due. */
  readonly queues?: true;
  readonly manyServers: boolean;
  /** True if it reports on the way how much it has sent, which a warm-up needs, and ends early on a signal. */
  readonly watch: boolean;
  /** It prints a line as soon as the end signal no longer kills it; until then none is sent. Runtimes start slowly. */
  readonly greets?: true;
  readonly threads: boolean;
  /**
   * True if it can make a connection for each request; `only` for one that does nothing else, with resumed TLS sessions,
   * too.
   */
  readonly newConnections: boolean | "only";
  /** Protocols it speaks; HTTP/1.1 without TLS by default. */
  readonly protocols?: readonly Protocol[];
  /** Resumes TLS sessions in some of its new connections, and does not report which. */
  readonly resumes?: true;
  /** Takes headers as arguments alone, which every user of a machine may read while it runs. */
  readonly showsHeaders?: true;
  /** Sends bodies as text alone. */
  readonly textAlone?: true;
  /** True if it counts an interim reply, such as 103, as a reply. */
  readonly countsInterim?: true;
  /** Takes a reply that ends with its connection for an error, or for none. */
  readonly needsLength?: true;
  /** True if it sends messages over WebSocket, and nothing else. */
  readonly messages?: true;
  /** True if it sends nothing: servers call a function themselves, and it counts the calls. */
  readonly calls?: true;
}

/** Returns true if a generator speaks the protocol of a plan's requests. */
export const speaksProtocol = (
  { abilities: { protocols = ["http"], messages } }: Pick<Generator, "abilities">,
  { protocol = "http", websocket }: Pick<RequestPlan, "protocol" | "websocket">,
): boolean => protocols.includes(protocol) && (messages === true) === (websocket !== undefined);

/** The source of a program. */
export type Installer = "apt" | "brew" | "nix" | "npm";

/** A load generator: how it is called and how its output is read. Running it is the host's. */
export interface Generator {
  readonly name: string;
  /** The program to look for. */
  readonly program: string;
  /** Its main module, in node_modules or by its absolute path, if the pinned Node runs it. */
  readonly module?: string;
  readonly install: Readonly<Partial<Record<Installer, string>>>;
  readonly abilities: Abilities;
  /** Versions whose output was recorded and is read in tests. */
  readonly tried?: readonly string[];
  /** The use of one that not every measurement needs. */
  readonly neededFor?: string;
  readonly versionArgs: readonly string[];
  /** Extracts the version from the output for {@link versionArgs}. */
  parseVersion(output: string): string | undefined;
  /**
   * Returns files to make before it starts, name and content, in a new folder for the load. Throws an Error in one line
   * that names a part it cannot send.
   */
  input?(plan: LoadPlan): Readonly<Record<string, Body>>;
  /** Names of files it writes there, for {@link parse}. */
  readonly output?: readonly string[];
  /**
   * @param folder that of its files
   * @throws Error in one line that names what it cannot do
   */
  args(plan: LoadPlan, folder: string): string[];
  env(plan: LoadPlan): Record<string, string>;
  /** Begins to read the output of a watched load; the function returns undefined for a line without news. */
  watch(): (line: string) => SentSoFar | undefined;
  /** The signal that ends a load early and still makes it report everything it counted. */
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

/**
 * Returns the commands that install a generator, for an error or a table: `"apt-get install -y wrk", "brew install wrk" or
 * …`.
 */
export function installHint({ install }: Pick<Generator, "install">): string {
  const commands = Object.values(install).map((command) => `"${command}"`);
  const last = commands.pop()!;
  return commands.length === 0 ? last : `${commands.join(", ")} or ${last}`;
}
