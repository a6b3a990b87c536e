import { connect } from "node:tls";
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

/** A server that is asked until it is ready. */
export interface AskedUntilReady {
  /** Asks where nothing is under way; whether it has answered there as a server does that is ready, within some milliseconds. */
  ready(url: string, withinMs: number): Promise<boolean>;
  /** Why it is not ready, and what to do; null where nothing is known beyond that nobody answers. */
  why(): string | null;
  /** Why it will never be ready as it speaks something else, which no time will change; null while nothing says so. */
  hopeless(): string | null;
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
  let answered: string | undefined, hopeless: string | null = null, last: Reply | Error | undefined;
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
    if (said instanceof Error) hopeless ??= handshakeFault(said);
    if (
      odd && spoken.protocol === "http" && await (greeting ??= isTls(url, tlsMs).finally(() => greeting = undefined))
    ) {
      hopeless = SPEAKS_TLS;
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
      if (last instanceof Error && isOdd(last)) return last.message;
      const [oldest] = clients;
      const waitedMs = oldest === undefined ? 0 : performance.now() - oldest[1];
      if (waitedMs > againMs) {
        const seconds = (waitedMs / 1_000).toFixed(0), begun = oldest![0].begun();
        return `"${path}" was asked ${seconds} s ago and is not answered yet${
          begun === null ? "" : `, ${begun}`
        }: name a quicker path with --ready`;
      }
      if (last === undefined || last instanceof Error) {
        if (last === undefined || isRefused(last)) return null;
        return `it closes connections without a reply (${last.message.slice(0, 80)})`;
      }
      const text = last.body.trim().split("\n")[0]!.slice(0, 100);
      const says = /^[^<{]/.test(text) ? ` ("${text}")` : "";
      return `"${path}" is answered with status ${last.status}${says}: name another path with --ready`;
    },
    close() {
      for (const client of clients.keys()) client.close();
      clients.clear();
    },
  };
}

const SPEAKS_TLS = "it speaks TLS: have it speak plain HTTP, as behind a proxy, or measure it with --protocol https";

const isRefused = (error: Error) => /ECONNREFUSED|refused|Unable to connect|FailedToOpenSocket/.test(error.message);

/** Whether what came is no reply: {@link replyReader} says what it is. */
const isOdd = ({ message }: Error) => /^(its?|a chunk of its) /.test(message);

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
