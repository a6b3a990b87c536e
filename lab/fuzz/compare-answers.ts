import type { RuntimeName } from "../../servers/runtime.ts";
import type { Corpus } from "./corpus.ts";
import {
  differenceText,
  differs,
  explanationOf,
  isKnownFault,
  type KnownDifference,
  type Outcomes,
} from "./differences.ts";
import type { Exchange } from "./exchange.ts";
import { exchangeAt, PLAIN } from "./make-exchange.ts";
import { isServerFault, type Outcome } from "./outcome.ts";
import { stopServer } from "../../bench/process/start-server.ts";
import type { ServerProcess } from "../../bench/process/server-request.ts";
import type { FuzzApp } from "./fuzz-apps.ts";
import type { Fuzzed } from "./fuzz-server.ts";
import { type FuzzSite, startAt } from "./fuzz-site.ts";
import { keptConnection, SLOWLY, talkAlone } from "./talk.ts";

/** A class of requests that runtimes answer differently and no entry of the list explains. */
export interface UnknownDifference {
  readonly mutation: string;
  readonly text: string;
  readonly requests: number;
  /** Number of an exchange that shows it. */
  readonly exchange: number;
}

/** So many requests of a class that differs are sent again, each so often. */
const ASKED_AGAIN = 3;
const TIMES = 2;
/** Rounds in each of which a difference must show. */
const ROUNDS = 3;
/** Classes that are sent again in parallel: they wait most of the time. */
const AT_ONCE = 40;

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
export async function compareAnswers(
  app: FuzzApp,
  site: FuzzSite,
  corpus: Corpus,
  fuzzed: ReadonlyMap<RuntimeName, Fuzzed>,
) {
  const explained = new Map<KnownDifference, number>();
  const classes = new Map<string, { mutation: string; text: string; exchanges: number[] }>();
  let compared = 0;
  const stateful = statefulPaths(site, corpus, fuzzed);
  const all = [...fuzzed];
  for (const n of all[0]?.[1].outcomes.keys() ?? []) {
    const exchange = exchangeAt(corpus, site.seed, n);
    const { mutation } = exchange;
    const outcomes = Object.fromEntries(
      all.flatMap(([runtime, { outcomes }]) =>
        outcomes.has(n) ? [[runtime, comparable(outcomes.get(n)!, exchange, stateful)]] : []
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
          const isKnown = (outcomes: Outcomes) =>
            !differs(outcomes) || isFault(outcomes, mutation) ||
            explanationOf(site.known, app.title, mutation, outcomes) !== undefined;
          let outcomes: Outcomes = {};
          // A server that stood still once says nothing by itself.
          for (let round = 0; round < ROUNDS && !site.stopped(); round++) {
            outcomes = await sendToAll(servers, corpus, site.seed, exchange, stateful);
            if (isKnown(outcomes)) break;
          }
          if (site.stopped()) return;
          if (isKnown(outcomes)) continue;
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

/** The outcome of each server for an exchange that is sent a last time. */
async function sendToAll(
  servers: ReadonlyMap<RuntimeName, ServerProcess>,
  corpus: Corpus,
  seed: number,
  n: number,
  stateful: ReadonlySet<string>,
): Promise<Outcomes> {
  const exchange = exchangeAt(corpus, seed, n);
  const sent = [...servers].map(async ([runtime, { url }]) => {
    const port = Number(new URL(url).port);
    let last: Outcome | null = null;
    for (let time = 0; time < TIMES; time++) {
      if (exchange.manner.kind === "kept") {
        const kept = keptConnection(port);
        last = await kept.send(exchange);
        kept.close();
      } else last = await talkAlone(port, exchange, SLOWLY);
    }
    return [runtime, last === null ? null : comparable(last, exchange, stateful)] as const;
  });
  return Object.fromEntries((await Promise.all(sent)).filter(([, outcome]) => outcome !== null));
}

/** True if a server is at fault: that is reported by itself. */
const isFault = (outcomes: Outcomes, mutation: string) =>
  Object.values(outcomes).some(({ text }) => isServerFault(mutation, text));

/** The part of an outcome that another runtime must have, too. */
const comparable = (outcome: Outcome, exchange: Exchange, stateful: ReadonlySet<string>): Outcome =>
  meetsState(exchange, stateful) ? { text: outcome.text, bodies: 0 } : outcome;

/** True if it may reach a path with a state: by its path, one behind it, or one that a changed path is read as. */
const meetsState = ({ path, mutation, bytes }: Exchange, stateful: ReadonlySet<string>): boolean =>
  stateful.has(path) || [...stateful].some((each) => bytes.includes(` ${each} `)) ||
  (stateful.size > 0 && mutation.startsWith("path: "));
