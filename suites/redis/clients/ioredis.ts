import { Redis } from "ioredis";
import type { OpenRedis } from "./redis-client.ts";

/** ioredis: many commands go out by its pipeline. */
export const open: OpenRedis = ({ host, port, password }) => {
  const client = new Redis({ host, port, password });
  // Each command that fails says so itself.
  client.on("error", () => {});
  return {
    get: (key) => client.get(key),
    set: (key, value) => client.set(key, value),
    async many(keys) {
      const pipeline = client.pipeline();
      for (const key of keys) pipeline.get(key);
      return (await pipeline.exec())!.map(([error, value]) => {
        if (error !== null) throw error;
        return value as string | null;
      });
    },
    size: () => client.dbsize(),
    close: () => client.disconnect(),
  };
};
