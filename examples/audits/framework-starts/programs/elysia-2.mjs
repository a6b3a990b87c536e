// 25 routes in Elysia 2 on Bun's server.
import process from "node:process";
import { Elysia } from "elysia-2";

const app = new Elysia();
for (let n = 0; n < 25; n++) app.get(`/route-${n}`, () => "here");
app.listen({ port: Number(process.env.PORT ?? 0), hostname: "127.0.0.1" });
process.stdout.write(`${app.server.port}\n`);
