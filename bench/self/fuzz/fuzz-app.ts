import type { RuntimeName } from "../../../servers/runtime.ts";
import type { Point } from "../../../suites/suite.ts";
import { type Corpus, corpusOf, plannedRequests } from "../../core/fuzz/corpus.ts";
import {
  differenceText,
  differs,
  explanationOf,
  isKnownFault,
  type KnownDifference,
  type KnownFault,
  type Outcomes,
} from "../../core/fuzz/differences.ts";
import { exchangeAt, PLAIN } from "../../core/fuzz/make-exchange.ts";
import { isServerFault, type Outcome } from "../../core/fuzz/outcome.ts";
import { createRandom } from "../../core/random.ts";
import type { RuntimeBinary } from "../../host/runtimes.ts";
import { directoryFor } from "../../observe/conduct-run.ts";
import type { PreparedFiles } from "../../observe/prepare-files.ts";
import { type ServerProcess, startServer, stopServer } from "../../host/server-process.ts";
import { askInEarnest } from "./ask-in-earnest.ts";
import type { FuzzApp } from "./fuzz-apps.ts";
import { type Fuzzed, type FuzzFault, fuzzServer } from "./fuzz-server.ts";
import { keptConnection, SLOWLY, talkAlone } from "./talk.ts";

/** Where apps are fuzzed, and how much. */
export interface FuzzSite {
  readonly runtimes: readonly RuntimeBinary[];
  readonly serverCpus: readonly number[] | null;
  readonly files: PreparedFiles;
  /** Sent to each server. */
  readonly requests: number;
  readonly seed: number;
  readonly known: readonly KnownDifference[];
  readonly knownFaults: readonly KnownFault[];
  stopped(): boolean;
  onStart(kill: () => void): void;
  /** Told now and then how many requests a server has been sent. */
  progress(app: string, runtime: string, sent: number): void;
  /** Told of so many more requests that are done with. */
  advance?(requests: number): void;
}

/** A class of requests that runtimes answer differently and no entry of the list explains. */
export interface UnknownDifference {
  readonly mutation: string;
  readonly text: string;
  readonly requests: number;
  /** Number of an exchange that shows it. */
  readonly exchange: number;
}

/** What fuzzing an app on every runtime found. */
export interface FuzzedApp {
  readonly app: string;
  readonly sent: number;
  /** By runtime, what its server must not do. */
  readonly faults: readonly (FuzzFault & { readonly runtime: string })[];
  /** Mutations of faults that are published as the framework's. */
  readonly faultsKnown: ReadonlySet<string>;
  readonly fuzzed: ReadonlyMap<RuntimeName, Fuzzed>;
  /** Exchanges that were held against each other; those of them that differ, and the list says why. */
  readonly compared: number;
  readonly explained: ReadonlyMap<KnownDifference, number>;
  readonly unknown: readonly UnknownDifference[];
  /** Classes that differed once and not when they were asked again: what they were told depends on what came before. */
  readonly unsteady: number;
  /** Why a runtime has no part in it. */
  readonly without: Readonly<Record<string, string>>;
  readonly corpus: Corpus;
}

/** Requests of each kind of a load. */
const PLANNED = 16;
/** Of a class that differs, so many are asked again; each so often. */
const ASKED_AGAIN = 3;
const TIMES = 2;
/** Classes that are asked again side by side: they wait most of the time. */
const AT_ONCE = 40;

/** A server that has answered what is asked in earnest, and is to be fuzzed. */
interface Ready {
  readonly runtime: RuntimeName;
  readonly points: readonly Point[];
  readonly server: ServerProcess;
}

/**
 * Fuzzes an app on each runtime with the same requests, and holds what they answer against each other. The servers are fuzzed
 * side by side: each is sent its own in order, and waits for nothing most of the time.
 */
