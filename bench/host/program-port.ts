/** Looks with the same ports seen until a program that listens elsewhere is taken not to read PORT. */
const LOOKS = 80;

/** Where a program is asked: not known yet, a port, or why at none. */
export type ProgramPort = { readonly port: number | null } | { readonly why: string };

/**
 * Finds the port of a program by looking where it listens: the one it was told where it listens there, else its only one.
 * What listens besides may come first, so that another port counts only once it has stayed the only one.
 *
 * @param told the port in PORT
 * @returns takes the ports it listens on at each look; none where the system does not show them
 */
export function programPortFinder(told: number): (ports: readonly number[]) => ProgramPort {
  let seen = "", looks = 0;
  return (ports) => {
    if (ports.length === 0 || ports.includes(told)) return { port: told };
    looks = seen === `${ports}` ? looks + 1 : 1;
    seen = `${ports}`;
    if (looks < LOOKS) return { port: null };
    return ports.length === 1 ? { port: ports[0]! } : {
      why: `it listens on ports ${ports.join(", ")}, and on ${told} of PORT it does not: say which with --port`,
    };
  };
}
