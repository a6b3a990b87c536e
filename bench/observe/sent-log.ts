import type { LoadResult, SentSoFar } from "../generators/generator.ts";
import { sentAt, sentBeforeStill, type SentPoint } from "../statistics/slices.ts";

/** The requests that a load has reported while it ran, by thread; moments are µs of its host's wall clock. */
export interface SentLog {
  note(sent: SentSoFar): void;
  /** Records the total sent: a slow server reports too rarely to close the last interval. */
  close(result: LoadResult, endedUs: number): void;
  /** The moment of the first requests; infinity while it is unknown. */
  beganUs(): number;
  /** Requests sent to the n-th server by a moment between its turns; null while unknown. */
  sentTo(n: number, atUs: number): number | null;
  /** Requests sent to it by a moment in which it works. */
  sentAtWork(n: number, atUs: number): number | null;
}

/**
 * Nothing was sent yet.
 *
 * @param servers of several each has a separate thread
 */
export function sentLog(servers: number, inTurns: boolean): SentLog {
  const points = new Map<number, SentPoint[]>();
  const add = (thread: number, point: SentPoint) => {
    const ofThread = points.get(thread);
    if (ofThread === undefined) points.set(thread, [point]);
    else ofThread.push(point);
  };
  const sentBy = (by: typeof sentAt) => (n: number, atUs: number): number | null => {
    const threads = servers > 1 ? [n] : [...points.keys()];
    const sent = threads.map((thread) => by(points.get(thread) ?? [], atUs));
    return sent.length === 0 || sent.includes(null) ? null : sent.reduce<number>((sum, one) => sum + one!, 0);
  };
  return {
    note: (sent) => add(sent.thread, sent),
    close({ threads }, endedUs) {
      threads.forEach(({ sent }, thread) =>
        add(thread, { atUs: endedUs, requests: sent.reduce((sum, one) => sum + one, 0) })
      );
    },
    beganUs: () => Math.min(...[...points.values()].map(([first]) => first!.atUs)),
    sentTo: sentBy(inTurns ? sentBeforeStill : sentAt),
    sentAtWork: sentBy(sentAt),
  };
}
