/** Keeps what must end when the driver is told to stop. */
export type Interrupts = ReturnType<typeof listenForInterrupts>;

/** Listens for the signals that ask the driver to stop. Children are killed at once: their trial is not kept. */
export function listenForInterrupts() {
  const kills = new Set<() => void>();
  let stopped = false;
  const { promise: stop, resolve: resolveStop } = Promise.withResolvers<void>();
  const handler = () => {
    stopped = true;
    for (const kill of kills) kill();
    resolveStop();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, handler);
  return {
    /** True once SIGINT, SIGTERM or SIGHUP came. */
    stopped: () => stopped,
    /** Remembers how to end the newest child; ends it at once when a stop has come already. */
    onStart(kill: () => void): void {
      if (stopped) kill();
      kills.add(kill);
    },
    /** Resolves when a stop comes. */
    stop,
    /** Stops listening for signals. */
    release(): void {
      for (const signal of signals) process.off(signal, handler);
    },
  };
}
