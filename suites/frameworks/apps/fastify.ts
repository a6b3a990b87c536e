import fastify from "fastify";
import { listenNode } from "../../../servers/adapters/listen-node.ts";
import type { OpenApp } from "../../../servers/app.ts";

declare module "fastify" {
  interface FastifyRequest {
    first: number;
    second: number;
  }
}

/** Fastify, on the server it makes itself. */
export const open: OpenApp = async () => {
  const app = fastify();
  app.decorateRequest("first", 0);
  app.decorateRequest("second", 0);
  app.addHook("onRequest", (request, _reply, done) => {
    request.first = 1;
    done();
  });
  app.addHook("onRequest", (request, _reply, done) => {
    request.second = 2;
    done();
  });
  app.get("/favicon.ico", (_request, reply) => {
    reply.code(204).send();
  });
  app.get("/seen", (request, reply) => {
    reply.send(`${request.first} ${request.second}`);
  });
  app.get<{ Params: { id: string } }>("/users/:id", (request, reply) => {
    reply.send(`User: ${request.params.id}`);
  });
  await app.ready();
  return { listen: (options) => listenNode(app.server, options) };
};
