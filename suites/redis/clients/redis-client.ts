import type { RuntimeName } from "../../../servers/runtime.ts";

/** Where Redis is. */
export interface RedisOptions {
  readonly host: string;
  readonly port: number;
  readonly password: string;
}

/** A driver that is connected: one connection, as all of them have it by default. */
export interface RedisClient {
  /** Null where there is no such key. */
  get(key: string): Promise<string | null>;
  set(key: string, value: string): Promise<unknown>;
  /** Several at once, as the driver's documentation says. */
  many(keys: readonly string[]): Promise<readonly (string | null)[]>;
  /** Keys there are. */
  size(): Promise<number>;
  close(): unknown;
}

/** Connects a driver. */
export type OpenRedis = (options: RedisOptions) => RedisClient | Promise<RedisClient>;

/** Facts of a driver, known without loading it. */
export interface ClientFacts {
  readonly title: string;
  readonly runtimes: readonly RuntimeName[];
  /** Package whose version is reported; none where the runtime has it. */
  readonly packages: readonly string[];
}
