// One table in one place: longer than other files for that.
import type { Axis } from "../../suites/suite.ts";
import { PROTOCOLS } from "../record/cell.ts";
import { MEASURES, RANGES, SCHEDULES } from "../record/ranges.ts";
import type { CommandName } from "./commands.ts";
import { USER_TYPES } from "./user-options.ts";
import {
  cpus,
  type GivenOf,
  label,
  limit,
  listOfType,
  listWords,
  minutes,
  oneOf,
  type OneOrMore,
  percentage,
  seconds,
  switchType,
  text,
  type Type,
  type,
  type ValueOf,
  wholeNumber,
  words,
} from "./types.ts";

/** The groups of options, in the order of help, each with its heading. */
export const GROUPS = {
  what: "What to measure",
  requests: "Requests",
  right: "What passes",
  time: "How long",
  place: "CPUs and hosts",
  output: "Output",
} as const;

/** One of {@link GROUPS}. */
export type Group = keyof typeof GROUPS;

/**
 * One option. Parser, help, the check of a config and of a program's choices, and the docs' tables follow from it. Options of
 * one name for different commands may differ in type, default and help.
 */
export interface Option {
  readonly name: string;
  readonly short?: string;
  readonly type: Type;
  /** Placeholder of its value in help, if not the type's. */
  readonly shown?: string;
  readonly repeat?: true;
  /** A config may say it, by its name in camelCase. */
  readonly key?: true;
  /** Its group in help; none for options of every command and of axes. */
  readonly group?: Group;
  readonly of?: readonly CommandName[] | "every";
  readonly help: string;
  /** Help without --help-all shows it too, where a command has more than a dozen options. */
  readonly first?: true;
  readonly otherwise?: string;
  /** The default is read like a given value; otherwise only help shows it, and the code decides. */
  readonly isDefault?: true;
  /**
   * May be given with a plan that is measured again: `any` with `--plan` and `--resume`, `place` with `--plan` alone, since a
   * resumed run goes on where it began.
   */
  readonly again?: "any" | "place";
  /** Of an axis's option: see `Axis` in suites/suite.ts. */
  readonly binds?: Axis["binds"] | undefined;
  /** Of an axis's option: that of a suite of functions. */
  readonly ofFunctions?: boolean;
}

type Row = Pick<Option, "type" | "help"> & Partial<Option>;

const row = <T, In, const M extends readonly Partial<Option>[]>(type: Type<T, In>, help: string, ...more: M) =>
  Object.assign({ type, help }, ...more) as Row & {
    readonly type: Type<T, In>;
    readonly isDefault: M[0] extends { readonly isDefault: true } ? true : never;
  };
const repeat = { repeat: true } as const;
const or = (otherwise: string) => ({ otherwise });
/** Its default as it would be written, which is read. */
const is = (otherwise: string) => ({ otherwise, isDefault: true } as const);

const first = { first: true } as const;
const again = { again: "any" } as const;
const place = { again: "place" } as const;

type Rows = Readonly<Record<string, Row>>;
type Named<R extends Rows, M> = { [N in keyof R & string]: R[N] & M & { readonly name: N } }[keyof R & string][];

const named = <R extends Rows, M>(more: Partial<Option>, rows: R) =>
  Object.entries(rows).map(([name, row]) => ({ ...row, ...more, name })) as unknown as Named<R, M>;

/** Options that are given by hand alone: the form of a command, its files, its run. */
const byHand = <const R extends Rows>(group: Group | undefined, of: readonly CommandName[] | "every", rows: R) =>
  named<R, { readonly key?: never }>({ ...(group && { group }), of }, rows);

/** Options that a config may say, too. */
const orKey = <const R extends Rows>(group: Group, of: readonly CommandName[], rows: R) =>
  named<R, { readonly key: true }>({ group, of, key: true }, rows);

/** The help of `--quick`, with one meaning in every command, and the amount it measures in each. */
const quick = (amount: string) => `a first answer soon, which sees less: ${amount}`;

