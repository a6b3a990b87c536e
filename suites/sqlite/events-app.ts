import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { isBrokenBody } from "../../servers/broken-body.ts";
import { BATCH_ROWS, BODY_LIMIT_BYTES, NO_EVENT } from "./events.ts";
import type { Queries } from "./queries.ts";

type NewEvent = { readonly kind: string; readonly ts: number };

function isEvent(json: unknown): json is NewEvent {
  const { kind, ts } = json as Partial<Record<keyof NewEvent, unknown>> ?? {};
  return typeof kind === "string" && kind.length >= 1 && kind.length <= 100 && isTick(ts);
}

const isTick = (ts: unknown): ts is number => Number.isSafeInteger(ts) && (ts as number) >= 0;

/** A body as an event, or the reply that says what is wrong with it. */
async function eventOf(c: Context): Promise<NewEvent | Response> {
  // Reading stays outside of the try: a body that breaks off is answered where all errors are.
  const text = await c.req.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return c.json({ error: "the body is not JSON" }, 400);
  }
  return isEvent(json) ? json : c.json({ error: NO_EVENT }, 400);
}

/** A whole number in a path; undefined when it is none. */
function numberIn(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/**
 * The app that is measured: events and a counter of visits in one database.
 *
 * `POST /events`, `/events/batch`, `/events/mixed` 201 | 400 | 413; `GET /events/recent` 200; `GET /` and `/visits` 200;
 * `GET /inside/:start` 200 | 400. For its oracle: `GET /events/:id` 200 | 400 | 404, `/at/:ts`, `/between/:from/:below`,
 * `/count`, `/health`.
 * @param rows events of the table to begin with
 */
export function eventsApp(queries: Queries, rows: number): Hono {
  const app = new Hono();
  const limit = bodyLimit({
    maxSize: BODY_LIMIT_BYTES,
    onError: (c) => c.json({ error: `a body has at most ${BODY_LIMIT_BYTES} bytes` }, 413),
  });
  const writing = (path: string, write: (event: NewEvent) => object) =>
    app.post(path, limit, async (c) => {
      const event = await eventOf(c);
      return event instanceof Response ? event : c.json(write(event), 201);
    });
  const numbers = (path: string, names: readonly string[], read: (...numbers: number[]) => unknown) =>
    app.get(path, (c) => {
      const given = names.map((name) => numberIn(c.req.param(name)!));
      if (given.includes(undefined)) return c.json({ error: "a number is 1 to 15 digits" }, 400);
      const found = read(...given as number[]);
      return found === undefined ? c.json({ error: "no event has this id" }, 404) : c.json(found);
    });

  app.get("/health", (c) => c.json({ status: "ok" }));
  app.get("/", (c) => c.json({ visits: queries.visit("/") }));
  app.get("/visits", (c) => c.json({ visits: queries.visits("/") }));
  writing("/events", ({ kind, ts }) => {
    queries.insert(kind, ts);
    return { inserted: 1 };
  });
  writing("/events/batch", ({ kind, ts }) => {
    queries.insertBatch(kind, ts);
    return { inserted: BATCH_ROWS };
  });
  writing("/events/mixed", ({ kind, ts }) => {
    queries.insert(kind, ts);
    return queries.recent() as object;
  });
  app.get("/events/recent", (c) => c.json(queries.recent()));
  numbers("/events/:id", ["id"], (id) => queries.event(id!));
  numbers("/inside/:start", ["start"], (start) => queries.inside(start!, rows));
  numbers("/at/:ts", ["ts"], (ts) => queries.at(ts!));
  numbers("/between/:from/:below", ["from", "below"], (from, below) => queries.between(from!, below!));
  app.get("/count", (c) => c.json(queries.count()));

  app.notFound((c) => c.json({ error: "no such route" }, 404));
  app.onError((error, c) => {
    if (isBrokenBody(error)) return c.json({ error: "the body broke off" }, 400);
    process.stderr.write(`${error.stack ?? error}\n`);
    return c.json({ error: "internal error" }, 500);
  });
  return app;
}
