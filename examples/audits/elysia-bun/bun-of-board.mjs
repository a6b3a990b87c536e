// The text on Bun.serve as the board's program has it: under `static`, an older name of `routes`. Beside `routes` Bun 1.4
// takes no `static`, so that the handler answers.
// After SaltyAom/bun-http-framework-benchmark at ba1520c, src/bun/bun.ts.
import process from "node:process";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;
const text = new Response("Hi");

globalThis.Bun.serve({
  port: Number(PORT),
  hostname: HOST,
  static: { "/": new Response("Hi", { headers: { "content-type": "text/plain;charset=utf8" } }) },
  routes: { "/id/:id": ({ params }) => new Response(params.id) },
  fetch({ url, method }) {
    const begin = url.indexOf("/", "http://".length) + 1, query = url.indexOf("?", begin);
    const path = query < 0 ? url.slice(begin) : url.slice(begin, query);
    return path === "" && method === "GET" ? text.clone() : new Response(null, { status: 404 });
  },
});
