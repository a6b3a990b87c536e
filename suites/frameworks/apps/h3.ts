import { H3, noContent } from "h3";
import { createServer } from "node:http";
import { listenNode } from "../../../servers/adapters/listen-node.ts";
import type { OpenApp } from "../../../servers/app.ts";

/**
 * h3. On Node its own handler puts it on node:http: @hono/node-server, which serves our fetch handlers there, replaces
 * the global Response, of which h3's own are then none, and every error of h3 becomes a 200.
 */
export const open: OpenApp = async ({ runtime }) => {
  const app = new H3();
  app.use((event) => {
    event.context["first"] = 1;
  });
  app.use((event) => {
    event.context["second"] = 2;
  });
  app.get("/favicon.ico", () => noContent());
  app.get("/seen", ({ context }) => `${context["first"]} ${context["second"]}`);
  app.get("/users/:id", ({ context }) => `User: ${context.params!["id"]}`);
  if (runtime === "node") {
    const { toNodeHandler } = await import("h3/node");
    return { listen: (options) => listenNode(createServer(toNodeHandler(app)), options) };
  }
  return { fetch: (request) => app.fetch(request) };
};
