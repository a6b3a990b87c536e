import { setTimeout as sleep } from "node:timers/promises";
import type { Corpus } from "./corpus.ts";
import type { Exchange } from "./exchange.ts";
import { type Growth, growthOf, type HeldSample } from "../../bench/statistics/growth.ts";
import { exchangeAt, PLAIN } from "./make-exchange.ts";
import { isServerFault, type ReplyOutcome } from "./outcome.ts";
import { sizeOf } from "../../bench/machine/server-processes.ts";
import { keptConnection, talkAlone } from "./talk.ts";

/** A server to fuzz. */
interface FuzzTarget {
  readonly port: number;
  readonly pid: number | null;
  /** Why it has ended, once it has. */
  ended(): string | undefined;
}

/** The amounts of fuzzing one server. */
interface FuzzAmount {
  readonly corpus: Corpus;
  readonly requests: number;
  readonly seed: number;
  /** The time in which descriptors have to be closed after all connections are, in milliseconds; 10 s by default. */
  readonly descriptorsMs?: number | undefined;
  stopped(): boolean;
  /** Receives now and then how many have been sent. */
  progress(sent: number): void;
}

/** A fault of a server, and a request that showed it. */
export interface FuzzFault {
  readonly mutation: string;
  readonly what: string;
  /** Its number with this seed: `exchangeAt` gives it again. */
  readonly exchange: number | null;
}

/** The outcome of fuzzing a server. */
export interface FuzzOutcome {
  readonly faults: readonly FuzzFault[];
  readonly sent: number;
  /** Null where the system does not tell, or there were too few requests to say. */
  readonly growth: Growth | null;
  /** Descriptors more than after the first requests, when all connections had been closed. */
  readonly descriptorsLeft: number | null;
}

/** Who speaks HTTP/2, too, may answer in it. */
const HTTP_2 = "wire: HTTP/2";
/** Share of the requests that come in order or over a connection of their own; the rest come over many connections at once. */
const ORDERED_SHARE = 0.75;
/** The first of them, after which descriptors are counted. */
const FIRST_SHARE = 0.02;
/** Connections of exchanges that open their own; of the rest. */
const OWN_CONNECTIONS = 32;
const STORM_CONNECTIONS = 32;
/** The number of times that the size of the process is read. */
const SAMPLES = 80;
/** Readings between two messages of progress. */
const SAMPLES_A_MESSAGE = 10;
/** Who seems to leak is given as many requests again, so often: a leak goes on, a heap comes to rest. */
const MORE_STORMS = 2;
const DESCRIPTORS_MS = 10_000;
/** Of one kind of fault so many are kept. */
const MOST_OF_A_KIND = 5;

/** Sends a server so many requests, and watches it. */
export async function fuzzServer(target: FuzzTarget, amount: FuzzAmount): Promise<FuzzOutcome> {
  const { requests, descriptorsMs = DESCRIPTORS_MS } = amount;
  const watch = watching(target, amount);
  const ordered = Math.round(requests * ORDERED_SHARE);
  const first = Math.min(ordered, Math.max(50, Math.round(requests * FIRST_SHARE)));
  const numbers = await inOrder(target, amount, watch, 0, first);
  const before = await settledDescriptors(target, null, descriptorsMs);
  numbers.push(...await inOrder(target, amount, watch, first, ordered));
  await alone(target, amount, watch, numbers);
  await storm(target, amount, watch, ordered, requests);
  let growth = growthOf(lastHalf(watch.samples));
  let sent = requests;
  for (let more = 0; more < MORE_STORMS && growth?.leaks === true && watch.goesOn(); more++) {
    const from = watch.samples.length;
    await storm(target, amount, watch, sent, sent + requests);
    sent += requests;
    growth = growthOf(lastHalf(watch.samples.slice(from)));
  }
  const after = before === null ? null : await settledDescriptors(target, before, descriptorsMs);
  return {
    faults: watch.faults,
    sent,
    growth,
    descriptorsLeft: before === null || after === null ? null : after - before,
  };
}

/** The second half, when all that a server needs has been built up. */
const lastHalf = (samples: readonly HeldSample[]) => samples.slice(Math.floor(samples.length / 2));

type Watch = ReturnType<typeof watching>;