export async function fuzzApp(app: FuzzApp, site: FuzzSite): Promise<FuzzedApp> {
  const fuzzed = new Map<RuntimeName, Fuzzed>();
  const faults: (FuzzFault & { runtime: string })[] = [];
  const faultsKnown = new Set<string>();
  const without: Record<string, string> = {};
  const ready: Ready[] = [];
  let corpus: Corpus | undefined;
  try {
    for (const runtime of site.runtimes) {
      const points = app.points.get(runtime.name);
      if (points === undefined || site.stopped()) continue;
      const server = await startAt(app, runtime, site);
      if ("why" in server) {
        without[runtime.name] = server.why;
        if (server.fault) faults.push(faultOf(runtime.name, server.why));
        site.advance?.(site.requests);
        continue;
      }
      ready.push({ runtime: runtime.name, points, server });
      const before = await askInEarnest(server.url, { suite: app.suite, points }, site.seed, "before");
      if (before.wrong !== null) faults.push(faultOf(runtime.name, `before: ${before.wrong}`));
      corpus ??= corpusOf([
        ...before.requests,
        ...points.flatMap((point) => plannedRequests(app.suite.requests(point), PLANNED, createRandom(site.seed))),
      ]);
    }
    const all = await Promise.all(ready.map((one) => fuzzOne(app, one, site, corpus!)));
    for (const [n, { runtime }] of ready.entries()) {
      const { found, wrong } = all[n]!;
      fuzzed.set(runtime, found);
      for (const one of found.faults) {
        if (/^answered .*5\d\d/.test(one.what) && isKnownFault(site.knownFaults, app.title, one.mutation)) {
          faultsKnown.add(one.mutation);
        } else faults.push({ runtime, ...one });
      }
      if (wrong !== null) faults.push(faultOf(runtime, `after: ${wrong}`));
    }
  } finally {
    for (const { server } of ready) await stopServer(server);
  }
  corpus ??= corpusOf([]);
  return {
    app: app.title,
    sent: [...fuzzed.values()].reduce((sum, { sent }) => sum + sent, 0),
    faults,
    faultsKnown,
    ...{ fuzzed, without, corpus },
    ...await held(app, site, corpus, fuzzed),
  };
}

const faultOf = (runtime: RuntimeName, what: string) => ({ runtime, mutation: "the oracle", what, exchange: null });

/** Fuzzes one server, and asks it in earnest afterwards. */
async function fuzzOne(app: FuzzApp, { runtime, points, server }: Ready, site: FuzzSite, corpus: Corpus) {
  const found = await fuzzServer(targetOf(server), {
    corpus,
    requests: site.requests,
    seed: site.seed,
    stopped: site.stopped,
    progress: (sent) => site.progress(app.title, runtime, sent),
  });
  site.advance?.(site.requests);
  if (site.stopped()) return { found, wrong: null };
  const after = await askInEarnest(server.url, { suite: app.suite, points }, (site.seed + 1) >>> 0, "after");
  return { found, wrong: after.wrong };
}

/**
 * Paths whose replies depend on what came before: the same plain request was answered in two ways by one server. Bodies are
 * not held against each other there, since a parser that refuses what another one takes makes for another state.
 */
function statefulPaths(site: FuzzSite, corpus: Corpus, fuzzed: ReadonlyMap<RuntimeName, Fuzzed>): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const { outcomes } of fuzzed.values()) {
    const known = new Map<string, Outcome>();
    for (const [n, outcome] of outcomes) {
      const { mutation, path, bytes } = exchangeAt(corpus, site.seed, n);
      if (mutation !== PLAIN || paths.has(path)) continue;
      const before = known.get(bytes) ?? outcome;
      if (before.text !== outcome.text || before.bodies !== outcome.bodies) paths.add(path);
      known.set(bytes, before);
    }
  }
  return paths;
}

/** Holds what runtimes answered against each other, and asks again what nothing explains. */
async function held(app: FuzzApp, site: FuzzSite, corpus: Corpus, fuzzed: ReadonlyMap<RuntimeName, Fuzzed>) {
  const explained = new Map<KnownDifference, number>();
  const classes = new Map<string, { mutation: string; text: string; exchanges: number[] }>();
  let compared = 0;
  const stateful = statefulPaths(site, corpus, fuzzed);
  const all = [...fuzzed];
  for (const n of all[0]?.[1].outcomes.keys() ?? []) {
    const { mutation, path } = exchangeAt(corpus, site.seed, n);
    const outcomes = Object.fromEntries(
      all.flatMap(([runtime, { outcomes }]) =>
        outcomes.has(n) ? [[runtime, comparable(outcomes.get(n)!, path, stateful)]] : []
      ),
    ) as Outcomes;
    compared += 1;
    if (!differs(outcomes)) continue;
    if (isFault(outcomes, mutation) && isKnownFault(site.knownFaults, app.title, mutation)) continue;
    const entry = explanationOf(site.known, app.title, mutation, outcomes);
    if (entry !== undefined) explained.set(entry, (explained.get(entry) ?? 0) + 1);
    else {
      const text = differenceText(outcomes);
      const key = `${mutation}: ${text}`;
      if (!classes.has(key)) classes.set(key, { mutation, text, exchanges: [] });
      classes.get(key)!.exchanges.push(n);
    }
  }
  const unknown = classes.size === 0 || site.stopped()
    ? []
    : await askedAgain(app, site, corpus, stateful, [...classes.values()]);
  return { compared, explained, unknown, unsteady: classes.size - unknown.length };
}

