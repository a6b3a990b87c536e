/** The cache's keys and values, and the requests for them. */
import { redisValue } from "../../servers/null/rows.ts";

/** Cache work of one request. */
export const WORKLOADS = ["get", "set", "pipeline"] as const;
/** See {@link WORKLOADS}. */
export type Workload = (typeof WORKLOADS)[number];

/** Keys there are, `key:0` and so on. */
export const KEYS = 10_000;
/** Keys up to here are requested by loads, the others by checks alone. */
export const LOADED = 8_000;
/** Bytes of a value. */
export const VALUE_BYTES = 100;
/** Values one request of `pipeline` gets. */
export const MANY = 20;

/** A key by its number. */
export const keyAt = (n: number): string => `key:${n}`;

/** The value a key has and is set to. No driver requests it. */
export const valueOf = (key: string): string => redisValue(key, VALUE_BYTES)!;

/** Keys of one request of `pipeline`: within the loads' part or the checks'. */
export function keysOf(n: number): string[] {
  const [from, keys] = n < LOADED ? [0, LOADED] : [LOADED, KEYS - LOADED];
  return Array.from({ length: MANY }, (_, place) => keyAt(from + (n - from + 97 * place) % keys));
}
