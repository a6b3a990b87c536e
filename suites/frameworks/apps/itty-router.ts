import { AutoRouter, type IRequest, status, text } from "itty-router";
import type { OpenApp } from "../../../servers/app.ts";

/** itty-router. */
export const open: OpenApp = () => {
  const app = AutoRouter({
    before: [
      (request: IRequest) => {
        request["first"] = 1;
      },
      (request: IRequest) => {
        request["second"] = 2;
      },
    ],
    format: text,
  });
  app.get("/favicon.ico", () => status(204));
  app.get("/seen", (request: IRequest) => `${request["first"]} ${request["second"]}`);
  app.get("/users/:id", (request: IRequest) => `User: ${request.params["id"]}`);
  return { fetch: (request) => app.fetch(request) };
};
