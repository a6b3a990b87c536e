/**
 * The contract of a suite: what is measured, as data. The driver knows suites by this file alone, and a user's suite
 * is the same type as those of the project. Longer than 300 lines because whoever writes a suite should find it in one place.
 */

import type { Protocol } from "../servers/protocol.ts";
import type { RuntimeName } from "../servers/runtime.ts";
import type { WorkerWay } from "../servers/workers/ways.ts";

/** A value that is there now or later. */
export type Awaitable<T> = T | Promise<T>;

/** A value of an axis, as results keep it. */
export type Value = string | number;

/** One value for each axis of a suite, or for some of them where it says so. */
export type At = Readonly<Record<string, Value>>;

/** One place in a suite: which suite, and a value for each of its axes. */
export interface Point {
  readonly suite: string;
  readonly at: At;
}

/**
 * Facts of an axis's value, in words. `title` stands in lists, `phrase` in sentences in place of a value that is a key.
 * `caveat` is a reason against the value whatever its speed. `warning` marks a value that only shows how not to do it;
 * answers keep it apart. `note` is what its figures are of, said with each answer. `file` and `sha256` are those of a
 * user's module; see {@link UserModule}.
 */
export type ValueFacts = Readonly<Record<string, string>> & {
  readonly title?: string;
  readonly phrase?: string;
  readonly caveat?: string;
  readonly warning?: string;
  readonly note?: string;
  readonly file?: string;
  readonly sha256?: string;
};

/**
 * A named variable. Its role: `contrast` is what is compared, `condition` is fixed within a comparison, `scale` is a
 * condition with an order, which charts draw from left to right.
 */
export interface Axis {
  /** Unique within the suite, any text; the option on the command line is made from it: `dataSeed` is `--data-seed`. */
  readonly name: string;
  /** For people: `Store`. */
  readonly title: string;
  readonly role: "contrast" | "condition" | "scale";
  /** One line of help for its option. */
  readonly help: string;
  /** The unit of numbers, for tables and charts: `users`. */
  readonly unit?: string;
  /** Values measured unless others are requested, in the order tables show them. */
  readonly values: readonly Value[];
  /** Further values there are, for lists and error messages. */
  readonly others?: readonly Value[];
  /** The value a text on the command line means; undefined when it means none. */
  parse(text: string): Value | undefined;
  /** The text of a value: short, unique within the axis. */
  format(value: Value): string;
  /** Of a condition: each of its values is measured in every round, by `--quick` too, because who asks for several asks for them. */
  readonly inEveryRound?: true;
  /** `runtime`: its values are names of runtimes, which the driver finds (`node`, `node@24.21.0`, `node=/path`). */
  readonly binds?: "runtime";
  /**
   * Absolute path of the script that reads and checks users' modules, which may then be requested as values of this
   * axis: `./mine.ts`, or `mine=./mine.ts` under a chosen name. See {@link ModuleEvent} for how it is called.
   */
  readonly modules?: string;
  /** Facts about a value. */
  describe?(value: Value): Awaitable<ValueFacts>;
}

/** A user's module that is a value of an axis. */
export interface UserModule {
  /** Its name, which is the value. */
  readonly value: string;
  /** Absolute path. */
  readonly file: string;
  /** A runtime that loads it. */
  readonly runtime: RuntimeName;
  /** Its facts, with `file` as results name it and `sha256` of its bytes. */
  readonly facts: ValueFacts;
}

/**
 * A line a script of {@link Axis.modules} prints on stdout. As `facts FILE` it prints one line: `facts`, `unsupported` or
 * `failed`. As `check FILE DIRECTORY FROM` it runs its checks from that place on, each announced before it is run, over
 * files in a folder it may fill, and ends with `end`; or it says `unsupported` and ends. As `compare BASE YOURS`, which a
 * suite of functions has, it prints `compared` or `failed` on two versions of a module.
 */
export type ModuleEvent =
  | { readonly event: "facts"; readonly facts: Readonly<Record<string, string>> }
  | { readonly event: "unsupported"; readonly message: string }
  /** Why the whole module is none; `advice` is what to do about it. */
  | { readonly event: "failed"; readonly message: string; readonly advice: string }
  | { readonly event: "check"; readonly place: number; readonly name: string; readonly advice: string }
  | { readonly event: "passed"; readonly place: number }
  /** In one line what was expected and what came. */
  | { readonly event: "wrong"; readonly place: number; readonly message: string }
  | { readonly event: "end"; readonly checks: number }
  | { readonly event: "compared" } & ComparedModules;

