/** Events on their way from one task to another. */
export type EventQueue<T> = ReturnType<typeof eventQueue<T>>;

/** Makes a queue between one task that must not wait and one that may be slow. */
export function eventQueue<T>() {
  const waiting: T[] = [];
  let wake = () => {};
  let over: { readonly error?: unknown } | undefined;
  const end = (how: { readonly error?: unknown }) => {
    over ??= how;
    wake();
  };
  return {
    /** Adds an event without waiting for the receiver. */
    put(event: T): void {
      waiting.push(event);
      wake();
    },
    close: (): void => end({}),
    /** Ends the queue with an error, which the receiver gets after all earlier items. */
    fail: (error: unknown): void => end({ error }),
    /** Yields the events in order, waiting for each. */
    async *take(): AsyncGenerator<T, void, void> {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift()!;
        if (over !== undefined) break;
        await new Promise<void>((resolve) => wake = resolve);
      }
      if ("error" in over) throw over.error;
    },
  };
}
