/** The events of the table, known by formula: the builder, the load and the oracle all take them from here. */
import { mixKeys } from "../../stores/dataset/mix.ts";
import { idMaker } from "../../stores/dataset/user-at.ts";

/** A row of the table, in the order of its columns and of every reply. */
export interface Event {
  readonly id: number;
  readonly kind: string;
  /** When it happened, in ticks: no clock, so that every reply is known. */
  readonly ts: number;
}

/** Fewest and most events a table begins with. */
export const LEAST_ROWS = 100;
export const MOST_ROWS = 10_000_000;

/** Ticks of the events that requests write: far above those of every table. See `serialNumber` for what follows. */
export const WRITTEN_FROM = 2 ** 31;

/** Rows of `GET /events/recent`, and events of one `POST /events/batch`. */
export const RECENT_ROWS = 20;
export const BATCH_ROWS = 10;

/** Largest body a route reads, in bytes; a larger one is answered with 413. */
export const BODY_LIMIT_BYTES = 16_384;

/** Reply to a body that is no event. */
export const NO_EVENT = "an event is a kind of 1 to 100 characters and a whole number ts from 0";

/** Look-ups of `GET /inside/:start`, and the ticks from one to the next. */
export const LOOK_UPS = 1_000;
export const STRIDE = 7_919;

const KIND_SEED = 42;
/** A prime above every number of rows, so that multiplying by it puts ticks in an order of their own. */
const SCATTER = 16_777_213;

/** Text of a kind before its 16 hexadecimal digits, and the key of those, which the generator mixes too. */
export const KIND_PREFIX = "log ";
export const KIND_KEYS: readonly [number, number, number, number] = mixKeys(KIND_SEED);

const digitsOf = idMaker(KIND_SEED);

/** The kind of the event at a tick. */
export const kindOf = (ts: number): string => KIND_PREFIX + digitsOf(ts);

/** The id of the event at a tick of a table's own: ids do not rise with ticks, as rows do not that came late. */
export const idOf = (ts: number, rows: number): number => (ts * SCATTER) % rows + 1;

/** The event at a tick of a table's own, 0 to below `rows`. */
export const eventAt = (ts: number, rows: number): Event => ({ id: idOf(ts, rows), kind: kindOf(ts), ts });

/** Returns the reply of `GET /events/recent` before anything is written. */
export const recentOf = (rows: number): Event[] =>
  Array.from({ length: RECENT_ROWS }, (_, n) => eventAt(rows - 1 - n, rows));

/**
 * Returns the reply of `GET /inside/:start`: the sum of the ids it looked up, each times its index, so that no id can
 * replace another.
 */
export function sumFrom(start: number, rows: number): number {
  let sum = 0;
  for (let n = 0; n < LOOK_UPS; n++) sum += n * idOf((start + n * STRIDE) % rows, rows);
  return sum;
}