/** Two versions of a module, held against each other for the same inputs. */
export interface ComparedModules {
  /** The axis whose values are parts of the module, such as its functions. */
  readonly axis: string;
  /** The values that both versions have. */
  readonly values: readonly string[];
  /** Values that one of them lacks, and those of which they give other results: a sentence each. */
  readonly missing: readonly { readonly value: string; readonly text: string }[];
  readonly differing: readonly { readonly value: string; readonly text: string }[];
}

/** Files a server needs, built once by a separate process and cached by content. */
export interface FilesSpec {
  /** Absolute path of the module that builds; see {@link FilesEvent} for what it prints. */
  readonly builder: string;
  /** The request to the builder. */
  readonly request: Readonly<Record<string, Value>>;
  /** The runtime that builds, where not every one can; the bytes must not depend on it. */
  readonly runtime?: RuntimeName;
}

/**
 * A line a builder prints on stdout. It is called with `--data DIR --verify quick|full` and one JSON array of requests as
 * its last argument, and ends when its stdin closes.
 */
export type FilesEvent =
  | { readonly event: "progress"; readonly text: string }
  | {
    readonly event: "ready";
    /** Place in the array of requests. */
    readonly request: number;
    /** Absolute path of the folder that is ready. */
    readonly directory: string;
    /** Its content in words: `sqlite, 10k users`. */
    readonly title: string;
    /** SHA-256 of what it was built from. */
    readonly sha256: string;
    readonly diskBytes: number;
    /** Why it was built, or null when it was there and sound. */
    readonly built: string | null;
    /** Milliseconds of the build, also when it was built earlier. */
    readonly buildMs: number;
  }
  | { readonly event: "failed"; readonly message: string };

/** The processes or threads that serve one port, and the way they share it. */
export interface WorkersSpec {
  readonly count: number;
  readonly by: WorkerWay;
}

/** An app module served by our adapters on one runtime; see servers/app.ts for what the module exports. */
export interface AppServer {
  readonly kind: "app";
  /** Value of the axis that binds runtimes. */
  readonly runtime: string;
  /** Absolute path of the module. */
  readonly module: string;
  readonly options?: Readonly<Record<string, Value>>;
  /** Flags of the runtime itself, before the script: `--experimental-ffi`. */
  readonly runtimeArgs?: readonly string[];
  /** Its working folder, where that is not the project's: what it starts is then ended with it. */
  readonly cwd?: string;
  /** Variables it sees besides those every server sees. */
  readonly env?: Readonly<Record<string, string>>;
  /** Folder with the files of {@link Suite.files}. */
  readonly directory?: string;
  /** `copy`: each server gets a copy of the folder for itself, because requests change it. */
  readonly state?: "shared" | "copy";
  /** Several workers on its port; one process by itself where left out. All read one folder, so its state is shared. */
  readonly workers?: WorkersSpec;
}

/** Any program that listens on a port. What it starts is measured, stopped and ended with it. */
export interface CommandServer {
  readonly kind: "command";
  /** Program and arguments; `{port}` becomes a free port, which PORT holds as well. Of a runtime: script and arguments. */
  readonly command: readonly string[];
  /** Value of the axis that binds runtimes, where one runs the script: its port is then found by looking where it listens. */
  readonly runtime?: string;
  /** Flags of the runtime itself, before the script. */
  readonly runtimeArgs?: readonly string[];
  /** The port it always listens on, in place of a free one. */
  readonly port?: number;
  /** Of a script: several workers on its port. Another program starts them itself: `{workers}` and WORKERS say how many. */
  readonly workers?: WorkersSpec;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Path that answers with a status below 500 once the server is ready. */
  readonly ready: string;
  readonly stop: "stdin" | "SIGTERM";
  /** Its name and version, for results. */
  readonly identity?: Readonly<Record<string, string>>;
}

