import { getRequestListener, RequestError } from "@hono/node-server";
import { createServer } from "node:http";
import { inspect } from "node:util";
import { type Adapter, ListenError } from "../adapter.ts";
import { listenNode } from "./listen-node.ts";

/** Says what a handler threw, as Deno and Bun do by themselves; the replies are the library's own. */
function errorHandler(error: unknown): Response {
  if (error instanceof RequestError) return new Response(null, { status: 400 });
  process.stderr.write(`${inspect(error)}\n`);
  return new Response(null, { status: 500 });
}

/** Node: node:http through @hono/node-server. */
export const serve: Adapter = (options) => {
  const listener = getRequestListener(options.fetch, { errorHandler });
  return listenNode(createServer(listener), options).catch((cause) => Promise.reject(new ListenError(options, cause)));
};
