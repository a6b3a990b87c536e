import Router from "@koa/router";
import Koa from "koa";
import { createServer } from "node:http";
import { listenNode } from "../../../servers/adapters/listen-node.ts";
import type { OpenApp } from "../../../servers/app.ts";

/** Koa with its router. */
export const open: OpenApp = () => {
  const app = new Koa();
  app.use((context, next) => {
    context.state.first = 1;
    return next();
  });
  app.use((context, next) => {
    context.state.second = 2;
    return next();
  });
  const router = new Router();
  router.get("/favicon.ico", (context) => {
    context.status = 204;
  });
  router.get("/seen", (context) => {
    context.body = `${context.state.first} ${context.state.second}`;
  });
  router.get("/users/:id", (context) => {
    context.body = `User: ${context.params["id"]}`;
  });
  app.use(router.routes());
  return { listen: (options) => listenNode(createServer(app.callback()), options) };
};
