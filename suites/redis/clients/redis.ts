import { createClient } from "redis";
import type { OpenRedis } from "./redis-client.ts";

/** node-redis: what one turn of the event loop asks goes out together. */
export const open: OpenRedis = async ({ host, port, password }) => {
  const client = await createClient({ socket: { host, port }, password }).connect();
  return {
    get: (key) => client.get(key),
    set: (key, value) => client.set(key, value),
    many: (keys) => Promise.all(keys.map((key) => client.get(key))),
    size: () => client.dbSize(),
    close: () => client.close(),
  };
};
