import { createServer, type RequestListener, Server } from "node:http";
import { relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { ListenOptions, ServeOptions } from "./adapter.ts";
import { listenNode } from "./adapters/listen-node.ts";
import { type App, type AppContext, type OpenApp, Unsupported } from "./app.ts";
import type { RuntimeName } from "./runtime.ts";
import { watchListening } from "./watch-listening.ts";

/** The parts of a module's export that are read. */
interface Exported {
  readonly default?: unknown;
  readonly fetch?: ServeOptions["fetch"];
  readonly routes?: unknown;
  readonly ready?: unknown;
  readonly inject?: unknown;
  readonly handler?: unknown;
  readonly handle?: unknown;
  readonly callback?: unknown;
  readonly listen?: unknown;
  readonly close?: unknown;
}

/** The part of Fastify that is used here. */
interface Fastify {
  listen(options: { host: string; port: number }): Promise<string>;
  close(): Promise<void>;
}

/** A function that answers as node:http has it, by the name of what it is given second. */
const TAKES_RESPONSE = /^(?:async\s*)?(?:function\b\s*\w*\s*)?\(?\s*\w+\s*,\s*_?(?:res|resp|response|reply)\b/;

/** A module without an app to serve: a program that listens by itself, or one that exports something else. */
export class NoApp extends Error {
  override readonly name = "NoApp";
  readonly code: "is-program" | "no-app";

  constructor(code: NoApp["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Opens what a module exports: an app as its default, or a promise of one, or else a function `open`. Throws where it is
 * neither, and {@link Unsupported} where this runtime cannot serve it, in a line that says what to write instead.
 * @param module absolute path
 */
export async function openModule(module: string, context: AppContext): Promise<App> {
  const { value: exported, listens } = await watchListening(() => import(pathToFileURL(module).href));
  const found = appOf(await exported.default, context.runtime);
  if (found !== null) return found;
  if (typeof exported.open === "function") {
    const opened = await (exported.open as OpenApp)(context) as App | undefined;
    if (typeof opened?.fetch === "function" || typeof opened?.listen === "function") return opened;
    throw new Error(`"${shown(module)}" opened an app with neither fetch nor listen`);
  }
  throw listens
    ? new NoApp("is-program", `"${shown(module)}" listens by itself and exports no app: it is a program`)
    : new NoApp("no-app", whyNone(module, exported, context.runtime));
}

function shown(module: string): string {
  const path = relative(process.cwd(), module);
  return path.startsWith("..") ? module : path;
}

function whyNone(module: string, exported: Record<string, unknown>, runtime: RuntimeName): string {
  const neither = `"${
    shown(module)
  }" exports neither a function "open" nor an app with a "fetch" method as its default`;
  const named = Object.keys(exported).find((name) => name !== "default" && appOf(exported[name], runtime) !== null);
  if (named !== undefined) return `${neither}: add "export default ${named}" to it`;
  return /^class\b/.test(sourceOf(exported["default"]))
    ? `${neither}: its default is a class, export "new" of it`
    : neither;
}

const sourceOf = (value: unknown) => typeof value === "function" ? Function.prototype.toString.call(value) : "";

/** A value as an app of whatever framework it is; null where it is none. */
function appOf(value: unknown, runtime: RuntimeName): App | null {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return null;
  const app = value as Exported;
  const has = (...names: readonly (keyof Exported)[]) => names.every((name) => typeof app[name] === "function");
  if (has("ready", "inject", "listen")) return { listen: (options) => listenFastify(value as Fastify, options) };
  const served = fetchAppOf(app, runtime);
  if (served !== null) return served;
  if (value instanceof Server) return serverAppOf(value);
  const handler = handlerOf(app, has);
  if (handler !== null) return { listen: (options) => listenNode(createServer(handler), options) };
  if (typeof value === "function" && !/^class\b/.test(sourceOf(value))) {
    return { fetch: value as ServeOptions["fetch"] };
  }
  // A module of CommonJS that was made from one with a default.
  return app.default === undefined || app.default === value ? null : appOf(app.default, runtime);
}

/** Options of Bun's server in a default export; Bun alone serves the first ones. */
const OF_BUN = ["routes", "static", "websocket", "error", "idleTimeout", "maxRequestBodySize", "development"] as const;
const BUN_ALONE: readonly string[] = ["routes", "static"];

/** Which of {@link OF_BUN} an export has. Frameworks have lists of routes, and are no plain objects. */
const optionsOfBun = (app: Exported): readonly string[] =>
  Object.getPrototypeOf(app) !== Object.prototype
    ? []
    : OF_BUN.filter((name) => name in app && !Array.isArray((app as Record<string, unknown>)[name]));

/** An object with a fetch method, or a default export as Bun has it; null where it is neither. */
function fetchAppOf(app: Exported, runtime: RuntimeName): App | null {
  const options = optionsOfBun(app);
  // Runtimes hand over more than the request: what Bun and Deno know of it, what node:http has. By the number of parameters
  // Deno decides what to hand over.
  const fetch: ServeOptions["fetch"] | null = typeof app.fetch === "function"
    ? (request, more) => app.fetch!(request, more)
    : null;
  if (options.length === 0 || runtime !== "bun") {
    const only = options.find((name) => BUN_ALONE.includes(name));
    if (only === undefined) return fetch === null ? null : { fetch };
    return {
      listen() {
        throw new Unsupported(`it exports "${only}", which Bun alone serves: --runtime bun`);
      },
    };
  }
  return {
    async listen(options) {
      const { serveOptions } = await import("./adapters/bun.ts");
      return await serveOptions(fetch === null ? app : { ...app, fetch }, options);
    },
  };
}

/** A server of node:http that does not listen yet. */
function serverAppOf(server: Server): App {
  if (server.listening) throw new NoApp("is-program", "its server listens by itself already: it is a program");
  return { listen: (options) => listenNode(server, options) };
}

/** The handler of an app for node:http, as Express, Koa, Polka and plain functions have it. */
function handlerOf(app: Exported, has: (...names: (keyof Exported)[]) => boolean): RequestListener | null {
  if (has("callback", "listen")) return (app.callback as () => RequestListener)();
  if (typeof app === "object") return has("handler", "listen") ? (app.handler as RequestListener).bind(app) : null;
  const takesResponse = TAKES_RESPONSE.test(sourceOf(app)) || has("handle", "listen");
  return takesResponse ? app as unknown as RequestListener : null;
}

async function listenFastify(app: Fastify, { hostname, port }: ListenOptions) {
  return { url: await app.listen({ host: hostname, port }), close: () => app.close() };
}
