import { connect } from "node:tls";
import { failureOf } from "../basics/errors.ts";
import type { Failure } from "../basics/failures.ts";
import type { Reply } from "../../suites/suite.ts";
import type { Client } from "./http-client.ts";
import { openClient } from "./open-client.ts";
import { handshakeFault, type ServerProtocol } from "./server-protocol.ts";

/** Times in ms after which more is done while a server is not ready. */
interface AskPace {
  /** The interval of requests while earlier ones wait for their replies; a reply that takes longer is reported as late. */
  readonly againMs: number;
  /** The time after which a server that sends no TLS greeting does not speak TLS. */
  readonly tlsMs: number;
}

const PACE: AskPace = { againMs: 1_000, tlsMs: 2_000 };
/** The timeout of one request in ms: no server is waited for longer. */
const MOST_MS = 600_000;
const MOST_WAITING = 8;

/** The ways in which a server is not ready. */
type WhyUnready = Failure<
  "handshake-failed" | "reply-malformed" | "reply-awaited" | "connections-closed" | "status-unready"
>;

/** Requests to a server until it is ready. */
export interface ReadyRequests {
  /**
   * Sends a request if none is under way. Resolves to true if the server has answered as one that is ready, within some ms.
   */
  ready(url: string, withinMs: number): Promise<boolean>;
  /** Returns why it is not ready, and a hint; null if it is only known not to answer. */
  why(): WhyUnready | null;
  /** Returns why it will never be ready, such as another protocol; null if there is no such reason. */
  hopeless(): Failure<"handshake-failed"> | null;
  close(): void;
}

/**
 * Requests a path until the reply has a status that only a ready server sends. A slow reply is waited for, and requested
 * once more every second: the first request may have come too early.
 */
export function askUntilReady(
  path: string,
  spoken: ServerProtocol = { protocol: "http" },
  { againMs, tlsMs }: AskPace = PACE,
): ReadyRequests {
  /** Requests under way by their start, the oldest first. */
  const clients = new Map<Client, number>();
  let answered: string | undefined,
    hopeless: Failure<"handshake-failed"> | null = null,
    last: Reply | Error | undefined;
  let greeting: Promise<boolean> | undefined;
  let lastSentAt = -Infinity, wake = () => {};
  async function ask(url: string): Promise<void> {
    const client = openClient(url, MOST_MS, spoken);
    lastSentAt = performance.now();
    clients.set(client, lastSentAt);
    const said = await client.send("GET", path).catch((error: Error) => error);
    client.close();
    // A closed client reports nothing any more.
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
      const waiting = performance.now() - lastSentAt < againMs || clients.size >= MOST_WAITING;
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
      // A malformed reply explains more than how long others are waited for.
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

/** Returns true if the server at an address sends a TLS greeting. */
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
