import process from "node:process";
import type { AppContext, AppFacts, OpenApp } from "../../servers/app.ts";
import { loadStore } from "../../stores/registry.ts";
import type { OpenOptions, Store, StoreDescription } from "../../stores/store.ts";
import { contendedFetch, startOtherWriter } from "./contention.ts";
import { usersApp } from "./users-app.ts";

/** Options that suite.ts hands to the app. */
export interface UsersOptions {
  readonly store: string;
  /** Absolute path of a user's module that is the store. */
  readonly module?: string;
  readonly engine: NonNullable<OpenOptions["engine"]>;
  /** Milliseconds a SQLite store waits for a lock another process holds. */
  readonly busyTimeout: number;
  /** 2: another process writes the same file meanwhile. */
  readonly writers?: 2;
  readonly dataSeed: number;
  /** Where the store's service listens. */
  readonly host?: string;
  readonly port?: number;
}

/** A service's password comes in the environment, which no other user may read. */
function storeOptions({ engine, busyTimeout, host, port }: UsersOptions): OpenOptions {
  const { PGPASSWORD, REDIS_PASSWORD } = process.env;
  const password = PGPASSWORD ?? REDIS_PASSWORD ?? "";
  return {
    engine,
    busyTimeoutMs: busyTimeout,
    ...(host === undefined || port === undefined ? {} : { service: { host, port, password } }),
  };
}

/** Opens the store named in the options from the app's folder. */
export async function openUsersStore({ directory, options }: AppContext): Promise<Store> {
  const users = options as unknown as UsersOptions;
  if (directory === null) throw new Error("the app needs the folder of its store");
  return await (await loadStore(users.store, users.module)).open(directory, storeOptions(users));
}

export const open: OpenApp = async (context) => {
  const { directory } = context;
  const users = context.options as unknown as UsersOptions;
  const store = await openUsersStore(context);
  const { fetch } = usersApp(store);
  const other = users.writers === 2
    ? await startOtherWriter({ directory: directory!, dataSeed: users.dataSeed, options: storeOptions(users) })
    : undefined;
  return {
    fetch: other === undefined ? fetch : contendedFetch(fetch, other),
    describe: async () => factsOf(await store.describe()),
    async close() {
      await other?.close();
      await store.close();
    },
  };
};

function factsOf({ engine, sqliteVersion, sqliteSourceId, pragmas, diskBytes }: StoreDescription): AppFacts {
  return {
    diskBytes,
    facts: {
      engine,
      ...(sqliteVersion === null ? {} : { sqlite_version: sqliteVersion }),
      ...(sqliteSourceId === null ? {} : { sqlite_source_id: sqliteSourceId }),
      ...Object.fromEntries(Object.entries(pragmas).map(([name, value]) => [`pragma ${name}`, value])),
    },
  };
}
