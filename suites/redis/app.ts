/** One Hono app over any driver of Redis. */
import process from "node:process";
import { Hono } from "hono";
import type { OpenApp } from "../../servers/app.ts";
import { versionsOf } from "../package-versions.ts";
import { REDIS_CLIENTS } from "./clients/registry.ts";
import type { OpenRedis, RedisOptions } from "./clients/redis-client.ts";
import { keyAt, KEYS, keysOf, valueOf } from "./keys.ts";

/** Options that suite.ts hands to the app. */
interface RedisAppOptions extends Omit<RedisOptions, "password"> {
  readonly driver: string;
}

export const open: OpenApp = async (context) => {
  const options = context.options as unknown as RedisAppOptions;
  const { open }: { open: OpenRedis } = await import(`./clients/${options.driver}.ts`);
  const client = await open({ ...options, password: process.env["REDIS_PASSWORD"] ?? "" });
  const app = new Hono();
  app.get("/get/:n", async (c) => c.text(await client.get(keyAt(Number(c.req.param("n")))) ?? "none"));
  app.post("/set/:n", async (c) => {
    const key = keyAt(Number(c.req.param("n")));
    await client.set(key, valueOf(key));
    return c.text(key);
  });
  app.get("/written", async (c) => c.text(String(await client.size() - KEYS)));
  app.get("/pipeline/:n", async (c) => c.json(await client.many(keysOf(Number(c.req.param("n"))))));
  return {
    fetch: app.fetch,
    describe: () => ({ diskBytes: null, facts: versionsOf(REDIS_CLIENTS[options.driver]!.packages) }),
    close: async () => void await client.close(),
  };
};
