import { type StoreDriver, StoreError } from "./store.ts";

/** The names of all stores, in the order tables show them. Adding a store is one file next to this one and its name here. */
export const STORE_NAMES = ["linear", "map", "binary", "sqlite", "drizzle"] as const;

/** Name of a store of the registry. */
export type StoreName = (typeof STORE_NAMES)[number];

/** Stores whose users a service keeps, by name: which service, and as its driver says it. Measured where they are requested. */
export const SERVICE_STORES: Readonly<
  Record<string, { readonly service: "postgres" | "redis"; readonly elsewhere: string }>
> = {
  postgres: { service: "postgres", elsewhere: "PostgreSQL" },
  "drizzle-postgres": { service: "postgres", elsewhere: "PostgreSQL" },
  redis: { service: "redis", elsewhere: "Redis" },
};

/**
 * Loads one store's driver and nothing of the others. Throws a {@link StoreError} for an unknown name.
 * @param file absolute path of a user's module, in place of a store of the registry
 */
export async function loadStore(name: string, file?: string): Promise<StoreDriver> {
  if (file !== undefined) return await (await import("./user/user-driver.ts")).userDriver(file);
  switch (name) {
    case "linear":
      return (await import("./linear.ts")).driver;
    case "map":
      return (await import("./map.ts")).driver;
    case "binary":
      return (await import("./binary.ts")).driver;
    case "sqlite":
      return (await import("./sqlite.ts")).driver;
    case "drizzle":
      return (await import("./drizzle.ts")).driver;
    case "postgres":
      return (await import("./postgres.ts")).driver;
    case "drizzle-postgres":
      return (await import("./drizzle-postgres.ts")).driver;
    case "redis":
      return (await import("./redis.ts")).driver;
    default:
      throw new StoreError(
        `unknown store "${name}"; known are ${[...STORE_NAMES, ...Object.keys(SERVICE_STORES)].join(", ")}`,
      );
  }
}
