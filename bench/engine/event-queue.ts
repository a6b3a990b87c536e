/** Events on their way from one task to another. */
export interface EventQueue<T> {
  /** Adds an event. It never waits, however far behind the other side is. */
  put(event: T): void;
  /** There will be no more. */
  close(): void;
  /** There will be no more, because of an error, which the other side is thrown once it has taken the rest. */
  fail(error: unknown): void;
  /** Takes the events in their order, waiting for the next. */
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
