import type { Body, FilesEvent, FilesSpec, Target } from "../../suites/suite.ts";
import type { Child, ChildCommand, Ending } from "../machine/child.ts";
import type { Operations } from "./operations.ts";
import type { ServerProtocol } from "../process/server-protocol.ts";
import type { NoServer, ServerProcess, ServerRequest } from "../process/server-request.ts";

/** A placeholder in a program's arguments for the folder of its files. */
export const FOLDER = "{levelfield-folder}";

/** A program to run on a host. It sees the variables of every child (see `childEnvironment`) and those of `env`. */
export interface HostCommand extends Omit<ChildCommand, "withAll"> {
  /** Files to make before it starts, name and content, in a new folder that is removed when it has ended. */
  readonly files?: Readonly<Record<string, Body>>;
  readonly output?: readonly string[];
}

/** Receives the events of a process. */
export interface Listeners {
  /** Each line it prints on stdout. */
  readonly onLine?: (line: string) => void;
  /** At once: how to end it, so that an interrupt leaves none behind. */
  readonly onStart?: (kill: () => void) => void;
}

/** The end of a host's process. */
export interface HostEnding extends Ending {
  /** Contents of {@link HostCommand.output}, those that are there; absent without any. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A process a host runs: a child there. */
export interface HostProcess extends Pick<Child, "pid" | "stdout" | "stderrTail" | "kill" | "killAll"> {
  /** Never rejects: the loss of a host is an end, too. */
  readonly ended: Promise<HostEnding | { readonly failed: string }>;
}

/** A server that is ready on a host. */
export interface HostServer extends Omit<ServerProcess, "process"> {
  /** Null for a server that was started elsewhere. */
  readonly process: HostProcess | null;
}

/** Files to build: all by one builder. */
export interface BuildRequest {
  readonly specs: readonly FilesSpec[];
  /** A folder of the host. */
  readonly dataDirectory: string;
  /** The checkout whose builders build; this one by default. */
  readonly root?: string | undefined;
  readonly verify: "quick" | "full";
  /** CPUs the builder may use; null for all. */
  readonly cpus: readonly number[] | null;
}

/**
 * A machine on which processes are started, watched and stopped: this one, or one behind a pipe to an agent. Paths and
 * clocks are the host's. Rejects with a failure if the host is gone.
 */
export interface Host extends Operations {
  /** The command that reaches it; null for this machine without an agent. */
  readonly command: string | null;
  /** The reason why it can no longer be used; null while it can. */
  lost(): string | null;
  /** Returns the folder of files built for servers, given this machine's. */
  dataFolder(local: string): string;
  start(command: HostCommand, listeners?: Listeners): Promise<HostProcess>;
  /** Starts a server and waits until it is ready; returns the reason if it fails. */
  serve(request: ServerRequest): Promise<HostServer | NoServer>;
  /** Asks a server to stop as it understands, and kills it after a while; its processes end with it. */
  stop(server: HostServer): Promise<void>;
  /** Builds missing or damaged files; resolves with the reason of a failure, or null. */
  build(request: BuildRequest, listeners: BuildListeners): Promise<string | null>;
  /** Asks a server from this host, by plain HTTP/1.1 unless it speaks something else. */
  client(url: string, timeoutMs: number, spoken?: ServerProtocol): Target & { close(): void };
  /** Ends all its processes, and makes it unusable. */
  close(): Promise<void>;
}

/** Receives the progress of a build. */
export interface BuildListeners {
  readonly onEvent: (event: FilesEvent) => void;
  readonly onStart?: ((kill: () => void) => void) | undefined;
}
