import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { OpenApp } from "../../servers/app.ts";
import { isBrokenBody } from "../../servers/broken-body.ts";
import { BROKEN, isKey, loadedTexts, NO_KEY, REMOVED, STORED, TEXT_LIMIT_BYTES, TOO_LARGE } from "./texts.ts";

/**
 * A key-value server: texts by key in one `Map`.
 *
 * `GET /:key` 200 | 404; `POST /:key` 200 | 404 no key can be so | 413; `DELETE /:key` 200 | 404.
 */
function kvApp(texts: Map<string, string>): Hono {
  const app = new Hono();
  app.get("/:key", (c) => {
    const text = texts.get(c.req.param("key"));
    return text === undefined ? c.text(NO_KEY, 404) : c.text(text);
  });
  const limit = bodyLimit({ maxSize: TEXT_LIMIT_BYTES, onError: (c) => c.text(TOO_LARGE, 413) });
  app.post("/:key", limit, async (c) => {
    const key = c.req.param("key");
    const text = await c.req.text();
    if (!isKey(key)) return c.text(NO_KEY, 404);
    texts.set(key, text);
    return c.text(STORED);
  });
  app.delete("/:key", (c) => texts.delete(c.req.param("key")) ? c.text(REMOVED) : c.text(NO_KEY, 404));
  app.notFound((c) => c.text(NO_KEY, 404));
  app.onError((error, c) => {
    if (isBrokenBody(error)) return c.text(BROKEN, 400);
    process.stderr.write(`${error.stack ?? error}\n`);
    return c.text("internal error", 500);
  });
  return app;
}

/** Opens the app with as many keys as the options say. */
export const open: OpenApp = ({ options }) => ({ fetch: kvApp(loadedTexts(Number(options["keys"]))).fetch });
