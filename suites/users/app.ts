import type { AppFacts, OpenApp } from "../../servers/app.ts";
import { loadStore } from "../../stores/registry.ts";
import type { OpenOptions, StoreDescription } from "../../stores/store.ts";
import { contendedFetch, startOtherWriter } from "./contention.ts";
import { usersApp } from "./users-app.ts";

/** What suite.ts hands to the app. */
export interface UsersOptions {
  readonly store: string;
  /** Absolute path of a module of one's own that is the store. */
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

/** Opens the store named in the options from the app's folder. */
export const open: OpenApp = async (context) => {
  const { directory } = context;
  const given = context.options as unknown as UsersOptions;
  const { store: name, module, engine, busyTimeout, writers, dataSeed, host, port } = given;
  if (directory === null) throw new Error("the app needs the folder of its store");
  const service = host === undefined || port === undefined ? {} : { service: { host, port } };
  const options = { engine, busyTimeoutMs: busyTimeout, ...service };
  const store = await (await loadStore(name, module)).open(directory, options);
  const { fetch } = usersApp(store);
  const other = writers === 2 ? await startOtherWriter({ directory, dataSeed, options }) : undefined;
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
