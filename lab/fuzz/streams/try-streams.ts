import { createConnection } from "node:net";
import { createRandom, type Random } from "../../../bench/basics/random.ts";
import { deliver, relayBetween } from "./between.ts";
import { PATIENCE_MS } from "./load-guarded.ts";
import { type Delivery, mutateStream } from "./mutate-stream.ts";
import type { StreamTarget } from "./targets.ts";

/** Connections to a server, and clients, at once. */
const CONNECTIONS = 32, CLIENTS = 2;
/** Bytes of a recorded stream that are mutated: changes of longer ones would meet little but payloads. */
const MOST_RECORDED = 1 << 18;
/** The share of clients whose peer is wrong from the first byte, and of connections that read only once all is sent. */
const UNOPENED = 0.05, LATE = 0.2;

/** The amounts of one trial. */
interface StreamFuzzOptions {
  readonly count: number;
  readonly seed: number;
  readonly stopped: () => boolean;
  readonly progress: (sent: number) => void;
}

/** The outcome of a trial. */
interface TriedStreams {
  readonly sent: number;
  /** The first fault, and streams sent about then; null if there was none. */
  readonly fault: string | null;
}

/** Sends a reader so many mutated streams. It must not crash, touch memory that is not its own, or hang, and then still work. */
export async function tryStreams(target: StreamTarget, wish: StreamFuzzOptions): Promise<TriedStreams> {
  const trial = { sent: 0, isOver: false };
  const fault = await target.serve(async (port) => {
    let fault: string | null = null;
    const recorded = await relayBetween(port, async (near) => void (fault = await target.talk(near, "sound")));
    const streams = recorded.map((one) => one[target.reads].subarray(0, MOST_RECORDED)).filter(({ length }) =>
      length > 0
    );
    if (fault !== null || streams.length === 0) return `before the first stream: ${fault ?? "nothing was recorded"}`;
    const tried = await (target.reads === "requests" ? tryServer : tryClient)(target, {
      port,
      streams,
      trial,
      ...wish,
    });
    if (tried !== null || target.reads === "replies") return tried;
    const after = await target.talk(port, "sound");
    return after === null ? null : `after the last stream: ${after}`;
  }).catch((error) => String(error)).finally(() => trial.isOver = true);
  return { sent: trial.sent, fault: fault === null ? null : `${fault}, by stream ${trial.sent} of seed ${wish.seed}` };
}

interface Trial extends StreamFuzzOptions {
  readonly port: number;
  readonly streams: readonly Buffer[];
  readonly trial: { sent: number; isOver: boolean };
}

/**
 * Returns the number of the next stream, the recorded one to mutate, and its randomness; null at the end.
 *
 * @param place of the recorded one, its number by default
 */
function nextStream({ trial, count, seed, stopped, streams, progress }: Trial, place = trial.sent) {
  if (trial.isOver || trial.sent >= count || stopped()) return null;
  const n = trial.sent++;
  if (n % 1_000 === 0) progress(n);
  return { n, stream: streams[place % streams.length]!, random: randomOf(seed, n) };
}

const randomOf = (seed: number, n: number) => createRandom((Math.imul(seed, 0x9e3779b1) + n) >>> 0);

/** Runs several workers. Returns the first fault, which ends all. */
async function together(count: number, { trial }: Trial, work: () => Promise<string | null>): Promise<string | null> {
  const faults = await Promise.all(Array.from({ length: count }, async () => {
    const fault = await work();
    if (fault !== null) trial.isOver = true;
    return fault;
  }));
  return faults.find((fault) => fault !== null) ?? null;
}

const tryServer = (_: StreamTarget, trial: Trial) =>
  together(CONNECTIONS, trial, async () => {
    for (let next; (next = nextStream(trial)) !== null;) {
      const { n, stream, random } = next;
      if (!await isClosed(trial.port, mutateStream(stream, random), random)) {
        return `it keeps a connection that its client has ended: stream ${n}`;
      }
    }
    return null;
  });

/** Sends a stream and ends it. Resolves with true once the server has closed the connection, with false if it never does. */
function isClosed(port: number, delivery: Delivery, random: Random): Promise<boolean> {
  const isLate = random() < LATE;
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1").on("error", () => {});
    const timer = setTimeout(() => (resolve(false), socket.destroy()), PATIENCE_MS);
    socket.once("close", () => (clearTimeout(timer), resolve(true)));
    if (!isLate) socket.resume();
    void deliver(socket, delivery).then(() => socket.resume().end());
  });
}

const tryClient = (target: StreamTarget, trial: Trial) =>
  together(CLIENTS, trial, async () => {
    while (!trial.trial.isOver && trial.trial.sent < trial.count && !trial.stopped()) {
      const isOpened = randomOf(trial.seed, trial.trial.sent)() >= UNOPENED;
      let fault: string | null = null;
      await relayBetween(trial.port, async (near) => void (fault = await target.talk(near, "mutated")), (place) => {
        const next = nextStream(trial, place);
        if (next === null) return null;
        const { stream, random } = next, opening = target.opening?.(stream) ?? 0;
        const rest = Math.floor(random() * (stream.length - opening));
        const sound = !isOpened ? Math.floor(random() * (opening + 1)) : opening + (random() < 0.5 ? 0 : rest);
        return { sound, delivery: mutateStream(stream.subarray(sound), random) };
      });
      if (fault !== null) return fault;
    }
    return null;
  });
