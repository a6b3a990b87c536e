import { RedisClient } from "bun";
import type { OpenRedis } from "./redis-client.ts";

/** Bun's own: what one turn of the event loop asks goes out together. */
export const open: OpenRedis = ({ host, port, password }) => {
  const client = new RedisClient(`redis://default:${password}@${host}:${port}`);
  return {
    get: (key) => client.get(key),
    set: (key, value) => client.set(key, value),
    many: (keys) => Promise.all(keys.map((key) => client.get(key))),
    size: () => client.send("DBSIZE", []),
    close: () => client.close(),
  };
};
