import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenNode } from "../../../servers/adapters/listen-node.ts";
import type { OpenApp } from "../../../servers/app.ts";

interface Seen {
  first?: number;
  second?: number;
}

const USERS = "/users/";

/** Returns the reply of a path: a text, null for an empty reply, undefined for an unknown path. */
function textOf(path: string, request: Seen): string | null | undefined {
  const question = path.indexOf("?");
  const bare = question < 0 ? path : path.slice(0, question);
  if (bare.startsWith(USERS) && bare.length > USERS.length && !bare.includes("/", USERS.length)) {
    return `User: ${bare.slice(USERS.length)}`;
  }
  if (bare === "/seen") return `${request.first} ${request.second}`;
  return bare === "/favicon.ico" ? null : undefined;
}

/** Does the work of the two middlewares of the other apps. */
function mark(request: Seen): void {
  request.first = 1;
  request.second = 2;
}

function onNode(request: IncomingMessage & Seen, response: ServerResponse): void {
  mark(request);
  const text = textOf(request.url!, request);
  if (typeof text === "string") {
    response.setHeader("content-type", "text/plain");
    response.end(text);
  } else {
    response.statusCode = text === null ? 204 : 404;
    response.end();
  }
}

function onFetch(request: Request & Seen): Response {
  mark(request);
  const { url } = request;
  const text = textOf(url.slice(url.indexOf("/", "https://".length)), request);
  return typeof text === "string" ? new Response(text) : new Response(null, { status: text === null ? 204 : 404 });
}

/** The runtime's server, routed by hand: node:http, Deno.serve or Bun.serve. */
export const open: OpenApp = ({ runtime }) =>
  runtime === "node"
    ? { listen: (options) => listenNode(createServer(onNode), options) }
    : { fetch: (request) => onFetch(request) };
