import { createRandom, shuffle } from "../basics/random.ts";
import type { HostProcess } from "../pipe/host.ts";

/**
 * Servers of one load that take turns on their core: one answers, the others stand still (SIGSTOP), their requests waiting.
 *
 * Left to the kernel a server runs a millisecond or less, until it has answered what its connections sent. Then it finds
 * the caches full of what others left there. What that costs differs by server, and is no cost of a server that has the
 * core for itself. So each works for a moment before its turn counts. docs/experiments/turns.md has what was measured.
 */
export interface Turns {
  /** Length of a turn in milliseconds, without its ramp-up. */
  readonly ms: number;
  /**
   * All stand still, and then each has a turn, in an order drawn anew; after it all stand still.
   *
   * @param rampUpMs for which each works before its turn counts; none by default
   */
  cycle(rampUpMs?: number): Promise<Turn[]>;
  /** Continues all servers. */
  end(): Promise<void>;
}

/** One turn of a server, in milliseconds by the driver's steady clock. */
export interface Turn {
  readonly server: number;
  readonly goesOnMs: number;
  readonly countedFromMs: number;
  readonly standsStillMs: number;
}

/** Time to connect, by default. */
const CONNECT_MS = 250;

/**
 * @param ms length of a turn, without what leads in
 * @param seed of the orders
 * @param over ends turns early: resolves with the load
 * @param connectMs time in which connections are made before turns begin: a server that stands still takes up only so many
 */
export function takeTurns(
  servers: readonly Pick<HostProcess, "kill">[],
  ms: number,
  seed: number,
  over: Promise<unknown>,
  connectMs = CONNECT_MS,
): Turns {
  const random = createRandom(seed);
  const sleep = (forMs: number) => {
    let timer: ReturnType<typeof setTimeout>;
    const slept = new Promise<void>((resolve) => timer = setTimeout(resolve, forMs));
    return Promise.race([slept, over]).then(() => clearTimeout(timer));
  };
  const all = (signal: "SIGSTOP" | "SIGCONT") => Promise.all(servers.map((server) => server.kill(signal)));
  let begun = false, last: (typeof servers)[number] | undefined;
  /** Returns the next order. No server has two turns in a row: the generator reports totals too rarely to separate them. */
  const nextOrder = () => {
    for (;;) {
      const order = shuffle(servers, random);
      if (order.length > 1 && order[0] === last) continue;
      last = order.at(-1);
      return order;
    }
  };
  return {
    ms,
    async cycle(rampUpMs = 0) {
      if (!begun) {
        begun = true;
        await sleep(connectMs);
        await all("SIGSTOP");
      }
      const turns: Turn[] = [];
      let before: (typeof servers)[number] | null = null, next: Omit<Turn, "standsStillMs"> | null = null;
      const note = () => {
        if (next !== null) turns.push({ ...next, standsStillMs: performance.now() });
      };
      for (const server of nextOrder()) {
        // Both signals go out at once, or the core would be idle in between.
        await Promise.all([before?.kill("SIGSTOP"), server.kill("SIGCONT")]);
        note();
        before = server;
        const goesOnMs = performance.now();
        if (rampUpMs > 0) await sleep(rampUpMs);
        next = { server: servers.indexOf(server), goesOnMs, countedFromMs: performance.now() };
        await sleep(ms);
      }
      await before?.kill("SIGSTOP");
      note();
      return turns;
    },
    end: async () => void await all("SIGCONT"),
  };
}
