// Each call starts a program with 25 routes, sends it one request and ends it. After the figures of
// https://elysiajs.com/blog/elysia-20. A call gives the body of the reply.
import { spawn } from "node:child_process";
import { connect } from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** Resolves with the body of the server at a port. */
const requestOnce = (port) =>
  new Promise((resolve, reject) => {
    let text = "";
    connect(port, "127.0.0.1").on("error", reject).setEncoding("utf8")
      .on("data", (part) => text += part)
      .on("end", () => resolve(text.split("\r\n\r\n")[1]))
      .end("GET /route-24 HTTP/1.1\r\nhost: starts\r\nconnection: close\r\n\r\n");
  });

const started = (name) => () =>
  new Promise((resolve, reject) => {
    const file = fileURLToPath(new URL(`programs/${name}.mjs`, import.meta.url));
    const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
    let body;
    child.on("error", reject)
      .on("exit", (code) => body === undefined ? reject(new Error(`${name} ended with ${code}`)) : resolve(body));
    // The program prints its port in one line.
    child.stdout.setEncoding("utf8").once("data", async (line) => {
      body = await requestOnce(Number(line)).catch(reject);
      child.kill("SIGKILL");
    });
  });

export default {
  calls: {
    hono: started("hono"),
    "elysia-1": started("elysia-1"),
    "elysia-2": started("elysia-2"),
    fastify: started("fastify"),
  },
};
