import type { ClientFacts } from "./redis-client.ts";

const EVERYWHERE = ["node", "deno", "bun"] as const;

/** Drivers of Redis by the file each stands in. */
export const REDIS_CLIENTS: Readonly<Record<string, ClientFacts>> = {
  "ioredis": { title: "ioredis, a write a command", runtimes: EVERYWHERE, packages: ["ioredis"] },
  "ioredis-auto": { title: "ioredis, which gathers commands by itself", runtimes: EVERYWHERE, packages: ["ioredis"] },
  "redis": { title: "node-redis", runtimes: EVERYWHERE, packages: ["redis"] },
  "bun-redis": { title: "Bun's own driver", runtimes: ["bun"], packages: [] },
};
