import type { AgentReply } from "./protocol.ts";

/** Requests whose answers are awaited. */
export interface AwaitedReplies {
  /**
   * Resolves with the answer to a request.
   *
   * @param mostMs after which it is late; null waits as long as it takes
   */
  of(id: number, mostMs: number | null, onLate: () => void): Promise<AgentReply>;
  /** Gives an answer to whoever waits for it. */
  take(reply: AgentReply): void;
  /** There will be no more answers: whoever waits is told why. */
  lose(error: Error): void;
}

/** Nothing is awaited yet. */
export function awaitedReplies(): AwaitedReplies {
  const waiting = new Map<number, ReturnType<typeof Promise.withResolvers<AgentReply>>>();
  return {
    of(id, mostMs, onLate) {
      const own = Promise.withResolvers<AgentReply>();
      const timer = mostMs === null ? undefined : setTimeout(onLate, mostMs);
      waiting.set(id, own);
      return own.promise.finally(() => clearTimeout(timer));
    },
    take(reply) {
      waiting.get(reply.re)?.resolve(reply);
      waiting.delete(reply.re);
    },
    lose(error) {
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    },
  };
}
