import { createAdaptorServer } from "@hono/node-server";
import type { Server } from "node:http";
import { type Adapter, ListenError } from "../adapter.ts";
import { listenNode } from "./listen-node.ts";

/** Node: node:http through @hono/node-server. */
export const serve: Adapter = (options) => {
  const server = createAdaptorServer({ fetch: options.fetch }) as Server;
  return listenNode(server, options).catch((cause) => Promise.reject(new ListenError(options, cause)));
};
