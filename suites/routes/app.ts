import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { OpenApp } from "../../servers/app.ts";
import { isBrokenBody } from "../../servers/broken-body.ts";
import { BODY_LIMIT_BYTES } from "./limits.ts";

/** A body as JSON, or the reply that says what is wrong with it. */
async function jsonOf(c: Context): Promise<{ readonly json: unknown } | Response> {
  // Reading stays outside of the try: a body that breaks off is answered where all errors are.
  const text = await c.req.text();
  try {
    return { json: JSON.parse(text) };
  } catch {
    return c.json({ error: "the body is not JSON" }, 400);
  }
}

const isObject = (json: unknown): json is object => typeof json === "object" && json !== null && !Array.isArray(json);

/**
 * The app that is measured: each route does one thing more than the one before it.
 *
 * `GET /health` 200; `GET /greet/:name` 200; `POST /echo` 200 | 400 | 413; `POST /greet/:name` 200 | 400 | 413.
 */
function routesApp(): Hono {
  const app = new Hono();
  app.get("/health", (c) => c.json({ status: "ok" }));
  app.get("/greet/:name", (c) => c.json({ greeting: `Hello, ${c.req.param("name")}!` }));

  const limit = bodyLimit({
    maxSize: BODY_LIMIT_BYTES,
    onError: (c) => c.json({ error: `a body has at most ${BODY_LIMIT_BYTES} bytes` }, 413),
  });
  app.post("/echo", limit, async (c) => {
    const body = await jsonOf(c);
    return body instanceof Response ? body : c.json(body.json);
  });
  app.post("/greet/:name", limit, async (c) => {
    const body = await jsonOf(c);
    if (body instanceof Response) return body;
    if (!isObject(body.json)) return c.json({ error: "the body is not an object" }, 400);
    return c.json({ ...body.json, greeting: `Hello, ${c.req.param("name")}!` });
  });

  app.notFound((c) => c.json({ error: "no such route" }, 404));
  app.onError((error, c) => {
    if (isBrokenBody(error)) return c.json({ error: "the body broke off" }, 400);
    process.stderr.write(`${error.stack ?? error}\n`);
    return c.json({ error: "internal error" }, 500);
  });
  return app;
}

/** Opens the app; it keeps nothing. */
export const open: OpenApp = () => ({ fetch: routesApp().fetch });
