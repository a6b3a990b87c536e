// The same three routes on Bun.serve, by hand. After SaltyAom/bun-http-framework-benchmark, src/bun/bun.ts.
import process from "node:process";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;
const ID = "/id/", NAME = "name=";

globalThis.Bun.serve({
  port: Number(PORT),
  hostname: HOST,
  routes: { "/": new Response("Hi", { headers: { "content-type": "text/plain" } }) },
  fetch(request) {
    const { url, method } = request;
    const begin = url.indexOf("/", "http://".length), query = url.indexOf("?", begin);
    const path = url.slice(begin, query < 0 ? undefined : query);
    if (path.startsWith(ID) && query > 0) {
      const name = url.slice(url.indexOf(NAME, query) + NAME.length);
      return new Response(`${path.slice(ID.length)} ${name}`, { headers: { "x-powered-by": "benchmark" } });
    }
    if (path === "/json" && method === "POST") return request.json().then((body) => Response.json(body));
    return new Response(null, { status: 404 });
  },
});
