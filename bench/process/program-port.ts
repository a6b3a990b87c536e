/** Milliseconds with the same ports seen until a program that listens elsewhere is taken not to read PORT. */
const SETTLED_MS = 2_000;

/** Where a program is asked: not known yet, a port, or why at none. */
export type ProgramPort = { readonly port: number | null } | { readonly why: string };

/**
 * Finds the port of a program by looking where it listens: the one it was told where it listens there, else its only one.
 * What listens besides may come first, so that another port counts only once it has stayed the only one.
 *
 * @param told the port in PORT
 * @returns takes the ports it listens on at a look, none where the system does not show them, and when that was in milliseconds
 */
export function programPortFinder(told: number): (ports: readonly number[], atMs: number) => ProgramPort {
  let seen = "", sinceMs = 0;
  return (ports, atMs) => {
    if (ports.length === 0 || ports.includes(told)) return { port: told };
    if (seen !== `${ports}`) [seen, sinceMs] = [`${ports}`, atMs];
    if (atMs - sinceMs < SETTLED_MS) return { port: null };
    return ports.length === 1 ? { port: ports[0]! } : {
      why: `it listens on ports ${ports.join(", ")}, and on ${told} of PORT it does not: say which with --port`,
    };
  };
}
