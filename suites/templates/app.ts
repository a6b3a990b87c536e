import { Hono } from "hono";
import type { OpenApp } from "../../servers/app.ts";
import { rowsPage, simplePage, type Views } from "./pages.ts";

/**
 * The pages of one engine over Hono, the same for all: an engine makes a text, Hono sends it.
 *
 * Option `engine`: a file of engines/, or `none` for the JSON baseline.
 */
export const open: OpenApp = async ({ options }) => {
  const engine = String(options["engine"]);
  const app = new Hono();
  if (engine === "none") {
    app.get("/json/:n", (c) => c.json(simplePage(c.req.param("n"))));
  } else {
    const { openViews }: { openViews: () => Views } = await import(`./engines/${engine}.ts`);
    const views = openViews();
    app.get("/simple/:n", (c) => c.html(views.simple(simplePage(c.req.param("n")))));
    app.get("/loop/:n", (c) => c.html(views.loop(rowsPage(c.req.param("n")))));
    app.get("/full/:n", (c) => c.html(views.full(rowsPage(c.req.param("n")))));
  }
  return { fetch: (request) => app.fetch(request) };
};
