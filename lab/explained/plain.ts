import { Hono } from "hono";

/** An app that does some work besides its reply. */
export function appWith(work: () => number): Hono {
  const app = new Hono();
  app.get("/", (context) => {
    // What was done is looked at, so that no engine leaves it out; the reply stays the same.
    if (work() === Infinity) return context.notFound();
    return context.json({ rows: [1, 2, 3] });
  });
  return app;
}

/** The app that others are held against: it does nothing besides. */
export default appWith(() => 0);