const MATRIX = ["all", "run"] as const;
const PAIRS = [...MATRIX, "run --pair"] as const;
const STARTED = [...PAIRS, "latency", "explain"] as const;
const SERVERS = [...STARTED, "serve"] as const;
const REVISIONS = ["gate", "bisect"] as const;
const SERVERS_OR_GATE = [...SERVERS, ...REVISIONS] as const;
const ON_HOSTS = [...PAIRS, "latency", "reproduce"] as const;
const PINNED = [...ON_HOSTS, "explain"] as const;
const READING = ["verify", "compare", "show"] as const;
const OTHERS = ["list", "doctor"] as const;

/** Rates of an open loop, as words: the axis of that name reads them. */
const rates = listOfType(
  type<string, string | number>(
    "N",
    "is no rate",
    "such as 1000,5k",
    (value) => ["string", "number"].includes(typeof value) ? String(value) : undefined,
  ),
  (word) => word.split(","),
);
const protocols: Type<string[], OneOrMore<string>> = { ...listOfType(oneOf(PROTOCOLS), listWords), shown: "a,b" };

/** Every option of the driver itself; those of axes come from suites. */
export const OPTIONS = [
  ...orKey("what", SERVERS_OR_GATE, {
    app: row(
      USER_TYPES.app,
      "your app: a module that exports a Hono app, a fetch function or { fetch }; a=FILE,b=FILE are compared",
      repeat,
      first,
    ),
    program: row(
      USER_TYPES.program,
      "your server: a file that listens by itself, started on each runtime; arguments may follow it",
      repeat,
      first,
    ),
    command: row(
      USER_TYPES.command,
      "your server in any language, started by these words; {port} in them becomes a free port",
      repeat,
      first,
    ),
  }),
  ...orKey("what", SERVERS, {
    target: row(USER_TYPES.target, "a server that runs already on this machine; it is not started or stopped", repeat),
    pid: row(USER_TYPES.pid, "process of the --target, to read its CPU time and memory", or("they are not known")),
  }),
  ...orKey("what", [...STARTED, ...REVISIONS], {
    port: row(USER_TYPES.port, "of a --program or --command that does not read PORT: the port it listens on"),
  }),
  ...orKey("what", SERVERS_OR_GATE, {
    ready: row(USER_TYPES.ready, "of a --program or --command: a path that answers once it is ready", or("/")),
  }),
  ...orKey("requests", SERVERS_OR_GATE, {
    request: row(USER_TYPES.request, "a request to your server", or("GET /"), repeat, first),
    requests: row(USER_TYPES.requests, "file of requests: JSON lines with weights and draws, or a .har", repeat),
    header: row(USER_TYPES.header, "header of the --request before it; before the first, of all requests", repeat),
  }),
  ...byHand("requests", SERVERS_OR_GATE, {
    body: row(USER_TYPES.body, "body of the --request before it: @FILE, or the text itself", repeat),
    websocket: row(USER_TYPES.websocket, "send a message over a WebSocket at this path, in place of requests"),
    message: row(USER_TYPES.message, "the message of --websocket: @FILE, or the text itself"),
    first: row(USER_TYPES.first, "of --websocket: a message that each connection sends once before, such as a login"),
  }),
  ...orKey("what", SERVERS_OR_GATE, {
    env: row(USER_TYPES.env, "name of a variable to pass to your server; its value is never written down", repeat),
  }),
  ...orKey("right", SERVERS_OR_GATE, {
    expect: row(USER_TYPES.expect, "statuses that pass", or("replies like the first ones"), repeat),
    ignore: row(USER_TYPES.ignore, "part of a reply that may differ: header:etag, cookie:sid, json:user.time", repeat),
  }),
  ...orKey("time", MATRIX, {
    quick: row(
      switchType,
      quick("seven minutes under one set of conditions, rates from one window of 1 s"),
      first,
    ),
    time: row(
      minutes,
      "time for the answer, such as 5m: spreads seen so far decide how many rounds of what length",
      or("7m for --quick; else rounds are fixed"),
      first,
    ),
    thorough: row(switchType, "20 rounds, rates from 12 windows of 10 s", first),
    preset: row(
      text("NAME"),
      "amounts and values that the suite or your config has a name for; options beside it win",
    ),
  }),
  ...byHand("what", MATRIX, {
    plan: row(text("FILE"), "measure this plan: a run.json, or what --dry-run --json printed"),
    resume: row(text("RUN"), "go on with a stopped run: only what is missing", first),
  }),
  ...byHand("what", [...MATRIX, "settle", "reproduce", "explain"], {
    trust: row(switchType, "run all that a plan of somebody else names: commands, modules, files, variables", again),
  }),
  ...orKey("time", PAIRS, {
    rounds: row(wholeNumber(RANGES.rounds), "rounds; each measures every server once", or("14"), first),
    duration: row(seconds, "how long each server counts in a round, alone and together, in whole seconds", or("2s")),
  }),
  ...orKey("time", REVISIONS, {
    quick: row(switchType, quick("4 rounds"), first),
    rounds: row(wholeNumber([3, 1_000]), "rounds; each measures every version once", or("8"), first),
  }),
  ...orKey("time", ["explain"], {
    rounds: row(wholeNumber([3, 16]), "windows with the profiler, and as many without", is("3"), first),
    duration: row(seconds, "length of a window, in whole seconds", is("2s")),
  }),
  ...orKey("time", ["latency"], {
    quick: row(
      switchType,
      quick("two cells in three minutes, at 50 and 90 %, windows of 1 s, a search only with --slo"),
      first,
    ),
    rounds: row(
      wholeNumber([1, 100]),
      "windows at each rate",
      or("6, or as many as it takes to tell cells apart"),
      first,
    ),
    duration: row(seconds, "length of a window, in whole seconds", is("3s")),
  }),
  ...orKey("time", [...PAIRS, ...REVISIONS], {
    warmup: row(seconds, "load before measuring, in whole seconds", or("until the server is steady"), { shown: "1s" }),
  }),
  ...orKey("right", [...PAIRS, ...REVISIONS], {
    timeout: row(seconds, "a reply that takes longer counts as missing; a slow server gets more", or("10s"), {
      shown: "10s",
    }),
  }),
  ...orKey("time", PAIRS, {
    rest: row(
      seconds,
      "after each load leave the server idle this long, such as 60s, and read its memory again",
      or("memory is read after the load"),
    ),
    "warmup-loads": row(wholeNumber(RANGES.warmupLoads), "with --warmup: how many such loads, 1 to 6", or("1")),
  }),
  ...orKey("requests", PAIRS, {
    threads: row(wholeNumber(RANGES.threads), "threads of the load generator", or("one for each of its cores")),
    generator: row(
      oneOf(MEASURES),
      "load generator: wrk, ontime, h2load; connect opens connections, websocket sends messages, in-process calls functions",
      or("wrk"),
    ),
  }),
  ...orKey("requests", [...STARTED, ...REVISIONS], {
    seed: row(
      wholeNumber(RANGES.seed),
      "number that decides the order, and requests drawn at random",
      or("from the clock, recorded"),
    ),
  }),
  ...orKey("requests", MATRIX, {
    rate: row(rates, "send at fixed rates: requests per second, or shares of what the server can: 1000,5k,50%"),
  }),
  ...orKey("requests", [...MATRIX, "latency"], {
    schedule: row(
      oneOf(SCHEDULES),
      "with rates: gaps between requests, fixed (equal) or poisson (random)",
      is("fixed"),
    ),
  }),
  ...orKey("requests", MATRIX, {
    protocol: row(protocols, "protocols, each is measured: http, https, h2 (over TLS), h2c; see docs/tls.md"),
  }),
  ...orKey("requests", ["latency"], {
    rate: row(rates, "rates, such as 5000, besides shares of what the server can", or("50, 70 and 90 %"), first),
  }),
  ...orKey("right", ["latency"], {
    slo: row(limit, "limit that a rate must hold: a percentile and a time", is("p99<10ms"), first),
  }),
  ...orKey("place", MATRIX, {
    alone: row(
      switchType,
      "measure every cell alone, not by turns on one core: verdicts rest on rates, which are noisier",
    ),
  }),
  ...orKey("right", MATRIX, {
    like: row(
      switchType,
      "compare only cells with as many round trips and parsed statements a request to their services",
    ),
  }),
  ...orKey("output", MATRIX, {
    label: row(label, "label of this run's cells; bench compare RUN@LABEL takes it", is("main")),
  }),
  ...byHand("what", [...MATRIX, "explain"], {
    against: row(text("REF"), "also measure this git revision, in the same run"),
  }),
  ...byHand("what", ["gate"], {
    base: row(
      text("REV"),
      "compare with this branch or commit, as it was when yours left it",
      is("HEAD"),
      first,
    ),
  }),
  ...byHand("right", ["gate"], {
    limit: row(percentage, "slowdown that passes; proven beyond is exit 4", is("3%"), first),
    strict: row(switchType, "exit 3 where nothing was measured, or no verdict made", first),
    confirm: row(
      switchType,
      "a regression counts only if a second run with its own seed proves it again",
      or("where the variable CI is set"),
    ),
    "no-confirm": row(switchType, "one run is enough, also where the variable CI is set"),
  }),
  ...byHand("output", ["gate"], {
    history: row(text("FOLDER"), "add a line of this commit; bench compare FOLDER draws them and names drifts"),
    "no-explain": row(switchType, "if it is proven slower, do not say what grew: a minute less"),
  }),
  ...byHand("what", [...REVISIONS, "explain"], {
    install: row(
      text("LINE"),
      "shell line that installs and builds a revision",
      or("what its lock file says, such as npm ci"),
      first,
    ),
  }),
  ...orKey("what", [...REVISIONS, "explain"], {
    carry: row(listOfType(text("PATH")), "copy what git ignores into a revision: a file or folder", repeat, first),
  }),
  ...byHand("what", ["bisect"], {
    good: row(text("VERSION"), "version before the change: bun@1.2.10, or a revision of your app", first),
    bad: row(text("VERSION"), "version with the change", or("npm's latest, or HEAD"), first),
    among: row(words, "all versions in order, if npm does not know them: bun=./a/bun,bun=./b/bun", first),
  }),
  ...orKey("place", [...PINNED, ...REVISIONS], {
    "server-cpus": row(cpus, "CPUs of the server, such as 1 or 2-3", or("chosen"), place),
    "load-cpus": row(cpus, "CPUs of the load generator", or("chosen"), place),
  }),
  ...orKey("place", STARTED, {
    "force-workers": row(switchType, "allow more workers than cores: marked, and their rates get no verdict", place),
  }),
  ...byHand("time", ON_HOSTS, {
    yes: row(switchType, "do not ask before what takes longer than a quarter of an hour", first, again),
  }),
  ...byHand("place", ON_HOSTS, {
    "server-host": row(
      text("COMMAND"),
      "run servers on the machine that this command reaches: 'ssh box1'; see docs/two-machines.md",
      or("here"),
      place,
    ),
  }),
  ...byHand("place", [...ON_HOSTS, ...REVISIONS], {
    "load-host": row(text("COMMAND"), "run the load generator on the machine that it reaches", or("here"), place),
    "server-address": row(
      text("ADDRESS"),
      "address that servers listen on; auto takes the first of their machine",
      or("127.0.0.1"),
      place,
    ),
  }),
  ...byHand("place", STARTED, {
    "service-host": row(
      text("COMMAND"),
      "run databases and other services on the machine that it reaches",
      or("beside the servers"),
      place,
    ),
    "service-address": row(
      text("ADDRESS"),
      "address that services listen on, behind a password; auto as for servers",
      or("127.0.0.1"),
      place,
    ),
  }),
  ...byHand("time", ["settle"], {
    time: row(minutes, "time for further rounds", is("10m"), first),
    "dry-run": row(switchType, "say what would be measured and decided, and measure nothing", first),
  }),
  ...byHand("what", ["reproduce"], {
    with: row(text("RUN"), "take a run that was already made from this plan, and measure nothing"),
  }),
  ...orKey("right", ["compare"], {
    "fail-on": row(percentage, "exit 4 when the second is proven slower by at least this"),
  }),
  ...byHand("output", ["report"], {
    format: row(
      text("html|csv|…"),
      "html, markdown, csv, json, hdr, github-action-benchmark",
      is("html"),
    ),
    output: row(text("FILE"), "file to write", or("report.html in the run's folder; of other formats stdout")),
    card: row(switchType, "write a picture of the run to share, 1200 × 630, as SVG and PNG"),
    readme: row(switchType, "write README.md's table and pictures from the run"),
  }),
  ...byHand("what", ["serve"], {
    port: row(
      wholeNumber([0, 65_535]),
      "port to listen on, 0 takes a free one; for a program that does not read PORT: its own port",
      is("8080"),
      first,
    ),
  }),
  ...byHand("output", ["gate"], { output: row(text("FILE"), "file to write its Markdown to", first) }),
  ...byHand("output", ["compare"], {
    output: row(text("FILE"), "of a series of runs: file to write a page to"),
    all: row(switchType, "print all there is: of a series of runs, every run and every cell"),
  }),
  ...byHand("output", ["show"], {
    all: row(switchType, "print all there is: every cell, every verdict in words, what limited them"),
    export: row(text("csv|json|hdr|…"), "print it for other tools: any format of bench report but html"),
    list: row(switchType, "list all runs instead, the newest first, with what each says to take"),
  }),
  ...byHand("what", ["run", "run --pair"], {
    pair: row(switchType, "compare two cells only: bench run --pair CELL CELL", first),
  }),
  ...orKey("output", [...PINNED, ...REVISIONS, ...READING, "settle", "report"], {
    results: row(text("DIR"), "folder of runs", or("levelfield-results, or results in a clone"), again),
  }),
  ...orKey("output", [...PINNED, ...REVISIONS, "settle", "serve"], {
    data: row(text("DIR"), "folder of files built for servers", or(".data"), again),
  }),
  ...byHand("output", ["compare", "gate"], { markdown: row(switchType, "print Markdown, for pull requests") }),
  ...byHand("time", MATRIX, {
    "dry-run": row(switchType, "measure nothing: say what would be done, and check your own modules", first, again),
    prepare: row(switchType, "measure nothing: build the files that servers need, or check those there are", again),
  }),
  ...byHand("output", ["init"], { "dry-run": row(switchType, "write nothing: say what would be written", first) }),
  ...byHand("output", [...PINNED, ...REVISIONS, ...READING, ...OTHERS, "settle"], {
    json: row(switchType, "print results as JSON on stdout instead of a table", again),
  }),
  ...byHand(undefined, "every", {
    config: row(
      text("FILE"),
      "take options from this config",
      or("levelfield.config.ts here, to measure, serve or build"),
    ),
    "no-config": row(switchType, "take no config"),
    verbose: row(switchType, "print stacks with errors"),
    help: row(switchType, "print help", { short: "h" }),
    "help-all": row(switchType, "print help with all commands, or all options of one"),
    version: row(switchType, "print the versions of everything involved", { short: "V" }),
  }),
];

type AnyRow = (typeof OPTIONS)[number];

/** Name of an option of the driver. */
export type OptionName = AnyRow["name"];

/** The value of an option once it is read; never undefined if every row of its name has a default. */
export type OptionValue<N extends OptionName> = N extends OptionName ? { [R in AnyRow as R["name"]]: ReadAs<R> }[N]
  : never;
type ReadAs<R extends AnyRow> = R extends { readonly isDefault: true } ? ValueOf<R["type"]>
  : ValueOf<R["type"]> | undefined;

/** Keys of a config that are options, each with the values it may have there. */
export type ConfigKeys = {
  readonly [R in Extract<AnyRow, { readonly key: true }> as CamelCase<R["name"]>]?: GivenOf<R["type"]>;
};
/** The key of a config for an option: `warmup-loads` is `warmupLoads`. */
export type CamelCase<S extends string> = S extends `${infer A}-${infer B}` ? `${A}${Capitalize<CamelCase<B>>}` : S;
