// A hello world of Express 5 with a number that counts up in each reply: one file for Node, Deno and Bun.
// After oven-sh/bun, bench/express/express.mjs.
import process from "node:process";
import express from "express";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;
let replies = 0;

const app = express();
app.get("/", (_request, reply) => {
  reply.send(`Hello World! (request number: ${replies++})`);
});
app.listen(Number(PORT), HOST);