/** A server that somebody else started and will stop. */
export interface RunningServer {
  readonly kind: "running";
  /** `http://127.0.0.1:8080`, without a path. */
  readonly url: string;
  /** Its process on this machine, for counters; they are null without. */
  readonly pid?: number;
  readonly identity?: Readonly<Record<string, string>>;
}

/**
 * A program a server needs next to it: a database, a cache. Each server has its own, started before it and ended after it;
 * it is watched and counted as a server is, and never ranked. It says with a line when it is ready
 * (servers/service-line.ts), and ends on SIGTERM.
 */
export interface ServiceSpec {
  readonly kind: "service";
  /** Short, unique among those of a point: `postgres`. Results name it so, and servers find it by it. */
  readonly name: string;
  /**
   * Program and arguments: `{node}` is the driver's Node, `{wrk}` the load generator that runs Lua. It listens on the
   * address `{host}`, also in HOST, and lets in those of CLIENTS, which are apart by spaces, where that is not loopback. What
   * it writes goes to the folder in FOLDER, which is its own and goes with it.
   */
  readonly command: readonly string[];
  /** The command that only says whether it can run here: by the line `unsupported` if it cannot. */
  readonly look?: readonly string[];
  /** Variables it sees besides those every server sees. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Services that run, by their names: where a server finds each. */
export type RunningServices = Readonly<Record<string, { readonly host: string; readonly port: number }>>;

/**
 * A function that is called again and again in a separate process, in place of a server that is sent requests. What else
 * that process needs is what {@link Suite.server} says of an app. See docs/in-process.md.
 */
export interface CallSpec {
  /** Absolute path of the module it is in; see servers/calls/open-calls.ts for what that exports. */
  readonly module: string;
  /** Its name there. */
  readonly call: string;
  /** Handed to the module besides the app's own. */
  readonly options?: Readonly<Record<string, Value>>;
  /** Calls under way at once, where it gives promises; 1 by default. */
  readonly atOnce?: number;
  /** Its first results, as `/results` reports them; null if they change by themselves. Absent if unknown. */
  readonly results?: { readonly sha256: string; readonly text: string } | null;
}

/** How a server is started, or found. */
export type ServerSpec = AppServer | CommandServer | RunningServer;

/** How a number becomes text: decimal digits, or 16 hexadecimal digits mixed from it with four keys (stores/dataset/mix.ts). */
export type Form = "decimal" | { readonly hex16: readonly [number, number, number, number] };

/** A share of draws from `below` upwards, 0 to 1, and the statuses these are answered with. */
export interface Miss {
  readonly share: number;
  readonly expect: readonly number[];
}

/** The value of a placeholder. Each request draws anew, seeded, the same for servers measured together. */
export type Draw =
  /** Whole numbers from 0 to below `below`, each as likely, all parts in turn: of each 64 draws one is from each 64th. */
  | { readonly kind: "uniform"; readonly below: number; readonly miss?: Miss; readonly as?: Form }
  /** Number k with a chance in proportion to 1 / (k + 1)^exponent; 0.99 is what key-value benchmarks use (YCSB). */
  | {
    readonly kind: "zipf";
    readonly below: number;
    readonly exponent: number;
    readonly miss?: Miss;
    readonly as?: Form;
  }
  /** With a chance of `share` one of the first `keys` numbers, else any. */
  | {
    readonly kind: "hot";
    readonly below: number;
    readonly keys: number;
    readonly share: number;
    readonly miss?: Miss;
    readonly as?: Form;
  }
  /** Numbers never drawn before by any load of the observation, from `from` on; see {@link serialNumber}. */
  | { readonly kind: "serial"; readonly from: number; readonly as?: Form }
  /** A line of a file, each as likely, drawn as evenly. */
  | { readonly kind: "rows"; readonly file: string }
  /** The number another placeholder of the same request drew, in another form. */
  | { readonly kind: "same"; readonly of: string; readonly as?: Form };

/** A body: text, sent as UTF-8, or any bytes. */
export type Body = string | { readonly base64: string };

/** One kind of request. `{name}` in path, header values and body is what the draw of that name gives. */
export interface RequestTemplate {
  /** Share among the templates, in any unit; 1 by default. */
  readonly weight?: number;
  /** `GET` by default. */
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes are sent as they are: no `{name}` in them is a draw. */
  readonly body?: Body;
  /** Over WebSocket: a message that each connection sends once, before its first {@link body}. */
  readonly first?: Body;
  /** Statuses it may be answered with. Where some are errors (above 399) and some are not, errors are counted, not held against it. */
  readonly expect: readonly number[];
}

/** The load on one server: closed (so many connections, each waits for its reply) or open (so many requests a second). */
export interface RequestPlan {
  readonly pace:
    | { readonly closed: number }
    | { readonly perSecond: number; readonly connections: number; readonly schedule?: "poisson" };
  readonly mix: readonly RequestTemplate[];
  readonly draws?: Readonly<Record<string, Draw>>;
  /** Rows a request reads or writes, where rows a second say more than requests a second. */
  readonly rows?: number;
  /**
   * `new`: a new connection for each request, over TLS with a whole handshake; `resumed`: one that goes on with the
   * session of TLS before it; `kept`, the default: they stay open.
   */
  readonly connection?: "kept" | "new" | "resumed";
  /** The protocol; HTTP/1.1 without TLS by default. The option `--protocol` overrules it for every suite. */
  readonly protocol?: Protocol;
  /**
   * Messages over WebSocket connections, in place of requests. The one template of {@link mix} has the method `WEBSOCKET`
   * and expects 101; its body is the message, as text or bytes. The first `00000000` in it becomes each message's number,
   * and the first in its path the number of a room, unless both go out as they are given.
   */
  readonly websocket?: {
    /** Messages in flight on each connection. */
    readonly inFlight: number;
    /** Connections of a room, all of which get each message of a member; 1, an echo, by default. */
    readonly members?: number;
    /** Further connections that send nothing after their first message; none by default. */
    readonly idle?: number;
    /** The message that comes back; the one sent by default. */
    readonly reply?: Body;
    /** Messages that the server sends before the first that counts, such as answers to the template's `first`; none by default. */
    readonly firstReplies?: number;
    /** Message and path hold no numbers: their zeros are somebody's own. */
    readonly asGiven?: true;
  };
  /** Nothing is sent: the server calls one of its functions, and each call counts as a request. */
  readonly calls?: true;
}

/** A reply, whole. */
export interface Reply {
  readonly status: number;
  /** Names in lower case; of a header sent twice all values, joined. */
  readonly headers: Readonly<Record<string, string>>;
  /** Read as UTF-8. */
  readonly body: string;
  /** The body in base64, where it is no UTF-8 and {@link body} is not all of it. */
  readonly base64?: string;
  /** Statuses of the replies before it that only announce it, such as 103; left out where there were none. */
  readonly interim?: readonly number[];
  /** Nothing but the end of its connection said where its body ended. */
  readonly endedByClose?: true;
  /** Bytes on the wire, interim replies and heads included, and those of the body alone; left out where nobody counts them. */
  readonly bytes?: { readonly whole?: number; readonly body: number };
}

/** The message that a WebSocket connection sends once, before the first that counts. */
export interface Opening {
  readonly message: Body;
  /** Messages that answer it; as many as come before the server is silent, if it is not known. */
  readonly replies?: number;
}

/** An open WebSocket. */
export interface OpenWebSocket {
  /** Sends a text, or bytes as a binary message, in one frame. */
  send(message: Body): void;
  /**
   * Resolves with the next message, in the order in which they came. Rejects with a {@link WrongAnswer} if the server
   * closes or breaks the protocol, and with the client's error if no message comes in time.
   */
  next(): Promise<Body>;
  /** Sends a close frame and ends the connection. */
  close(): void;
}

/** A running server to ask. */
export interface Target {
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly url?: string;
  /** True if this process can connect to it directly; to a server on another host it can only {@link send}. */
  readonly isNear?: true;
  /** Sends a path as it is, unnormalised, with a JSON body unless headers say otherwise. */
  send(
    method: string,
    path: string,
    body?: Body,
    headers?: Readonly<Record<string, string>>,
    opening?: Opening,
  ): Promise<Reply>;
  /**
   * Opens a WebSocket over a new connection. Rejects with a {@link WrongAnswer} if the handshake is not as RFC 6455 has it.
   * Undefined if the server is on another host, or speaks HTTP/2.
   */
  webSocket?(path: string, headers?: Readonly<Record<string, string>>): Promise<OpenWebSocket>;
}

/** One thing a server must do. */
export interface Check {
  readonly name: string;
  /** Resolves with the number of replies compared; throws a {@link WrongAnswer}. */
  run(target: Target): Promise<number>;
}

/** A reply that differs from the expected one, with its status if it is an error for that alone. */
export class WrongAnswer extends Error {
  override readonly name = "WrongAnswer";
  readonly status: number | null;
  /** The message for a server that is idle after its loads and was right before them; null if it is the same. */
  readonly lasting: string | null;

