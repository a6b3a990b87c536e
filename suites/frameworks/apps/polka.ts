import { createServer } from "node:http";
import polka from "polka";
import { listenNode } from "../../../servers/adapters/listen-node.ts";
import type { OpenApp } from "../../../servers/app.ts";

/**
 * Polka. It has no way of its own to send a text, so the type of the content is set by hand.
 * Option `reply`: see ../checks.ts.
 */
export const open: OpenApp = ({ options }) => {
  const typed = options["reply"] !== "end";
  const app = polka();
  app.use((request, _response, next) => {
    request.first = 1;
    next();
  });
  app.use((request, _response, next) => {
    request.second = 2;
    next();
  });
  app.get("/favicon.ico", (_request, response) => {
    response.writeHead(204).end();
  });
  app.get("/seen", (request, response) => {
    if (typed) response.setHeader("content-type", "text/plain");
    response.end(`${request.first} ${request.second}`);
  });
  app.get("/users/:id", (request, response) => {
    if (typed) response.setHeader("content-type", "text/plain");
    response.end(`User: ${request.params["id"]}`);
  });
  return { listen: (options) => listenNode(createServer(app.handler), options) };
};