/** Keeps what is found on the way. */
function watching(target: FuzzTarget, { requests, stopped, progress }: FuzzAmount) {
  const faults: FuzzFault[] = [];
  const samples: HeldSample[] = [];
  const every = Math.max(1, Math.floor(requests / SAMPLES));
  let sent = 0;
  let dead = false;
  /** The first exchange without a reply since the last one with one: that a process has ended is heard of later. */
  let silentSince: number | null = null;
  const fault = (mutation: string, what: string, exchange: number | null) => {
    const same = faults.filter((one) => one.mutation === mutation && one.what === what).length;
    if (same < MOST_OF_A_KIND) faults.push({ mutation, what, exchange });
  };
  return {
    faults,
    samples,
    goesOn: () => !dead && !stopped(),
    /** Takes note of what became of an exchange. */
    note(n: number, { mutation }: Exchange, outcome: ReplyOutcome | null): void {
      sent += 1;
      if (sent % every === 0) {
        const size = target.pid === null ? null : sizeOf(target.pid);
        if (size !== null) samples.push({ requests: sent, ...size });
        if (sent % (every * SAMPLES_A_MESSAGE) === 0) progress(sent);
      }
      if (outcome !== null) silentSince = /\d/.test(outcome) ? null : silentSince ?? n;
      const ended = target.ended();
      if (ended !== undefined && !dead) {
        dead = true;
        fault(mutation, `the server ${ended}`, silentSince ?? n);
      }
      if (outcome === null || dead || stopped()) return;
      if (isServerFault(mutation, outcome)) fault(mutation, `answered ${outcome}`, n);
      else if (mutation === PLAIN && !/^\d+$/.test(outcome)) {
        fault(mutation, `a sound request: ${outcome}`, n);
      } else if (/broken/.test(outcome) && mutation !== HTTP_2) {
        fault(mutation, `sent what is no reply: ${outcome}`, n);
      }
    },
  };
}

/** Sends exchanges over the open connection, in order. Returns the numbers of the rest. */
async function inOrder(
  { port }: FuzzTarget,
  { corpus, seed }: FuzzAmount,
  watch: Watch,
  from: number,
  to: number,
): Promise<number[]> {
  const rest: number[] = [];
  const kept = keptConnection(port);
  for (let n = from; n < to && watch.goesOn(); n++) {
    const exchange = exchangeAt(corpus, seed, n);
    if (exchange.manner.kind === "kept") watch.note(n, exchange, await kept.send(exchange));
    else rest.push(n);
  }
  kept.close();
  return rest;
}

/** Sends exchanges that need a connection each, some at once. */
async function alone({ port }: FuzzTarget, { corpus, seed }: FuzzAmount, watch: Watch, sent: readonly number[]) {
  const numbers = sent.values();
  await Promise.all(Array.from({ length: OWN_CONNECTIONS }, async () => {
    for (const n of numbers) {
      if (!watch.goesOn()) return;
      const exchange = exchangeAt(corpus, seed, n);
      watch.note(n, exchange, await talkAlone(port, exchange));
    }
  }));
}

/** Many connections at once, each with whatever comes next. */
async function storm(
  { port }: FuzzTarget,
  amount: FuzzAmount,
  watch: Watch,
  from: number,
  to: number,
): Promise<void> {
  const { corpus, seed } = amount;
  let next = from;
  await Promise.all(Array.from({ length: STORM_CONNECTIONS }, async () => {
    const kept = keptConnection(port);
    while (next < to && watch.goesOn()) {
      const n = next++;
      const exchange = exchangeAt(corpus, seed, n);
      const outcome = exchange.manner.kind === "kept" ? await kept.send(exchange) : await talkAlone(port, exchange);
      watch.note(n, exchange, outcome);
    }
    kept.close();
  }));
}

/** Descriptors once they change no more, or are no more than wanted; null where the system does not tell. */
async function settledDescriptors(
  { pid }: FuzzTarget,
  wanted: number | null,
  mostMs: number,
): Promise<number | null> {
  const count = () => pid === null ? null : sizeOf(pid)?.descriptors ?? null;
  let last = count();
  for (let waited = 0; waited < mostMs; waited += 100) {
    await sleep(100);
    const now = count();
    if (now === null || (wanted === null ? now === last && waited >= 500 : now <= wanted)) return now;
    last = now;
  }
  return last;
}
