/** Keeps what must end when the driver is told to stop. */
export interface Interrupts {
  /** True once SIGINT, SIGTERM or SIGHUP came. */
  readonly stopped: () => boolean;
  /** Remembers how to end the newest child; ends it at once when a stop has come already. */
  readonly onStart: (kill: () => void) => void;
  /** Resolves when a stop comes. */
  readonly stop: Promise<void>;
  /** Stops listening for signals. */
  release(): void;
}

/** Listens for the signals that ask the driver to stop. Children are killed at once: their trial is not kept. */
export function listenForInterrupts(): Interrupts {
  const kills = new Set<() => void>();
  let stopped = false;
  let resolveStop: () => void;
  const stop = new Promise<void>((resolve) => resolveStop = resolve);
  const handler = () => {
    stopped = true;
    for (const kill of kills) kill();
    resolveStop();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, handler);
  return {
    stopped: () => stopped,
    onStart(kill) {
      if (stopped) kill();
      kills.add(kill);
    },
    stop,
    release() {
      for (const signal of signals) process.off(signal, handler);
    },
  };
}
