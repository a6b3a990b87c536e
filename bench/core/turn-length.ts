/** Shorter turns have servers fetch again what the others left of the caches; in longer ones nothing more is gained. */
const LEAST_MS = 25;
const MOST_MS = 100;
/** Counted time in which each has a turn: shared machines change their speed about once a second, which is to meet all servers. */
const CYCLE_MS = 800;

/** Counted length of the turns of so many servers in milliseconds. */
export const turnMs = (servers: number) => Math.min(MOST_MS, Math.max(LEAST_MS, Math.round(CYCLE_MS / servers)));

/**
 * Time for which a server that has gone on works before it is counted, in milliseconds: it fetches what the others left of
 * the caches, and its timers may be due, which no server that has the core for itself pays for. Measured on an AMD EPYC
 * (`amd-26-2`), sixteen servers: in the first 20 ms a request cost Node and Deno 8 to 9 % more than later on and Bun 41 %,
 * from 50 ms on 0 to 4 %.
 */
export const LEAD_IN_MS = 50;

/** How long so many servers take turns for a window, in which what each does in lead-ins is not counted. */
export const turnsTakeMs = (windowMs: number, servers: number) => windowMs * (1 + LEAD_IN_MS / turnMs(servers));
