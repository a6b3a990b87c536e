// Lengths of the loads beside a warm-up: what comes after it, and what keeps servers warm that wait for others.

/** Load over new connections before the window of one server, in milliseconds: engines compile once more then. */
export const SETTLE_MS = 500;

/**
 * Whether that load is made: only where each connection gets a reply in it. Of requests that take longer a server would
 * see a few, each mostly the loops inside it, and then answer the rest to nobody.
 *
 * @param warmup of the server alone
 */
export function settles(
  warmup: { readonly duration_us: number; readonly requests: number },
  connections: number,
): boolean {
  return connections * warmup.duration_us <= 1e3 * SETTLE_MS * warmup.requests;
}

/** Least load on servers that have the core at once before their window, for each of them, in milliseconds. */
export const SETTLE_TOGETHER_MS = 250;

/** The same where they take turns: a server that goes on after so long needs some tenths of a second for itself. */
export const SETTLE_IN_TURNS_MS = 400;

/** Turn of a server that waits until others are warm, in milliseconds: enough for a garbage collection of a fast one. */
export const AT_WORK_MS = 75;

/** Milliseconds between two such turns: no server is to rest for eight seconds. */
export const AT_WORK_EVERY_MS = 5_000;

/** And the longest where nobody may be interrupted meanwhile: a turn of each, and the load for it, come on top. */
export const AT_WORK_REST_MS = 6_500;
