/**
 * The measured process: opens one store, serves one app on the runtime it runs on, prints one ready line and serves
 * until its stdin closes or it gets SIGTERM or SIGINT.
 */
import { constants } from "node:fs";
import { cp, mkdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { loadStore } from "../stores/registry.ts";
import type { Store } from "../stores/store.ts";
import type { Adapter, BareServer, Listening, ServeOptions } from "./adapter.ts";
import type { ReadyLine } from "./ready-line.ts";
import { detectRuntime } from "./runtime.ts";

const { values } = parseArgs({
  options: {
    /** `users`: the Hono app over a store. `bare`: the runtime's own server. `null`: a fixed reply, unread. */
    app: { type: "string", default: "users" },
    store: { type: "string" },
    directory: { type: "string" },
    engine: { type: "string", default: "native" },
    hostname: { type: "string", default: "127.0.0.1" },
    port: { type: "string", default: "0" },
    /** Extra work, in units a request: makes a server slower by a known amount. */
    ballast: { type: "string", default: "0" },
    /** Serve a copy of the directory and remove it at the end, so that created users leave no trace. */
    copy: { type: "boolean", default: false },
  },
});

const APPS: readonly string[] = ["users", "bare", "null"] satisfies ReadyLine["app"][];
const runtime = detectRuntime();
let store: Store | undefined;
let server: Listening | undefined;
let scratch: string | undefined;
let stopping = false;

async function release(): Promise<void> {
  await server?.close();
  await store?.close();
  if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
}

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  // What is still being copied or opened can neither be removed nor closed.
  await starting.catch(() => {});
  await release();
  process.exit(0);
}

async function openStore(name: string, directory: string): Promise<Store> {
  const driver = await loadStore(name);
  if (values.copy) {
    const parent = dirname(directory);
    scratch = join(parent, `.scratch-${process.pid}-${basename(directory)}`);
    await mkdir(scratch);
    await cp(directory, scratch, { recursive: true, mode: constants.COPYFILE_FICLONE });
    directory = scratch;
  }
  return await driver.open(directory, { engine: values.engine === "node" ? "node" : "native" });
}

/** The handler, slower by a known amount. */
async function withBallast(share: number, fetch: ServeOptions["fetch"]): Promise<ServeOptions["fetch"]> {
  const { ballast } = await import("./ballast.ts");
  const work = ballast(share);
  return (request) => {
    work();
    return fetch(request);
  };
}

/** A number given on the command line. Throws when it is none, out of bounds, or a port and not whole. */
function numberOf(option: "port" | "ballast", most: number): number {
  const value = Number(values[option]);
  if (
    values[option].trim() === "" || !(value >= 0 && value <= most) || (option === "port" && !Number.isInteger(value))
  ) {
    throw new Error(`--${option} must be a number from 0 to ${most}, got "${values[option]}"`);
  }
  return value;
}

async function start(): Promise<ReadyLine> {
  const started = performance.now();
  const listen = { hostname: values.hostname, port: numberOf("port", 65_535) };
  const share = numberOf("ballast", 1_000);
  if (!APPS.includes(values.app)) {
    throw new Error(`--app must be one of ${APPS.join(", ")}, got "${values.app}"`);
  }
  if (values.app === "users") {
    if (values.store === undefined || values.directory === undefined) {
      throw new Error(`app "users" needs --store and --directory`);
    }
    store = await openStore(values.store, values.directory);
  }
  const loadMs = performance.now() - started;
  if (store !== undefined) {
    const { serve }: { serve: Adapter } = await import(`./adapters/${runtime.name}.ts`);
    const { usersApp } = await import("./users-app.ts");
    const { fetch } = usersApp(store);
    server = await serve({ ...listen, fetch: share > 0 ? await withBallast(share, fetch) : fetch });
  } else {
    const { serve }: { serve: BareServer } = values.app === "null"
      ? await import("./null-server.ts")
      : await import(`./bare/${runtime.name}.ts`);
    server = await serve(listen);
  }
  return {
    schema: "levelfield.ready/1",
    runtime: runtime.name,
    version: runtime.version,
    pid: process.pid,
    url: server.url,
    app: values.app as ReadyLine["app"],
    loadMs,
    store: store === undefined ? null : { name: values.store!, ...await store.describe() },
  };
}

const starting = start();
process.stdin.on("end", stop);
process.stdin.on("error", stop);
process.stdin.resume();
process.on("SIGTERM", stop);
process.on("SIGINT", stop);

try {
  process.stdout.write(JSON.stringify(await starting) + "\n");
} catch (error) {
  await release();
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}
