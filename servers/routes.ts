/**
 * Prints a line with the paths a Hono app answers GET on, none for an app that has no list of routes: `routes.ts MODULE`.
 * Whoever starts it ends it, because an app may keep its process alive.
 */
import { pathToFileURL } from "node:url";

const exported: { default?: { routes?: unknown } } = await import(pathToFileURL(process.argv[2]!).href);
const routes: unknown = exported.default?.routes;
const paths = (Array.isArray(routes) ? routes : []).flatMap((route: { method?: unknown; path?: unknown }) =>
  route.method === "GET" && typeof route.path === "string" ? [route.path] : []
);
process.stdout.write(`${JSON.stringify({ routes: [...new Set(paths)] })}\n`);
