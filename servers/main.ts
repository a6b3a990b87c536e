/**
 * The measured process: opens one app module, serves it on the runtime it runs on, prints one ready line and serves until
 * its stdin closes or it gets SIGTERM or SIGINT. It knows no suite: whoever starts it says which module and which options.
 */
import { constants, readFileSync } from "node:fs";
import { cp, mkdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { type Adapter, ListenError, type Listening, type ListenOptions, type ServeOptions } from "./adapter.ts";
import type { App, AppContext } from "./app.ts";
import type { Protocol } from "./protocol.ts";
import { NoApp, openModule } from "./open-module.ts";
import { detectRuntime } from "./runtime.ts";

const { values } = parseArgs({
  options: {
    /** Absolute path of the app module. */
    module: { type: "string" },
    /** JSON object handed to the app. */
    options: { type: "string", default: "{}" },
    /** Folder with the app's files. */
    directory: { type: "string" },
    hostname: { type: "string", default: "127.0.0.1" },
    port: { type: "string", default: "0" },
    /** The protocol: http, https, h2 or h2c. */
    protocol: { type: "string", default: "http" },
    /** Files with its key and certificate, where that is over TLS. */
    key: { type: "string" },
    cert: { type: "string" },
    /** Extra work, in units a request: makes a server slower by a known amount. */
    ballast: { type: "string", default: "0" },
    /** Serve a copy of the directory and remove it at the end, so that what requests change leaves no trace. */
    copy: { type: "boolean", default: false },
  },
});

const runtime = detectRuntime();
let app: App | undefined;
let server: Listening | undefined;
let scratch: string | undefined;
let stopping = false;

async function release(): Promise<void> {
  await server?.close();
  await app?.close?.();
  if (scratch !== undefined) await rm(scratch, { recursive: true, force: true });
}

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  // Files that are still being copied or opened can neither be removed nor closed.
  await starting.catch(() => {});
  await release();
  process.exit(0);
}

async function copyOf(directory: string): Promise<string> {
  scratch = join(dirname(directory), `.scratch-${process.pid}-${basename(directory)}`);
  await mkdir(scratch);
  await cp(directory, scratch, { recursive: true, mode: constants.COPYFILE_FICLONE });
  return scratch;
}

/** The handler, slower by a known amount; or as it is, where the app takes that itself. */
async function withBallast(share: number, fetch: ServeOptions["fetch"]): Promise<ServeOptions["fetch"]> {
  const { ballast } = await import("./ballast.ts");
  const work = ballast(share);
  if (app?.slower !== undefined) {
    app.slower(work);
    return fetch;
  }
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

function optionsOf(text: string): AppContext["options"] {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`--options must be a JSON object, got "${text}"`);
  }
}

async function start() {
  const started = performance.now();
  const { key, cert } = values;
  const listen: ListenOptions = {
    hostname: values.hostname,
    port: numberOf("port", 65_535),
    protocol: values.protocol as Protocol,
    ...(key === undefined || cert === undefined
      ? {}
      : { tls: { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") } }),
  };
  const share = numberOf("ballast", 1_000);
  if (values.module === undefined) throw new Error("--module is missing: it names the app module to serve");
  const options = optionsOf(values.options);
  const directory = values.directory === undefined
    ? null
    : values.copy
    ? await copyOf(values.directory)
    : values.directory;
  app = await openModule(values.module, { directory, options, runtime: runtime.name });
  const openMs = performance.now() - started;
  const { fetch } = app;
  if (app.listen !== undefined) {
    if (share > 0) throw new Error("--ballast needs an app with a fetch handler");
    server = await app.listen(listen);
  } else if (fetch !== undefined) {
    const { serve }: { serve: Adapter } = await import(`./adapters/${runtime.name}.ts`);
    server = await serve({ ...listen, fetch: share > 0 ? await withBallast(share, fetch) : fetch });
  } else throw new Error(`"${values.module}" opened an app with neither fetch nor listen`);
  const { diskBytes, facts } = await app.describe?.() ?? { diskBytes: null, facts: {} };
  return {
    schema: "levelfield.ready/2",
    runtime: runtime.name,
    version: runtime.version,
    pid: process.pid,
    url: server.url,
    openMs,
    diskBytes,
    facts,
  };
}

/** Returns any thrown value in one line: its kind, all lines of its message, its cause. */
function inOneLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error).trim().replaceAll(/\s*\n\s*/g, " ");
  const { name, message, cause } = error;
  const lines = message.trim().split("\n");
  const places = lines.findIndex((line) => /^\s+(at|hint:) /.test(line));
  const text = (places < 0 ? lines : lines.slice(0, places)).map((line) => line.trim()).filter(Boolean).join(" ");
  const kind = /^(Error|ListenError|NoApp)$|Message$/.test(name) ? "" : `${name}: `;
  return `${kind}${text}${
    cause instanceof Error && !(error instanceof ListenError) ? `; caused by ${inOneLine(cause)}` : ""
  }`;
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
  const message = error instanceof Error ? error.message : String(error);
  // By name: an app outside this checkout has its own class.
  if (error instanceof Error && error.name === "Unsupported") {
    process.stdout.write(JSON.stringify({ schema: "levelfield.ready/2", unsupported: message }) + "\n");
    process.exit(0);
  }
  if (error instanceof NoApp) {
    const line = { schema: "levelfield.ready/2", refused: error.code, fault: message };
    process.stdout.write(JSON.stringify(line) + "\n");
  }
  process.stderr.write(`${inOneLine(error)}\n`);
  process.exit(1);
}
