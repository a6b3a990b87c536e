import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import type { HostServer } from "../bench/host/host.ts";
import { localHost } from "../bench/host/local-host.ts";
import { ROWS_FILE } from "../stores/files/service-rows.ts";
import type { OpenOptions } from "../stores/store.ts";
import { users } from "../suites/users/suite.ts";

/** Why a service cannot be here. */
class NotInstalled extends Error {}

/**
 * Works with services of a store, each filled from a directory as the suite fills it; undefined where it is not installed.
 * Each directory has users of its own: a PostgreSQL is started for the same rows once, and copied for each directory.
 */
export async function withStoreServices<T>(
  store: string,
  work: (optionsOf: (directory: string) => Promise<OpenOptions>) => Promise<T>,
): Promise<T | undefined> {
  const host = localHost();
  const started: HostServer[] = [];
  const start = async (directory: string): Promise<number> => {
    const [spec] = users.services!({ suite: "users", at: { store } }, directory);
    const server = await host.serve({ spec: spec!, runtime: null, cpus: null });
    if ("unsupported" in server) throw new NotInstalled(server.unsupported);
    assert.ok("url" in server, JSON.stringify(server));
    started.push(server);
    return server.service!.port;
  };
  const services = new Map<string, Promise<number>>();
  const databases = new Map<string, Promise<OpenOptions>>();
  const open = async (directory: string): Promise<OpenOptions> => {
    if (store === "redis") return { service: { host: "127.0.0.1", port: await start(directory) } };
    const rows = createHash("sha256").update(readFileSync(join(directory, ROWS_FILE))).digest("hex");
    if (!services.has(rows)) services.set(rows, start(directory));
    const place = { host: "127.0.0.1", port: await services.get(rows)!, database: `copy_${databases.size}` };
    const sql = postgres({ ...place, user: "postgres", database: "template1", max: 1 });
    await sql.unsafe(`CREATE DATABASE ${place.database} TEMPLATE postgres`);
    await sql.end();
    return { service: place };
  };
  try {
    return await work((directory) => {
      if (!databases.has(directory)) databases.set(directory, open(directory));
      return databases.get(directory)!;
    });
  } catch (error) {
    if (error instanceof NotInstalled) return undefined;
    throw error;
  } finally {
    for (const server of started) await host.stop(server);
  }
}
