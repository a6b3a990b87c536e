import { connect } from "node:tls";
import type { Reply } from "../../suites/suite.ts";
import { httpClient } from "./http-client.ts";

/** How often a server is asked once more while earlier asks wait for their replies, in milliseconds. */
const AGAIN_MS = 1_000;
/** How long it may be until an ask ends, in milliseconds: no server is waited for longer. */
const MOST_MS = 600_000;
const MOST_WAITING = 8;
const TLS_MS = 2_000;

/** A server that is asked until it is ready. */
export interface AskedUntilReady {
  /** Asks where nothing is under way; whether it has answered there as a server does that is ready, within some milliseconds. */
  ready(url: string, withinMs: number): Promise<boolean>;
  /** Why it is not ready, and what to do; null where nothing is known beyond that nobody answers. */
  why(): string | null;
  /** Whether it speaks TLS, which no time will change. */
  speaksTls(): boolean;
  close(): void;
}

/**
 * Asks a path until it is answered with a status that no server has which is not ready. A reply that takes long is waited
 * for, and asked for once more every second: the first ask may have come too early.
 */
export function askUntilReady(path: string): AskedUntilReady {
  const clients = new Set<ReturnType<typeof httpClient>>();
  let answered: string | undefined, tls = false, since: number | undefined, last: Reply | Error | undefined;
  let lastAskedAt = -Infinity, wake = () => {};
  async function ask(url: string): Promise<void> {
    const client = httpClient(url, MOST_MS);
    clients.add(client);
    lastAskedAt = performance.now();
    since ??= lastAskedAt;
    try {
      const reply = await client.send("GET", path);
      tls ||= reply.status === 400 && await isTls(url);
      last = reply;
      if (reply.status < 500 && !tls) answered = url;
    } catch (error) {
      last = error as Error;
      if (clients.has(client) && !isRefused(last)) tls ||= await isTls(url);
    } finally {
      clients.delete(client);
      client.close();
      if (clients.size === 0) since = undefined;
      wake();
    }
  }
  return {
    async ready(url, withinMs) {
      const waiting = performance.now() - lastAskedAt < AGAIN_MS || clients.size >= MOST_WAITING;
      if (clients.size === 0 || !waiting) ask(url);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        wake = () => (clearTimeout(timer), resolve());
      });
      return answered === url;
    },
    speaksTls: () => tls,
    why() {
      if (tls) return "it speaks TLS: have it speak plain HTTP, as behind a proxy";
      if (since !== undefined && performance.now() - since > AGAIN_MS) {
        const seconds = ((performance.now() - since) / 1_000).toFixed(0);
        return `"${path}" was asked ${seconds} s ago and is not answered yet: name a quicker path with --ready`;
      }
      if (last === undefined || last instanceof Error) {
        return last === undefined || isRefused(last) ? null : notHttp(last);
      }
      const text = last.body.trim().split("\n")[0]!.slice(0, 100);
      const says = /^[^<{]/.test(text) ? ` ("${text}")` : "";
      return `"${path}" is answered with status ${last.status}${says}: name another path with --ready`;
    },
    close() {
      for (const client of clients) client.close();
      clients.clear();
    },
  };
}

const isRefused = (error: Error) => /ECONNREFUSED|refused|Unable to connect|FailedToOpenSocket/.test(error.message);

const notHttp = ({ message }: Error) =>
  /^its? /.test(message) ? message : `it closes connections without a reply (${message.slice(0, 80)})`;

/** Whether what listens at an address greets as TLS does. */
function isTls(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false });
    const end = (is: boolean) => (clearTimeout(timer), socket.destroy(), resolve(is));
    const timer = setTimeout(() => end(false), TLS_MS);
    socket.once("secureConnect", () => end(true));
    socket.on("error", () => end(false));
  });
}
