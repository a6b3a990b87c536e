import { Hono } from "hono";
import { idle, timedWork } from "../timed-work.ts";

/** An app that does some work besides its reply, which has some headers more. */
export function appWith(work: () => number, names: readonly string[] = []): Hono {
  const app = new Hono();
  const timed = timedWork(work);
  const headers = Object.fromEntries([["content-type", "application/json"], ...names.map((name) => [name, "value"])]);
  app.get("/", (context) => {
    // What was done is looked at, so that no engine leaves it out; the reply stays the same.
    if (timed() === Infinity) return context.notFound();
    return new Response('{"rows":[1,2,3]}', { headers });
  });
  return app;
}

/** The app that others are held against: it does nothing besides. */
export default appWith(idle);
