/** A batch of GETs of one key, sent at once. After the program of oven-sh/bun that holds Bun.redis against ioredis. */
import process from "node:process";
import type { AppContext } from "../../../servers/app.ts";
import type { Calls } from "../../../servers/calls/open-calls.ts";
import type { OpenRedis } from "../../../suites/redis/clients/redis-client.ts";
import { keyAt, valueOf } from "../../../suites/redis/keys.ts";

const KEY = keyAt(0);

export async function open({ options }: AppContext): Promise<Calls> {
  const { host, port, driver, batch } = options;
  const { open }: { open: OpenRedis } = await import(`../../../suites/redis/clients/${driver}.ts`);
  const password = process.env["REDIS_PASSWORD"] ?? "";
  const client = await open({ host: String(host), port: Number(port), password });
  const size = Number(batch);
  return {
    calls: {
      async batch() {
        const values = await Promise.all(Array.from({ length: size }, () => client.get(KEY)));
        return { values: values.length, last: values.at(-1) };
      },
    },
    expect: () => ({ values: size, last: valueOf(KEY) }),
    close: async () => void await client.close(),
  };
}
