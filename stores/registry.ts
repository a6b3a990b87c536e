import { type StoreDriver, StoreError } from "./store.ts";

type Load = () => Promise<{ readonly driver: StoreDriver }>;

/** All stores, in the order tables show them. Adding a store is one file next to this one and its name here. */
const STORES = {
  linear: () => import("./linear.ts"),
  map: () => import("./map.ts"),
  binary: () => import("./binary.ts"),
  sqlite: () => import("./sqlite.ts"),
  drizzle: () => import("./drizzle.ts"),
};

/** Name of a store of the registry. */
export type StoreName = keyof typeof STORES;

/** The names of all stores. */
export const STORE_NAMES = Object.keys(STORES) as StoreName[];

/** Stores whose users a service keeps, by name: which service, and as its driver says it. Measured where they are requested. */
export const SERVICE_STORES: Readonly<
  Record<string, { readonly service: "postgres" | "redis"; readonly elsewhere: string; readonly load: Load }>
> = {
  postgres: { service: "postgres", elsewhere: "PostgreSQL", load: () => import("./postgres.ts") },
  "drizzle-postgres": { service: "postgres", elsewhere: "PostgreSQL", load: () => import("./drizzle-postgres.ts") },
  redis: { service: "redis", elsewhere: "Redis", load: () => import("./redis.ts") },
};

/**
 * Loads one store's driver and nothing of the others. Throws a {@link StoreError} for an unknown name.
 * @param file absolute path of a user's module, in place of a store of the registry
 */
export async function loadStore(name: string, file?: string): Promise<StoreDriver> {
  if (file !== undefined) return await (await import("./user/user-driver.ts")).userDriver(file);
  const loads = new Map<string, Load>(Object.entries(STORES));
  for (const [service, { load }] of Object.entries(SERVICE_STORES)) loads.set(service, load);
  const load = loads.get(name);
  if (load !== undefined) return (await load()).driver;
  throw new StoreError(`unknown store "${name}"; known are ${[...loads.keys()].join(", ")}`);
}
