import { App, type Request } from "@tinyhttp/app";
import { createServer } from "node:http";
import { listenNode } from "../../../servers/adapters/listen-node.ts";
import type { OpenApp } from "../../../servers/app.ts";

type Seen = Request & { first?: number; second?: number };

/** tinyhttp. Option `reply`: see ../checks.ts. */
export const open: OpenApp = ({ options }) => {
  const way = options["reply"] === "end" ? "end" : "send";
  const app = new App<Seen>();
  app.use((request, _response, next) => {
    request.first = 1;
    next();
  });
  app.use((request, _response, next) => {
    request.second = 2;
    next();
  });
  app.get("/favicon.ico", (_request, response) => {
    response.status(204).end();
  });
  app.get("/seen", (request, response) => {
    response[way](`${request.first} ${request.second}`);
  });
  app.get("/users/:id", (request, response) => {
    response[way](`User: ${request.params["id"]}`);
  });
  return { listen: (options) => listenNode(createServer(app.attach as Parameters<typeof createServer>[1]), options) };
};
