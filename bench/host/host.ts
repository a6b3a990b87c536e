import type { FilesEvent, FilesSpec, Target } from "../../suites/suite.ts";
import type { Grade } from "../record/finding.ts";
import type { Topology } from "../core/placement.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { HostSample, Reading } from "../record/samples.ts";
import type { ChildCommand, Ending } from "./child.ts";
import type { Priority } from "./priority.ts";
import type { ProcessSize } from "./process-size.ts";
import type { Revision } from "./revision.ts";
import type { RuntimeBinary } from "./runtimes.ts";
import type { SourceWish } from "./source-hash.ts";
import type { NoServer, ServerProcess, ServerRequest } from "./server-process.ts";

/** What a host is, asked for once. */
export interface HostFacts {
  readonly machine: RunRecord["machine"];
  readonly topology: Topology;
  readonly priority: Priority;
  readonly grade: Grade;
  /** The same for all that share one kernel and its network: two hosts may be one machine. */
  readonly machineId: string;
  /** The same for all that know the same processes by the same numbers; null where the system does not tell. */
  readonly processSpace: string | null;
  readonly links: readonly Link[];
}

/** A network interface with an address. */
export interface Link {
  readonly name: string;
  readonly address: string;
  /** Nobody else reaches it. */
  readonly loopback: boolean;
  /** Null where the system does not tell, as of loopback and most virtual ones. */
  readonly bitsPerSecond: number | null;
}

/** Stands in the arguments of a program for the folder of its files. */
export const FOLDER = "{levelfield-folder}";

/** A program to run on a host. It sees what every child sees (see `childEnvironment`) and `env` besides. */
export interface HostCommand extends Omit<ChildCommand, "withAll"> {
  /** Files to make before it starts, name and content, in a folder of its own that goes when it has ended. */
  readonly files?: Readonly<Record<string, string>>;
  /** Names of files it writes there. */
  readonly output?: readonly string[];
}

/** Told what a process does on its way. */
export interface Listeners {
  /** Each line it prints on stdout. */
  readonly onLine?: (line: string) => void;
  /** At once: how to end it, so that an interrupt leaves none behind. */
  readonly onStart?: (kill: () => void) => void;
}

/** How a process of a host ended, and when by that host's wall clock in microseconds. */
export interface HostEnding extends Ending {
  readonly endedUs: number;
  /** Contents of {@link HostCommand.output}, those that are there. */
  readonly files: Readonly<Record<string, string>>;
}

/** A signal a process can be sent. */
export type Signal = "SIGINT" | "SIGTERM" | "SIGKILL" | "SIGSTOP" | "SIGCONT";

/** A process a host runs. */
export interface HostProcess {
  readonly pid: number;
  /** Never rejects: a host that is gone is how it ended. */
  readonly ended: Promise<HostEnding | { readonly failed: string }>;
  /** What it printed so far; see `Child`. */
  stdout(): string;
  stderrTail(): string;
  /** Resolves when the signal is sent; one that has ended gets none. */
  kill(signal: Signal): Promise<void>;
  /** Kills it and all it has started, as soon as the host hears of it. */
  killAll(): void;
}

/** A server that is ready on a host. */
export interface HostServer extends Omit<ServerProcess, "child"> {
  /** Null for one that somebody else started. */
  readonly process: HostProcess | null;
}

/** Files to build: all by one builder. */
export interface BuildRequest {
  readonly specs: readonly FilesSpec[];
  readonly dataDirectory: string;
  readonly root?: string | undefined;
  readonly verify: "quick" | "full";
  readonly cpus: readonly number[] | null;
}

/** What to read of a moment. */
export interface SampleWish {
  /** Null for a process that is not known. */
  readonly pids: readonly (number | null)[];
  /**
   * Of processes: their CPU times. What the system's `cpus` did, too, for moments inside a window. Or what it `counts`, and how
   * often processes were made to wait, for moments around a load: that takes longer.
   */
  readonly what: "processes" | "cpus" | "counts";
  /** With `cpus`: what network interfaces carried, too. */
  readonly links?: boolean;
  /** What each process holds, too. */
  readonly sizes?: boolean;
}

/** A program as a host has it. */
export interface FoundProgram {
  readonly program: string;
  /** What comes before its own arguments. */
  readonly lead: readonly string[];
  /** What it printed when it was asked for its version. */
  readonly output: string;
  readonly sha256: string;
}

/** A program to look for: on PATH, or a module that the pinned Node runs. */
export interface ProgramWish {
  readonly program: string;
  readonly module?: string | undefined;
  readonly versionArgs: readonly string[];
}

/**
 * A machine on which processes are started, watched and stopped: this one, or one behind a pipe to an agent. Everything
 * takes the host's own paths and clocks. Rejects with a failure where the host is gone.
 */
export interface Host {
  /** The command that reaches it; null for this machine without an agent. */
  readonly command: string | null;
  /** Why it can be used no longer; null as long as it can. */
  lost(): string | null;
  facts(): Promise<HostFacts>;
  /** The folder of what is built for servers, where `own` is this machine's. */
  dataFolder(own: string): string;
  /** The same runtimes as this host has them. Throws a failure that names both versions where they differ. */
  runtimes(wanted: readonly RuntimeBinary[]): Promise<RuntimeBinary[]>;
  /** Undefined where it is not installed. */
  findProgram(wish: ProgramWish): Promise<FoundProgram | undefined>;
  /** SHA-256 of files. */
  hashes(files: readonly string[]): Promise<string[]>;
  /** Hashes of source of one's own; null for what is not there. */
  sources(wanted: readonly SourceWish[]): Promise<(string | null)[]>;
  start(command: HostCommand, listeners?: Listeners): Promise<HostProcess>;
  /** Starts a server and waits until it is ready, or says why it is not. */
  serve(request: ServerRequest): Promise<HostServer | NoServer>;
  /** Asks a server to stop the way it understands, and kills it when it does not; what it has started ends with it. */
  stop(server: HostServer): Promise<void>;
  /** Builds what is missing or damaged; resolves with why it failed, or null. */
  build(request: BuildRequest, told: BuildListeners): Promise<string | null>;
  /**
   * Puts another revision of this project into a folder of its own under one of this host's, once; gives that folder. Throws
   * a failure where the checkout there does not have it.
   */
  checkOut(revision: Pick<Revision, "ref" | "commit">, cacheDirectory: string): Promise<string>;
  /** Reads processes, then what was asked for of the system, in one go. */
  sample(wish: SampleWish): Promise<HostSample>;
  /** CPUs each thread of a process may use, as lists; see `Machine`. */
  threadCpus(pid: number): Promise<Reading<readonly string[]>>;
  peakRssBytes(pid: number): Promise<Reading<number>>;
  /** What a process and all it has started hold; null where the system does not tell. */
  sizeOf(pid: number): Promise<ProcessSize | null>;
  freeMemoryShare(): Promise<Reading<number>>;
  /** Asks a server from this host. */
  client(url: string, timeoutMs: number): Target & { close(): void };
  /** The shortest of several handshakes with a server, in microseconds; null where none came about. */
  roundTripUs(url: string): Promise<number | null>;
  /** Ends everything it has started, and can be used no longer. */
  close(): Promise<void>;
}

/** Told how a build goes on. */
export interface BuildListeners {
  readonly onEvent: (event: FilesEvent) => void;
  readonly onStart?: ((kill: () => void) => void) | undefined;
}
