import type { Draw, Suite, Value } from "../../suites/suite.ts";

/** One value or several. */
export type OneOrMore<T> = T | readonly T[];

/** How much is measured and at which values, in the words of the command line. */
export interface ConfigAmounts {
  /** Rounds, each every cell once. */
  readonly rounds?: number;
  /** Measured window of a cell alone, whole seconds: `"3s"`. */
  readonly duration?: string;
  /** Load before the window, whole seconds; until the server is steady by default. */
  readonly warmup?: string;
  /** How many such loads, 1 to 6. */
  readonly warmupLoads?: number;
  /** Threads of the load generator, 1 to 16. */
  readonly threads?: number;
  /** The load generator: `wrk`, `h2load`, … */
  readonly generator?: string;
  /** Values of axes by the axis's name: `{ runtime: ["bun"], connections: 100 }`. Axes a suite does not have are its own affair. */
  readonly at?: Readonly<Record<string, OneOrMore<Value>>>;
}

/** A set of amounts and values under a name: `--preset NAME`. */
export interface ConfigPreset extends ConfigAmounts {
  /** For lists. */
  readonly title?: string;
  /** Requests in place of a duration, where the generator counts them. */
  readonly requests?: number;
}

/** One kind of request; `{name}` in path, headers and body is what the draw of that name gives. */
export interface ConfigRequest {
  /** `GET` by default. */
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text as it is; anything else is sent as JSON. */
  readonly body?: unknown;
  /** Share among the requests, in any unit. */
  readonly weight?: number;
  /** Statuses it may be answered with; as first recorded by default. */
  readonly expect?: readonly number[];
  readonly draws?: Readonly<Record<string, Draw>>;
}

/**
 * What `levelfield.config.ts` may say: options of the command line by their long names in camelCase, in which several
 * values are a list, and what has no option: suites, presets and modules of one's own. Paths are from the config's folder.
 */
export interface Config extends ConfigAmounts {
  /** Apps of one's own: a module, or modules by the names they are measured under. */
  readonly app?: string | Readonly<Record<string, string>>;
  /** Programs that listen, each a file with its arguments, started on each runtime in their package's folder. */
  readonly program?: string | Readonly<Record<string, string>>;
  /** Programs that listen, started in the folder the bench is started in; `{port}` becomes a free port. */
  readonly command?: string | Readonly<Record<string, string>>;
  /** Servers that run already, on loopback. */
  readonly target?: string | Readonly<Record<string, string>>;
  /** Process of the one `target`, for its counters. */
  readonly pid?: number;
  /** Port the one `program` or `command` always listens on. */
  readonly port?: number;
  /** Path that a `program` or `command` answers once it is ready. */
  readonly ready?: string;
  /** Requests to servers of one's own: `"GET /items/42"`, or with weight, body and draws. */
  readonly request?: OneOrMore<string | ConfigRequest>;
  /** Files of requests, JSON lines or `.har`. */
  readonly requests?: OneOrMore<string>;
  /** Headers of all requests. */
  readonly header?: Readonly<Record<string, string>>;
  /** Names of variables that servers of one's own see. */
  readonly env?: OneOrMore<string>;
  /** Statuses that are right, in place of recorded replies. */
  readonly expect?: OneOrMore<number>;
  /** What of a recorded reply may differ: `header:etag`, `json:user.time`. */
  readonly ignore?: OneOrMore<string>;
  /** Suites of one's own, or files that export one: `bench run NAME`. */
  readonly suites?: readonly (Suite | string)[];
  /** Presets of one's own, for every suite that has the axes they name. */
  readonly presets?: Readonly<Record<string, ConfigPreset>>;
  /** Modules of one's own by axis and name: under that name they are values of the axis, as files are on the command line. */
  readonly modules?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly quick?: boolean;
  readonly thorough?: boolean;
  /** A preset of the suite or of one's own. */
  readonly preset?: string;
  readonly alone?: boolean;
  /** Compare only cells that use their services alike. */
  readonly like?: boolean;
  readonly label?: string;
  /** When a reply is missing: `"10s"`. */
  readonly timeout?: string;
  readonly rest?: string;
  readonly seed?: number;
  /** `"1"`, `"2-3,5"`. */
  readonly serverCpus?: string;
  readonly loadCpus?: string;
  /** Run more workers than there are cores for. */
  readonly forceWorkers?: boolean;
  /** Folder of runs. */
  readonly results?: string;
  /** Folder of files built for servers. */
  readonly data?: string;
  /** Requests a second: several for `bench run`, one for others. */
  readonly rate?: OneOrMore<number | string>;
  /** What is spoken: `"http"`, `"https"`, `"h2"`, `"h2c"`. */
  readonly protocol?: OneOrMore<string>;
  /** Limit a rate must hold: `"p99<10ms"`. */
  readonly slo?: string;
  /** `"5%"`: `bench compare` exits with 4 when the second is proven slower by at least this. */
  readonly failOn?: string;
}

/**
 * The default export of `levelfield.config.ts`, with its types: docs/configuration.md has all of it.
 *
 * ```ts
 * import { defineConfig } from "levelfield";
 *
 * export default defineConfig({
 *   app: { app: "./app.ts", plain: "./variant.ts" },
 *   request: ["GET /", { method: "POST", path: "/total", body: { ids: [1, 2, 3] } }],
 *   at: { runtime: ["node", "bun"] },
 *   presets: { night: { rounds: 20, duration: "10s" } },
 * });
 * ```
 *
 * @returns the config as it is; it is checked when a command reads it
 */
export function defineConfig(config: Config): Config {
  return config;
}

/**
 * A suite of one's own with its types, for `suites` of a config or as the default export of a file of its own. It is of the
 * same type as those of the project: docs/adding-a-suite.md.
 *
 * ```ts
 * import { connectionsAxis, defineSuite, expectReply } from "levelfield";
 *
 * export const suite = defineSuite({
 *   name: "gateway",
 *   title: "the gateway that runs on port 8080",
 *   axes: [connectionsAxis(50)],
 *   server: () => ({ kind: "running", url: "http://127.0.0.1:8080" }),
 *   requests: ({ at }) => ({ pace: { closed: Number(at.connections) }, mix: [{ path: "/", expect: [200] }] }),
 *   oracle: () => ({
 *     alive: { name: "it answers", run: (target) => expectReply(target, { path: "/" }, { status: 200 }).then(() => 1) },
 *     checks: () => [],
 *   }),
 * });
 * ```
 *
 * @returns the suite as it is; it is checked when a command reads it
 */
export function defineSuite(suite: Suite): Suite {
  return suite;
}
