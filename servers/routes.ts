/**
 * Prints a line with the routes of a Hono app, none for an app that has no list of them: `routes.ts MODULE`.
 * Whoever starts it ends it, because an app may keep its process alive.
 */
import { pathToFileURL } from "node:url";

const exported: { default?: { routes?: unknown } } = await import(pathToFileURL(process.argv[2]!).href);
const routes: unknown = exported.default?.routes;
const found = (Array.isArray(routes) ? routes : []).flatMap((route: { method?: unknown; path?: unknown }) => {
  const { method, path } = route;
  // Middleware stands among them with the method ALL.
  return typeof method === "string" && typeof path === "string" && method !== "ALL" ? [{ method, path }] : [];
});
const once = new Map(found.map((route) => [`${route.method} ${route.path}`, route]));
process.stdout.write(`${JSON.stringify({ routes: [...once.values()] })}\n`);
