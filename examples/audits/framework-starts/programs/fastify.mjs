// 25 routes in Fastify.
import process from "node:process";
import fastify from "fastify";

const app = fastify();
for (let n = 0; n < 25; n++) app.get(`/route-${n}`, (_request, reply) => reply.send("here"));
await app.listen({ port: Number(process.env.PORT ?? 0), host: "127.0.0.1" });
process.stdout.write(`${app.server.address().port}\n`);
