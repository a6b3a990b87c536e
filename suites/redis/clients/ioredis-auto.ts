import { Redis } from "ioredis";
import type { OpenRedis } from "./redis-client.ts";

/** ioredis with `enableAutoPipelining`: what one turn of the event loop asks goes out together. */
export const open: OpenRedis = ({ host, port, password }) => {
  const client = new Redis({ host, port, password, enableAutoPipelining: true });
  // Each command that fails says so itself.
  client.on("error", () => {});
  return {
    get: (key) => client.get(key),
    set: (key, value) => client.set(key, value),
    many: (keys) => Promise.all(keys.map((key) => client.get(key))),
    size: () => client.dbsize(),
    close: () => client.disconnect(),
  };
};
