import { createClient } from "redis";
import type { OpenRedis } from "./redis-client.ts";

/** node-redis: what one turn of the event loop asks goes out together. */
export const open: OpenRedis = async ({ host, port, password }) => {
  const client = await createClient({ socket: { host, port }, password }).connect();
  // Each command that fails says so itself; a connection that dies would end the process if nobody listened.
  client.on("error", () => {});
  return {
    get: (key) => client.get(key),
    set: (key, value) => client.set(key, value),
    many: (keys) => Promise.all(keys.map((key) => client.get(key))),
    size: () => client.dbSize(),
    close: () => client.destroy(),
  };
};
