// The same three routes on Bun.serve, by hand. After SaltyAom/bun-http-framework-benchmark at ba1520c, src/bun/bun.ts.
import process from "node:process";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;
const NAME = "name=", POWERED = { headers: { "x-powered-by": "benchmark" } };

/** The value of "name" in a query, up to the next parameter. */
function nameOf(url) {
  const begin = url.indexOf(NAME, url.indexOf("?", "http://".length) + 1) + NAME.length, end = url.indexOf("&", begin);
  return end < 0 ? url.slice(begin) : url.slice(begin, end);
}

globalThis.Bun.serve({
  port: Number(PORT),
  hostname: HOST,
  routes: {
    "/": new Response("Hi", { headers: { "content-type": "text/plain" } }),
    "/id/:id": { GET: ({ url, params }) => new Response(`${params.id} ${nameOf(url)}`, POWERED) },
  },
  fetch(request) {
    const { url, method } = request;
    const begin = url.indexOf("/", "http://".length), query = url.indexOf("?", begin);
    const path = url.slice(begin, query < 0 ? undefined : query);
    if (path === "/json" && method === "POST") return request.json().then((body) => Response.json(body));
    return new Response(null, { status: 404 });
  },
});
