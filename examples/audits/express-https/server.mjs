// A hello world of Express 5 over HTTPS, with a number that counts up in each reply: one file for Node, Deno and Bun.
// After oven-sh/bun, bench/express/express-tls.mjs. Key and certificate are those that the run makes for all servers.
import { readFileSync } from "node:fs";
import * as http from "node:http";
import * as https from "node:https";
import process from "node:process";
import express from "express";

const { PORT = "3443", HOST = "127.0.0.1", PROTOCOL, TLS_KEY = "key.pem", TLS_CERT = "cert.pem" } = process.env;
let replies = 0;

const app = express();
app.get("/", (_request, reply) => {
  reply.send(`Hello World! (request number: ${replies++})`);
});
const server = PROTOCOL === "https"
  ? https.createServer({ key: readFileSync(TLS_KEY), cert: readFileSync(TLS_CERT) }, app)
  : http.createServer(app);
server.listen(Number(PORT), HOST);
