/** Shorter turns have servers fetch again what the others left of the caches; in longer ones nothing more is gained. */
const LEAST_MS = 25;
const MOST_MS = 100;
/** Counted time in which each has a turn: shared machines change their speed about once a second, which is to meet all servers. */
const CYCLE_MS = 800;

/** Counted length of the turns of so many servers in milliseconds. */
export const turnMs = (servers: number) => Math.min(MOST_MS, Math.max(LEAST_MS, Math.round(CYCLE_MS / servers)));

/**
 * Time for which a server that has gone on works before it is counted, in milliseconds. It fetches what the others left of
 * the caches, which no server pays for that has the core for itself. Measured: docs/experiments/turns.md.
 */
export const LEAD_IN_MS = 50;

/** How long so many servers take turns for a window, in which what each does in lead-ins is not counted. */
export const turnsTakeMs = (windowMs: number, servers: number) => windowMs * (1 + LEAD_IN_MS / turnMs(servers));
