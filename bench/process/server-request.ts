import type { Child } from "../machine/child.ts";
import type { NotReady } from "./end-server.ts";
import type { ServerProtocol } from "./server-protocol.ts";
import type { WorkersStarted } from "./workers.ts";
import type { Served } from "../record/server-schema.ts";
import type { RuntimeBinary } from "../runtimes/runtimes.ts";
import type { Protocol } from "../../servers/protocol.ts";
import type { ReadyLine } from "../../servers/ready-line.ts";
import type { ReadyService } from "../../servers/service-line.ts";
import type { ServerSpec, ServiceSpec } from "../../suites/suite.ts";

/** A server to start. */
export interface ServerRequest {
  readonly spec: ServerSpec | ServiceSpec;
  /** The binary that the spec's runtime names; null for a command without one. */
  readonly runtime: RuntimeBinary | null;
  readonly cpus: readonly number[] | null;
  readonly raised?: boolean;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** The only address it listens on: loopback by default. */
  readonly hostname?: string;
  /** Serve a copy of its files even if no request changes them. */
  readonly copy?: boolean;
  /** The protocol it speaks; HTTP/1.1 by default. */
  readonly protocol?: Protocol;
  /** The checkout whose code runs; this one by default. */
  readonly root?: string;
  /** Extra work, in units a request; see servers/ballast.ts. */
  readonly ballast?: number;
  /** Time limit until it is ready, in ms; by default that of an observation. */
  readonly readyMs?: number;
  /** The clock for this limit, in ms, for programs; the monotonic one by default. */
  readonly now?: () => number;
  readonly wrk?: string;
  /** Addresses of a service's clients on other machines. */
  readonly clients?: readonly string[];
  /** Receives a function that ends the process, so that an interrupt leaves none behind. */
  readonly onStart?: (kill: () => void) => void;
}

/** A server that is ready. */
export interface ServerProcess {
  /** Null for a server that was not started here. */
  readonly process: Child | null;
  readonly pid: number | null;
  readonly url: string;
  /** Milliseconds from the start of the process until it was ready; null for a server that was not started here. */
  readonly startupMs: number | null;
  /** The line an app prints when it is ready; null for other kinds. */
  readonly ready: ReadyLine | null;
  readonly stop: "stdin" | "SIGTERM";
  /** The value of an environment variable by which all its processes are found, if it may start others. */
  readonly mark?: string;
  /** The executables that accept a program's connections; left out if the system does not show them. */
  readonly served?: readonly Served[];
  /** More ports that a program on a runtime listens on, if there are any. */
  readonly untold?: readonly number[];
  /** More addresses of a user's server that other machines may reach. */
  readonly open?: readonly string[];
  /** The line a service prints when it is ready. */
  readonly service?: ReadyService;
  /** The protocol to speak with it, if not plain HTTP/1.1, and the result of a first handshake. */
  readonly spoken?: ServerProtocol;
  readonly negotiated?: Readonly<Record<string, string>>;
  /** The workers of a server, if it has several. */
  readonly workers?: WorkersStarted;
}

/** The reason why there is no server to measure: it failed to start, or this kind is not supported here. */
export type NoServer =
  | NotReady
  | { readonly unsupported: string; readonly install?: string };
