import { getRequestListener } from "@hono/node-server";
import { createServer } from "node:http";
import { type Adapter, ListenError } from "../adapter.ts";
import { listenNode } from "./listen-node.ts";

/** Says what a handler threw, as Deno and Bun do by themselves; the reply stays the library's: status 500. */
function errorHandler(error: unknown): void {
  console.error(error);
}

/** Node: node:http through @hono/node-server. */
export const serve: Adapter = (options) => {
  const listener = getRequestListener(options.fetch, { errorHandler });
  return listenNode(createServer(listener), options).catch((cause) => Promise.reject(new ListenError(options, cause)));
};
