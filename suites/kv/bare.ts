import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { ListenError } from "../../servers/adapter.ts";
import { listenNode } from "../../servers/adapters/listen-node.ts";
import type { OpenApp } from "../../servers/app.ts";
import {
  BROKEN,
  isKey,
  loadedTexts,
  NO_KEY,
  REMOVED,
  STORED,
  TEXT_LIMIT_BYTES,
  TEXT_TYPE,
  TOO_LARGE,
} from "./texts.ts";

type Answer = readonly [status: number, text: string];

const MISSING: Answer = [404, NO_KEY];
const HEADERS = { "content-type": TEXT_TYPE };

/** The key in what follows the host in a URL, or undefined where none can be. */
function keyIn(path: string): string | undefined {
  const end = path.indexOf("?");
  const raw = end < 0 ? path.slice(1) : path.slice(1, end);
  if (!raw.includes("%")) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}

/** The reply to a request without a text. */
function answer(texts: Map<string, string>, method: string, path: string): Answer {
  const key = keyIn(path);
  if (key === undefined) return MISSING;
  if (method === "DELETE") return texts.delete(key) ? [200, REMOVED] : MISSING;
  const text = method === "GET" ? texts.get(key) : undefined;
  return text === undefined ? MISSING : [200, text];
}

function put(texts: Map<string, string>, path: string, text: string): Answer {
  const key = keyIn(path);
  if (key === undefined || !isKey(key)) return MISSING;
  texts.set(key, text);
  return [200, STORED];
}

/** For runtimes whose own server takes fetch handlers. */
function fetchHandler(texts: Map<string, string>): (request: Request) => Response | Promise<Response> {
  const reply = ([status, text]: Answer) => new Response(text, { status, headers: HEADERS });
  return (request) => {
    // The part after `http://host`.
    const path = request.url.slice(request.url.indexOf("/", 8));
    if (request.method !== "POST") return reply(answer(texts, request.method, path));
    if (Number(request.headers.get("content-length")) > TEXT_LIMIT_BYTES) return reply([413, TOO_LARGE]);
    return request.text().then(
      (text) => reply(Buffer.byteLength(text) > TEXT_LIMIT_BYTES ? [413, TOO_LARGE] : put(texts, path, text)),
      () => reply([400, BROKEN]),
    );
  };
}

/** For node:http. */
function nodeHandler(texts: Map<string, string>): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const reply = ([status, text]: Answer) => {
      response.writeHead(status, HEADERS);
      response.end(text);
    };
    const { method = "GET", url: path = "/" } = request;
    if (method !== "POST") return reply(answer(texts, method, path));
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= TEXT_LIMIT_BYTES) chunks.push(chunk);
    });
    request.on("end", () =>
      reply(
        bytes > TEXT_LIMIT_BYTES ? [413, TOO_LARGE] : put(texts, path, Buffer.concat(chunks).toString("utf8")),
      ));
  };
}

/** The same as app.ts on the runtime's server, without a framework. */
export const open: OpenApp = ({ options, runtime }) => {
  const texts = loadedTexts(Number(options["keys"]));
  if (runtime !== "node") return { fetch: fetchHandler(texts) };
  return {
    listen: (here) =>
      listenNode(createServer(nodeHandler(texts)), here)
        .catch((cause) => Promise.reject(new ListenError(here, cause))),
  };
};
