import { diskBytes } from "./files/disk-bytes.ts";
import { writePairs } from "./files/service-rows.ts";
import { describedBy, serviceOf, type StoreDriver } from "./store.ts";
import { encodeUser } from "./user.ts";

/** A key of Redis for each user, its value the user as JSON; reached by ioredis. */
export const driver: StoreDriver = {
  name: "redis",
  title: "a key of Redis for each user, by ioredis",
  complexity: "O(1)",
  durability: "memory",
  runtimes: ["node", "deno", "bun"],
  elsewhere: "Redis",
  layout: "pairs-1",
  prepare: writePairs,
  async open(directory, options) {
    const { host, port, password = "" } = serviceOf(options);
    // Loaded where it is used: the package may be missing where another store is measured.
    const { Redis } = await import("ioredis");
    const client = new Redis({ host, port, password });
    // Each command that fails says so itself.
    client.on("error", () => {});
    return {
      async find(id) {
        const text = await client.get(id);
        return text === null ? undefined : JSON.parse(text);
      },
      create: async (user) => void await client.set(user.id, encodeUser(user)),
      async describe() {
        const version = /redis_version:(\S+)/.exec(await client.info("server"))?.[1] ?? "of an unknown version";
        return describedBy(`Redis ${version}`, diskBytes(directory));
      },
      close: () => Promise.resolve(client.disconnect()),
    };
  },
};
