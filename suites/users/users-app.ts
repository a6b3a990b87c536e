import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import { isBrokenBody } from "../../servers/broken-body.ts";
import type { Store } from "../../stores/store.ts";
import { isUserId, isUserText, type User } from "../../stores/user.ts";
import { isBusy } from "./busy.ts";
import { BODY_LIMIT_BYTES } from "./limits.ts";

const newUser = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{16}$/, "must be 16 lower-case hexadecimal digits"),
  name: z.string().min(1).max(200).refine(isUserText, "must be well-formed Unicode without U+0000"),
  email: z.email().max(254),
  age: z.int().min(0).max(150),
  country: z.string().regex(/^[A-Z]{2}$/, "must be two upper-case letters"),
  createdAt: z.iso.datetime({ precision: 3 }),
});

/**
 * The app that is measured: users by id over any store.
 *
 * `GET /users/:id` 200 | 400 no such id can be | 404; `POST /users` 201 | 400 | 409 id exists | 413; `GET /health` 200.
 * Either is answered with 503 while another process holds the store.
 */
export function usersApp(store: Store): Hono {
  const app = new Hono();

  app.get("/health", (c) => c.json({ status: "ok" }));

  app.get("/users/:id", (c): Response | Promise<Response> => {
    const id = c.req.param("id");
    if (!isUserId(id)) return c.json({ error: "an id is 16 lower-case hexadecimal digits" }, 400);
    const reply = (user: User | undefined): Response =>
      user === undefined ? c.json({ error: "no user has this id" }, 404) : c.json(user);
    const found = store.find(id);
    return found instanceof Promise ? found.then(reply) : reply(found);
  });

  const limit = bodyLimit({
    maxSize: BODY_LIMIT_BYTES,
    onError: (c) => c.json({ error: `a body has at most ${BODY_LIMIT_BYTES} bytes` }, 413),
  });
  app.post("/users", limit, async (c) => {
    const text = await c.req.text();
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      return c.json({ error: "the body is not JSON", issues: [] }, 400);
    }
    const parsed = newUser.safeParse(json);
    if (!parsed.success) {
      const issues = parsed.error.issues.map((issue) => ({ path: issue.path.join("."), message: issue.message }));
      return c.json({ error: "the body is not a user", issues }, 400);
    }
    const { id, name, email, age, country, createdAt } = parsed.data;
    const user: User = { id, name, email, age, country, createdAt };
    // A synchronous store looks up and inserts in one turn, so that no other request creates the id in between.
    const found = store.find(id);
    if ((found instanceof Promise ? await found : found) !== undefined) {
      return c.json({ error: "a user with this id exists" }, 409);
    }
    await store.create(user);
    return c.json(user, 201, { location: `/users/${id}` });
  });

  app.notFound((c) => c.json({ error: "no such route" }, 404));
  app.onError((error, c) => {
    if (isBrokenBody(error)) return c.json({ error: "the body broke off" }, 400);
    if (isBusy(error)) return c.json({ error: "the store is busy" }, 503);
    process.stderr.write(`${error.stack ?? error}\n`);
    return c.json({ error: "internal error" }, 500);
  });
  return app;
}
