// TechEmpower's plaintext in Express 5.
import process from "node:process";
import express from "express";

const { PORT = "3000", HOST = "127.0.0.1" } = process.env;

const app = express();
app.get("/plaintext", (_request, reply) => {
  reply.set("content-type", "text/plain").send("Hello, World!");
});
app.listen(Number(PORT), HOST);
