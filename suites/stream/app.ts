import { join } from "node:path";
import type { OpenApp } from "../../servers/app.ts";
import { isBrokenBody } from "../../servers/broken-body.ts";
import { type Compressed, compressor, ENCODINGS } from "./compress.ts";
import { isPieced, type PiecedReply, pieceOf, PIECES, textFor } from "./contents.ts";
import type { OpenFile } from "./files/open-file.ts";
import { openFlood } from "./flood.ts";

type Handler = (request: Request, n: string) => Response | Promise<Response>;

/** Pieces of a reply, each made when it is requested; before the last it waits. */
function stream(
  reply: PiecedReply,
  n: string,
  beforeLast?: Promise<void>,
  cancel?: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let k = 0;
  return new ReadableStream({
    ...(cancel && { cancel }),
    async pull(controller) {
      k += 1;
      if (k === PIECES[reply]) await beforeLast;
      controller.enqueue(encoder.encode(pieceOf(reply, k, n)));
      if (k === PIECES[reply]) controller.close();
    },
  });
}

/** A reply in pieces, and one whose last piece is not made until somebody says so: what shows that pieces are sent at once. */
function pieced(reply: PiecedReply): Record<string, Handler> {
  const held = new Map<string, PromiseWithResolvers<void>>();
  const hold = (n: string) => {
    const one = held.get(n) ?? Promise.withResolvers<void>();
    held.set(n, one);
    return one;
  };
  const headers = { "content-type": reply === "events" ? "text/event-stream" : "text/plain" };
  return {
    [`GET ${reply}`]: (_, n) => new Response(stream(reply, n), { headers }),
    "GET held": (_, n) => new Response(stream(reply, n, hold(n).promise, () => held.delete(n)), { headers }),
    "POST held": (_, n) => {
      hold(n).resolve();
      held.delete(n);
      return new Response("released");
    },
    ...openFlood(),
  };
}

/** A body that has rows; null where it has none, is no JSON, or broke off. */
async function rowsIn(request: Request): Promise<{ readonly rows: readonly unknown[] } | null> {
  try {
    const body = JSON.parse(await request.text());
    return Array.isArray(body?.rows) ? body : null;
  } catch (error) {
    if (error instanceof SyntaxError || isBrokenBody(error)) return null;
    throw error;
  }
}

async function handlersOf(reply: string, directory: string | null, runtime: string): Promise<Record<string, Handler>> {
  if (isPieced(reply)) return pieced(reply);
  if (Object.hasOwn(ENCODINGS, reply)) {
    const compress = compressor(reply as Compressed);
    const headers = { "content-type": "text/plain", "content-encoding": ENCODINGS[reply as Compressed] };
    return { [`GET ${reply}`]: (_, n) => new Response(compress(textFor(n)), { headers }) };
  }
  if (reply === "json") {
    return {
      async "POST json"(request) {
        const body = await rowsIn(request);
        return body === null
          ? new Response("the body has no rows as JSON", { status: 400 })
          : Response.json({ seen: body.rows.length, ...body });
      },
    };
  }
  const path = join(directory!, "file.txt");
  const { open }: { open: OpenFile } = await import(`./files/${runtime}.ts`);
  return {
    async [`GET ${reply}`]() {
      const { body, bytes } = await open(path);
      const headers = {
        "content-type": "text/plain",
        ...(bytes === undefined ? {} : { "content-length": `${bytes}` }),
      };
      return new Response(body, { headers });
    },
  };
}

/** One kind of reply, without a framework. Option `reply`: its name, which is the first part of its path. */
export const open: OpenApp = async ({ options, directory, runtime }) => {
  const handlers = await handlersOf(String(options["reply"]), directory, runtime);
  return {
    fetch(request) {
      const [, kind, n, ...more] = (URL.parse(request.url)?.pathname ?? "").split("/");
      const handler = more.length > 0 || !n ? undefined : handlers[`${request.method} ${kind}`];
      return handler === undefined ? new Response("404 Not Found", { status: 404 }) : handler(request, n!);
    },
  };
};
