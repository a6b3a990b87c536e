import { connect } from "node:tls";
import { failureOf } from "../basics/errors.ts";
import type { Failure } from "../basics/failures.ts";
import type { Reply } from "../../suites/suite.ts";
import type { Client } from "./http-client.ts";
import { openClient } from "./open-client.ts";
import { handshakeFault, type Spoken } from "./spoken.ts";

/** How long a server is waited for until more is done, in milliseconds. */
export interface AskPace {
  /** Until it is asked once more while earlier asks wait for their replies, and until one is told to be late. */
  readonly againMs: number;
  /** Until one that does not greet as TLS does is taken not to speak it. */
  readonly tlsMs: number;
}

const PACE: AskPace = { againMs: 1_000, tlsMs: 2_000 };
/** How long it may be until an ask ends, in milliseconds: no server is waited for longer. */
const MOST_MS = 600_000;
const MOST_WAITING = 8;

/** The ways in which a server is not ready. */
export type WhyUnready = Failure<
  "handshake-failed" | "reply-malformed" | "reply-awaited" | "connections-closed" | "status-unready"
>;

/** A server that is asked until it is ready. */
export interface AskedUntilReady {
  /** Asks where nothing is under way; whether it has answered there as a server does that is ready, within some milliseconds. */
  ready(url: string, withinMs: number): Promise<boolean>;
  /** Why it is not ready, and what to do; null where nothing is known beyond that nobody answers. */
  why(): WhyUnready | null;
  /** Why it will never be ready as it speaks something else, which no time will change; null while nothing says so. */
  hopeless(): Failure<"handshake-failed"> | null;
  close(): void;
}

/**
 * Asks a path until it is answered with a status that no server has which is not ready. A reply that takes long is waited
 * for, and asked for once more every second: the first ask may have come too early.
 */
export function askUntilReady(
  path: string,
  spoken: Spoken = { protocol: "http" },
  { againMs, tlsMs }: AskPace = PACE,
): AskedUntilReady {
  /** Asks under way, the oldest first, and when each began. */
  const clients = new Map<Client, number>();
  let answered: string | undefined,
    hopeless: Failure<"handshake-failed"> | null = null,
    last: Reply | Error | undefined;
  let greeting: Promise<boolean> | undefined;
  let lastAskedAt = -Infinity, wake = () => {};
  async function ask(url: string): Promise<void> {
    const client = openClient(url, MOST_MS, spoken);
    lastAskedAt = performance.now();
    clients.set(client, lastAskedAt);
    const said = await client.send("GET", path).catch((error: Error) => error);
    client.close();
    // One that is not waited for any more says nothing.
    if (!clients.delete(client)) return;
    last = said;
    const odd = said instanceof Error ? !isRefused(said) : said.status === 400;
    if (said instanceof Error) hopeless ??= noHandshake(handshakeFault(said));
    if (
      odd && spoken.protocol === "http" && await (greeting ??= isTls(url, tlsMs).finally(() => greeting = undefined))
    ) {
      hopeless = noHandshake(SPEAKS_TLS);
    }
    if (!(said instanceof Error) && said.status < 500 && hopeless === null) answered = url;
    wake();
  }
  return {
    async ready(url, withinMs) {
      const waiting = performance.now() - lastAskedAt < againMs || clients.size >= MOST_WAITING;
      if (clients.size === 0 || !waiting) ask(url);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        wake = () => (clearTimeout(timer), resolve());
      });
      return answered === url;
    },
    hopeless: () => hopeless,
    why() {
      if (hopeless !== null) return hopeless;
      // What no server sends that will be ready says more than how long others are waited for.
      const malformed = failureOf(last, "reply-malformed");
      if (malformed !== null) return malformed;
      const [oldest] = clients;
      const waitedMs = oldest === undefined ? 0 : performance.now() - oldest[1];
      if (waitedMs > againMs) {
        const seconds = Math.round(waitedMs / 1_000), state = oldest![0].begun();
        return { code: "reply-awaited", facts: { path, seconds, state } };
      }
      if (last === undefined || last instanceof Error) {
        if (last === undefined || isRefused(last)) return null;
        return { code: "connections-closed", facts: { fault: last.message } };
      }
      const text = last.body.trim().split("\n")[0]!.slice(0, 100);
      const facts = { path, status: last.status, text: /^[^<{]/.test(text) ? text : null };
      return { code: "status-unready", facts };
    },
    close() {
      for (const client of clients.keys()) client.close();
      clients.clear();
    },
  };
}

const SPEAKS_TLS = "it speaks TLS: have it speak plain HTTP, as behind a proxy, or measure it with --protocol https";

const isRefused = (error: NodeJS.ErrnoException) => error.code === "ECONNREFUSED";

const noHandshake = (fault: string | null): Failure<"handshake-failed"> | null =>
  fault === null ? null : { code: "handshake-failed", facts: { fault } };

/** Whether what listens at an address greets as TLS does. */
function isTls(url: string, withinMs: number): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
    const end = (is: boolean) => (clearTimeout(timer), socket.destroy(), resolve(is));
    const timer = setTimeout(() => end(false), withinMs);
    socket.once("secureConnect", () => end(true));
    socket.on("error", () => end(false));
  });
}
