/** An app as anybody writes one: measured with `bench run --app ./examples/own-app/app.ts --request "GET /items/42"`. */
import { Hono } from "hono";

const items = Array.from({ length: 1_000 }, (_, id) => ({ id, name: `Item ${id}`, price: (id * 37) % 500 }));

const app = new Hono();

app.get("/", (c) => c.text("Hello"));

app.get("/items/:id", (c) => {
  const item = items[Number(c.req.param("id"))];
  return item === undefined ? c.json({ error: "no such item" }, 404) : c.json(item);
});

app.post("/total", async (c) => {
  const { ids } = await c.req.json<{ ids: readonly number[] }>();
  return c.json({ total: ids.reduce((sum, id) => sum + (items[id]?.price ?? 0), 0) });
});

export default app;
