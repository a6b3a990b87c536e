import { createServer } from "node:http";
import { listenNode } from "../../servers/adapters/listen-node.ts";
import type { App, AppContext } from "../../servers/app.ts";

/** The sample app on either Express. Option `reply`: see checks.ts. */
export function expressApp(express: typeof import("express").default, { options }: AppContext): App {
  const way = options["reply"] === "end" ? "end" : "send";
  const app = express();
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
  return { listen: (options) => listenNode(createServer(app), options) };
}
