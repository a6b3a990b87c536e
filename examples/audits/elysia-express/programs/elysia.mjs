// TechEmpower's plaintext in Elysia: on Bun's server, or on Node's through Elysia's adapter.
import process from "node:process";
import { Elysia } from "elysia";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

const adapter = process.versions.bun === undefined ? (await import("@elysiajs/node")).node() : undefined;
new Elysia({ adapter }).get("/plaintext", "Hello, World!").listen({ port: Number(PORT), hostname: HOST });
