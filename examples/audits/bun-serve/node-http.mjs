// The same on node:http, which Bun has, too.
import { createServer } from "node:http";
import process from "node:process";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

createServer((_request, reply) => reply.end("Bun!")).listen(Number(PORT), HOST);