/** Asks fresh servers again, with patience and without a crowd: what differs then does so by itself. */
async function askedAgain(
  app: FuzzApp,
  site: FuzzSite,
  corpus: Corpus,
  stateful: ReadonlySet<string>,
  classes: readonly { readonly mutation: string; readonly text: string; readonly exchanges: readonly number[] }[],
): Promise<UnknownDifference[]> {
  const servers = new Map<RuntimeName, ServerProcess>();
  const unknown: (UnknownDifference | undefined)[] = [];
  try {
    for (const runtime of site.runtimes) {
      const server = app.points.has(runtime.name) ? await startAt(app, runtime, site) : undefined;
      if (server !== undefined && !("why" in server)) servers.set(runtime.name, server);
    }
    const next = classes.entries();
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      for (const [place, { mutation, exchanges }] of next) {
        for (const exchange of exchanges.slice(0, ASKED_AGAIN)) {
          if (site.stopped()) return;
          const outcomes = await askAll(servers, corpus, site.seed, exchange, stateful);
          if (!differs(outcomes) || isFault(outcomes, mutation)) continue;
          if (explanationOf(site.known, app.title, mutation, outcomes) !== undefined) continue;
          unknown[place] = { mutation, text: differenceText(outcomes), requests: exchanges.length, exchange };
          break;
        }
      }
    }));
  } finally {
    for (const server of servers.values()) await stopServer(server);
  }
  return unknown.filter((one) => one !== undefined);
}

/** What each server says to an exchange the last time it is asked. */
async function askAll(
  servers: ReadonlyMap<RuntimeName, ServerProcess>,
  corpus: Corpus,
  seed: number,
  n: number,
  stateful: ReadonlySet<string>,
): Promise<Outcomes> {
  const exchange = exchangeAt(corpus, seed, n);
  const asked = [...servers].map(async ([runtime, { url }]) => {
    const port = Number(new URL(url).port);
    let last: Outcome | null = null;
    for (let time = 0; time < TIMES; time++) {
      if (exchange.manner.kind === "kept") {
        const kept = keptConnection(port);
        last = await kept.send(exchange);
        kept.close();
      } else last = await talkAlone(port, exchange, SLOWLY);
    }
    return [runtime, last === null ? null : comparable(last, exchange.path, stateful)] as const;
  });
  return Object.fromEntries((await Promise.all(asked)).filter(([, outcome]) => outcome !== null));
}

/** Whether a server is at fault: that is told by itself. */
const isFault = (outcomes: Outcomes, mutation: string) =>
  Object.values(outcomes).some(({ text }) => isServerFault(mutation, text));

/** The part of an outcome that another runtime must have, too. */
const comparable = (outcome: Outcome, path: string, stateful: ReadonlySet<string>): Outcome =>
  stateful.has(path) ? { text: outcome.text, bodies: 0 } : outcome;

/** Starts the app on a runtime over a copy of its files, or says why there is none. */
async function startAt(
  app: FuzzApp,
  runtime: RuntimeBinary,
  { files, serverCpus, onStart }: FuzzSite,
): Promise<ServerProcess | { readonly why: string; readonly fault: boolean }> {
  const point = app.points.get(runtime.name)![0]!;
  const found = directoryFor(app.suite.files?.(point) ?? null, files);
  if ("failed" in found) return { why: found.failed, fault: true };
  const spec = app.suite.server(point, found.directory);
  const server = await startServer({ spec, runtime, cpus: serverCpus, copy: true, onStart });
  if ("unsupported" in server) return { why: server.unsupported, fault: false };
  return "failed" in server ? { why: server.failed.message, fault: true } : server;
}

function targetOf({ url, pid, child }: ServerProcess) {
  let why: string | undefined;
  child?.ended.then((ending) => {
    const how = "failed" in ending ? ending.failed : `ended with ${ending.signal ?? `exit ${ending.code}`}`;
    const said = child.stderrTail().split("\n").find((line) => /error/i.test(line)) ?? "";
    why = `${how}${said === "" ? "" : `: ${said}`}`;
  });
  return { port: Number(new URL(url).port), pid, ended: () => why };
}
