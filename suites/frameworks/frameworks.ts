import type { RuntimeName } from "../../servers/runtime.ts";
import { areInstalled, packageFacts } from "../npm-package.ts";
import type { ValueFacts } from "../suite.ts";
import type { ReplyWay } from "./checks.ts";

/** Facts of a framework, known without loading it. */
interface Framework {
  readonly title: string;
  /** Its package as node_modules names it; null where it is the runtime itself. */
  readonly package: string | null;
  /** Further packages its app imports. */
  readonly more?: readonly string[];
  /** How it is served. */
  readonly style: string;
  readonly caveat?: string;
  /** True if its app can send a text with Node's `response.end` (checks.ts). */
  readonly ends?: true;
  /** Runtimes it does not run on, each with what was seen there. */
  readonly fails?: Readonly<Partial<Record<RuntimeName, string>>>;
}

const FETCH = "fetch handler through our adapters";
const NODE = "its own server on node:http";

/** The frameworks, in the order tables show them. Each has its sample app in apps/; all were tried on every runtime. */
export const FRAMEWORKS: Readonly<Record<string, Framework>> = {
  bare: {
    title: "no framework",
    package: null,
    style: "the runtime's own server",
    caveat: "no router and no middleware: each route is written by hand",
  },
  hono: { title: "Hono", package: "hono", style: FETCH },
  h3: {
    title: "h3",
    package: "h3",
    style: "its own handler on node:http on Node, fetch handler through our adapters elsewhere",
  },
  elysia: { title: "Elysia", package: "elysia", style: FETCH },
  express5: { title: "Express 5", package: "express", style: NODE, ends: true },
  express4: { title: "Express 4", package: "express4", style: NODE, ends: true },
  fastify: { title: "Fastify", package: "fastify", style: NODE },
  koa: { title: "Koa with @koa/router", package: "koa", more: ["@koa/router"], style: NODE },
  polka: { title: "Polka", package: "polka", style: NODE, ends: true },
  tinyhttp: { title: "tinyhttp", package: "@tinyhttp/app", style: NODE, ends: true },
  oak: {
    title: "oak",
    package: "@oakserver/oak",
    style: FETCH,
    caveat: "npm has an old version of it, made for Node below 22; newer ones are on JSR only",
    fails: {
      deno: "oak 14.1.0 as npm has it is made for Node: its replies are undici's, which Deno refuses to send; " +
        "its package for Deno is on JSR only",
    },
  },
  "itty-router": { title: "itty-router", package: "itty-router", style: FETCH },
};

/** True, or why a framework does not run on a runtime, or not send texts that way. */
export function runsOn(framework: string, runtime: RuntimeName, reply: ReplyWay): true | string {
  const { package: of, more = [], fails, ends } = FRAMEWORKS[framework]!;
  if (reply === "end" && ends !== true) {
    return "only the four frameworks of the seed are asked to send with response.end";
  }
  if (fails?.[runtime] !== undefined) return fails[runtime];
  return of === null ? true : areInstalled(of, ...more);
}

/** Title, version and style of a framework; the version is that of the installed package. */
export function describeFramework(name: string): ValueFacts {
  const { title, package: of, style, caveat } = FRAMEWORKS[name]!;
  return {
    title,
    ...packageFacts(of),
    style,
    ...(caveat === undefined ? {} : { caveat }),
  };
}
