/** The database's rows and its queries: TechEmpower's table of numbers, in which each row is known. */

/** A row. */
export interface World {
  readonly id: number;
  readonly randomnumber: number;
}

/** Rows there are; ids begin at 1. */
export const ROWS = 10_000;
/** Ids up to here are requested by loads, those above by checks alone: what loads write is counted apart. */
export const LOADED = 8_000;
/** Rows of one reply of `/rows`, and queries of one of `/queries`. */
export const MANY = 20;
/** Rows one request of `/updates` reads and writes. */
export const CHANGED = 5;

/** The number of a row as it is loaded; the same arithmetic is in no driver. */
export const numberOf = (id: number): number => id * 7_919 % ROWS + 1;
/** The number a row has once it was written. */
export const writtenOf = (id: number): number => id * 31 % ROWS + 1;

/** So many ids that follow from a number, all different and in order, within the loads' part or the checks'. */
export function idsOf(n: number, count: number): number[] {
  const [from, rows] = n < LOADED ? [0, LOADED] : [LOADED, ROWS - LOADED];
  return Array.from({ length: count }, (_, place) => from + (n + 97 * place) % rows + 1).sort((a, b) => a - b);
}

/** Rows in the order of their keys, with what a table has and nothing of a driver's. */
export const byId = (rows: readonly World[]): World[] =>
  rows.toSorted((a, b) => a.id - b.id).map(({ id, randomnumber }) => ({ id, randomnumber }));
