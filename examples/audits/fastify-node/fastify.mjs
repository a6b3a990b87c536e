// A hello world as JSON in Fastify with a schema of its reply. After fastify/benchmarks, benchmarks/fastify.cjs.
import process from "node:process";
import fastify from "fastify";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

const app = fastify();
const schema = { response: { 200: { type: "object", properties: { hello: { type: "string" } } } } };
app.get("/", { schema }, (_request, reply) => {
  reply.send({ hello: "world" });
});
await app.listen({ port: Number(PORT), host: HOST });
