/** The same answers without a framework: a variant to hold the app against. */
const items = Array.from({ length: 1_000 }, (_, id) => ({ id, name: `Item ${id}`, price: (id * 37) % 500 }));

const json = (value: unknown, status = 200) => Response.json(value, { status });

/** Answers as app.ts does. */
export default async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === "/") return new Response("Hello");
  if (request.method === "POST" && pathname === "/total") {
    const { ids }: { ids: readonly number[] } = await request.json();
    return json({ total: ids.reduce((sum, id) => sum + (items[id]?.price ?? 0), 0) });
  }
  const item = items[Number(/^\/items\/(\d+)$/.exec(pathname)?.[1])];
  return item === undefined ? json({ error: "no such item" }, 404) : json(item);
}