  constructor(message: string, status: number | null = null, lasting: string | null = null) {
    super(message);
    this.status = status;
    this.lasting = lasting;
  }
}

/** The requests that one load of an observation sent to a server: each warm-up is a load, the window is the last. */
export interface SentLoad {
  /** Place among the loads of the observation, from 0. */
  readonly load: number;
  /** Requests sent by each thread, by template of the mix; of each connection the last may not have been answered. */
  readonly sent: readonly (readonly number[])[];
  readonly connections: number;
}

/** The check of a store after the loads, and its counts. */
export interface Audit {
  readonly name: string;
  /** Throws a {@link WrongAnswer}. */
  run(target: Target): Promise<{ readonly replies: number; readonly facts?: Readonly<Record<string, number>> }>;
}

/** Expected replies, known without asking the server's store. */
export interface Oracle {
  /** One request: the server answers at all. */
  readonly alive: Check;
  /** Before and after each load; they leave nothing behind. */
  checks(seed: number): readonly Check[];
  /** One more, requested with new seeds while time allows. */
  sample?(seed: number): Check;
  /**
   * Returns the checks of {@link alive} and {@link checks} that hold whatever other clients have written; all by
   * default.
   */
  lasting?(seed: number): readonly Check[];
  audit?(loads: readonly SentLoad[]): Audit;
}

/** A figure of a cell that expectations speak of. */
export type ExpectedMetric = "requests_per_second" | "rows_per_second" | "cpu_ns_per_request";

/** An expectation known or promised before any run. Every run is compared with it, and `bench show` says if it is met. */
export type Expectation =
  /** A figure somebody published: a shape to compare with, never this machine's result. `at` names some axes. */
  | {
    readonly kind: "published";
    readonly at: At;
    readonly metric: ExpectedMetric;
    readonly value: number;
    readonly source: string;
  }
  /**
   * `over` by `under` in a metric lies between `least` and `most`, for every two points that agree on all axes neither
   * names. Without bounds the ratio is shown and nothing is held against it.
   */
  | {
    readonly kind: "ratio";
    readonly name: string;
    readonly over: At;
    readonly under: At;
    readonly metric: ExpectedMetric;
    readonly least?: number;
    readonly most?: number;
    /** The same ratio as somebody published it. */
    readonly published?: number;
    readonly why: string;
  }
  /** req/s ~ value^k along a scale axis, with k between `least` and `greatest`, for every line of points that match `at`. */
  | {
    readonly kind: "scaling";
    readonly axis: string;
    readonly at: At;
    /** The law that is promised: `O(log n)`. */
    readonly law: string;
    readonly least: number;
    readonly greatest: number;
    readonly why: string;
  }
  /** Points in an order in which each adds something: a table of what each step costs or buys. */
  | {
    readonly kind: "steps";
    readonly name: string;
    readonly axis: string;
    readonly values: readonly Value[];
    readonly at?: At;
    readonly metric: ExpectedMetric;
    readonly why: string;
  }
  /** The cost of drawing these requests: the generator's rate over that of one fixed URL, against the same null server. */
  | { readonly kind: "ceiling"; readonly at: At; readonly least: number };

/** Points and amounts of a run; a field that is left out keeps its value. */
export interface Preset {
  readonly title: string;
  readonly rounds?: number;
  /** Whole seconds in milliseconds, as are the others. */
  readonly durationMs?: number;
  /** Load before the window, in place of one until the server is steady. */
  readonly warmupMs?: number;
  /** The number of such loads; 1 by default. */
  readonly warmupLoads?: number;
  /** Threads of the load generator. */
  readonly threads?: number;
  /** The load generator, by name; wrk by default. */
  readonly generator?: string;
  /** Which values of some axes. */
  readonly at?: Readonly<Record<string, readonly Value[]>>;
}

/** A suite: the points that are measured, and how. */
export interface Suite {
  /** Lower-case letters, digits and dashes: the word on the command line. */
  readonly name: string;
  readonly title: string;
  /** The subject of titles, in a few words: `PostgreSQL drivers`. The title up to its colon if left out. */
  readonly subject?: string;
  /** The word for a call of a suite that calls functions: `start`; `call` if left out. */
  readonly unit?: string;
  readonly axes: readonly Axis[];
  /** True, or why this point cannot be. Such a point is listed as `unsupported` with the reason and not measured. */
  supports?(point: Point): true | string;
  /** True, or why these points cannot be measured at the same time on one core. */
  together?(points: readonly Point[]): true | string;
  /** Values of a quick and steady point, for the bench's checks and the A/A pair; the first of each axis by default. */
  readonly probe?: At;
  /** Milliseconds until a server alone is steady, for the time that is reported; 2 500 by default, as of requests of 40 µs. */
  readonly expectedWarmupMs?: number;
  /** Values that `--quick` takes of some axes. Its rounds are those that fit its time; see docs/methodology.md. */
  readonly quick?: Required<Pick<Preset, "at">>;
  /** The same where protocols are requested, each of which is then measured in every round. */
  readonly quickSpoken?: Required<Pick<Preset, "at">>;
  readonly presets?: Readonly<Record<string, Preset>>;
  /** The same suite with users' modules among the values of the axes that take them. */
  withModules?(modules: readonly UserModule[]): Suite;
  files?(point: Point): FilesSpec | null;
  /**
   * Returns the services of its server; none by default.
   *
   * @param directory the folder of {@link files}, or null without
   */
  services?(point: Point, directory: string | null): readonly ServiceSpec[];
  /**
   * @param directory the folder of {@link files}, or null without
   * @param services those of {@link services}; none where nothing is started
   */
  server(point: Point, directory: string | null, services?: RunningServices): ServerSpec;
  requests(point: Point): RequestPlan;
  oracle(point: Point): Oracle;
  readonly expectations?: readonly Expectation[];
  /** Returns the function called at a point with `--generator in-process`, or why there is none. */
  calls?(point: Point): CallSpec | string;
  /** The load generator unless another is requested; wrk by default. */
  readonly generator?: string;
}

/** Numbers one thread of one load may draw serially: more than any writes in ten minutes. */
const LANE = 2 ** 24;
/** Threads that have serial numbers of their own. */
const THREADS = 16;

/**
 * The n-th serial number of a thread in a load, all counted from 0.
 * The generator's script computes the same (bench/generators/wrk.lua).
 */
export function serialNumber(from: number, load: number, thread: number, n: number): number {
  return from + (load * THREADS + thread) * LANE + n;
}

/** Compares a reply with what is expected of it. Throws a {@link WrongAnswer} that names both in one line. */
export async function expectReply(
  target: Target,
  request: { method?: string; path: string; body?: Body; headers?: Readonly<Record<string, string>> },
  expected: { status: number; body?: string | ((body: string) => boolean); headers?: Readonly<Record<string, string>> },
): Promise<Reply> {
  const { method = "GET", path } = request;
  const reply = await target.send(method, path, request.body, request.headers);
  const name = `${method} ${path.slice(0, 80)}`;
  const wrong = (what: string): never => {
    throw new WrongAnswer(`${name}: ${what}`);
  };
  if (reply.status !== expected.status) {
    throw new WrongAnswer(`${name}: status ${reply.status}, expected ${expected.status}`, reply.status);
  }
  const { body } = expected;
  if (typeof body === "string" && reply.body !== body) wrong(`body ${quoted(reply.body)}, expected ${quoted(body)}`);
  if (typeof body === "function" && !body(reply.body)) wrong(`body ${quoted(reply.body)}`);
  for (const [header, value] of Object.entries(expected.headers ?? {})) {
    if (reply.headers[header] !== value) wrong(`header ${header} is ${quoted(reply.headers[header] ?? "missing")}`);
  }
  return reply;
}

const quoted = (text: string) => JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
