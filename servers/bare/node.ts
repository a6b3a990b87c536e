import { createServer } from "node:http";
import { type BareServer, HEALTH_BODY, ListenError } from "../adapter.ts";
import { listenNode } from "../adapters/listen-node.ts";

/** Node without a framework: node:http alone. */
export const serve: BareServer = (options) => {
  const server = createServer((_, response) => {
    // Not writeHead: the body would be sent in chunks, because its length is not known by then.
    response.setHeader("content-type", "application/json");
    response.end(HEALTH_BODY);
  });
  return listenNode(server, options).catch((cause) => Promise.reject(new ListenError(options, cause)));
};
