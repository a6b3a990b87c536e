import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { orElse } from "../bench/basics/or-else.ts";
import type { HostServer } from "../bench/host/host.ts";
import { localHost } from "../bench/host/local-host.ts";
import type { ReadyService } from "../servers/service-line.ts";
import { ROWS_FILE } from "../stores/files/service-rows.ts";
import type { OpenOptions } from "../stores/store.ts";
import { users } from "../suites/users/suite.ts";

/** The folder of the socket by which a PostgreSQL's superuser comes, as its options name it. */
function socketFolderOf(port: number): string {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const words = orElse(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"), "").split("\0");
    const folder = words.find((word) => word.startsWith("unix_socket_directories="))?.split("=")[1];
    if (folder !== undefined && words[words.indexOf("-p") + 1] === String(port)) return folder;
  }
  throw new Error(`no PostgreSQL at port ${port}`);
}

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
  const start = async (directory: string): Promise<ReadyService> => {
    const [spec] = users.services!({ suite: "users", at: { store } }, directory);
    const server = await host.serve({ spec: spec!, runtime: null, cpus: null });
    if ("unsupported" in server) throw new NotInstalled(server.unsupported);
    assert.ok("url" in server, JSON.stringify(server));
    started.push(server);
    return server.service!;
  };
  const services = new Map<string, Promise<ReadyService>>();
  const databases = new Map<string, Promise<OpenOptions>>();
  const open = async (directory: string): Promise<OpenOptions> => {
    if (store === "redis") {
      const { port, env } = await start(directory);
      return { service: { host: "127.0.0.1", port, password: env!["REDIS_PASSWORD"]! } };
    }
    const rows = createHash("sha256").update(readFileSync(join(directory, ROWS_FILE))).digest("hex");
    if (!services.has(rows)) services.set(rows, start(directory));
    const { port, env } = await services.get(rows)!;
    const database = `copy_${databases.size}`;
    const sql = postgres({ host: socketFolderOf(port), port, user: "levelfield", database: "template1", max: 1 });
    await sql.unsafe(`CREATE DATABASE ${database} TEMPLATE postgres OWNER postgres`);
    await sql.end();
    return { service: { host: "127.0.0.1", port, password: env!["PGPASSWORD"]!, database } };
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
