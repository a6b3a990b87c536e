import { statFieldsOf } from "./owner.ts";

/** Ends children when a run is interrupted. */
export interface Interrupts {
  stopped(): boolean;
  /** Remembers how to end the newest child; ends it at once when a stop has come already. */
  onStart(kill: () => void): void;
  /** Resolves when a stop comes. */
  readonly stop: Promise<void>;
  release(): void;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Listens for the signals that ask the driver to stop. Children are killed at once: their trial is not kept. */
export function listenForInterrupts(): Interrupts {
  return interruptsBy((handler) => {
    for (const signal of SIGNALS) process.on(signal, handler);
    return () => SIGNALS.forEach((signal) => process.off(signal, handler));
  });
}

/** Stops as {@link listenForInterrupts} does, but when a signal of the calling program is aborted. */
export function interruptsOf(signal: AbortSignal): Interrupts {
  return interruptsBy((handler) => {
    signal.addEventListener("abort", handler, { once: true });
    if (signal.aborted) handler();
    return () => signal.removeEventListener("abort", handler);
  });
}

function interruptsBy(listen: (handler: () => void) => () => void): Interrupts {
  const kills = new Set<() => void>();
  let stopped = false;
  const { promise: stop, resolve: resolveStop } = Promise.withResolvers<void>();
  const release = listen(() => {
    stopped = true;
    for (const kill of kills) kill();
    resolveStop();
  });
  return {
    stopped: () => stopped,
    onStart(kill) {
      if (stopped) kill();
      kills.add(kill);
    },
    stop,
    release,
  };
}

/** Lines typed at the terminal. */
export type Keyboard = Pick<NodeJS.ReadStream, "once" | "off" | "resume" | "pause">;

/** Returns the keyboard of this process; null without a terminal, or in the background, where reading stops it. */
export function keyboardHere(): Keyboard | null {
  return process.stdin.isTTY && !isInBackground() ? process.stdin : null;
}

function isInBackground(): boolean {
  // Only Linux shows this.
  const [, , group, , , foreground] = statFieldsOf("self") ?? [];
  return group !== foreground;
}
