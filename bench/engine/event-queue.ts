/** Events on their way from one task to another. */
export interface EventQueue<T> {
  /** Adds an event without waiting for the receiver. */
  put(event: T): void;
  /** Ends the queue. */
  close(): void;
  /** Ends the queue by an error, which the receiver gets after the rest. */
  fail(error: unknown): void;
  /** Yields the events in order, waiting for each. */
  take(): AsyncGenerator<T, void, void>;
}

/** Makes a queue between one task that must not wait and one that may be slow. */
export function eventQueue<T>(): EventQueue<T> {
  const waiting: T[] = [];
  let wake = () => {};
  let over: { readonly error?: unknown } | undefined;
  const end = (how: { readonly error?: unknown }) => {
    over ??= how;
    wake();
  };
  return {
    put(event) {
      waiting.push(event);
      wake();
    },
    close: () => end({}),
    fail: (error) => end({ error }),
    async *take() {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift()!;
        if (over !== undefined) break;
        await new Promise<void>((resolve) => wake = resolve);
      }
      if ("error" in over) throw over.error;
    },
  };
}
