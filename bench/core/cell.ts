import { formatSize } from "./units.ts";

/** One point of the matrix. */
export interface Cell {
  readonly suite: string;
  readonly workload: string;
  /** Runtime name, as in the registry of servers. */
  readonly runtime: string;
  readonly store: string;
  /** Number of users in the data set. */
  readonly size: number;
}

/** `users/read/node/sqlite/10k`: a cell's whole name, unique within a run. */
export function cellName(cell: Cell): string {
  return `${cell.suite}/${cell.workload}/${cellLabel(cell)}`;
}

/** `node/sqlite/10k`: a cell's name where suite and workload are understood. */
export function cellLabel(cell: Cell): string {
  return `${cell.runtime}/${cell.store}/${formatSize(cell.size)}`;
}

/** `node-sqlite-10k`: a cell's name as part of a file name. */
export function cellFileStem(cell: Cell): string {
  return `${cell.runtime}-${cell.store}-${formatSize(cell.size)}`;
}
