/**
 * Loaded before what a worker runs: counts the requests that reach its server, and has the server listen with reusePort where
 * workers are processes. A listening function is replaced once; a request costs one addition more.
 */
import { Server as HttpServer } from "node:http";
import { Server as NetServer } from "node:net";
import process from "node:process";
import { detectRuntime } from "../runtime.ts";
import type { Counted } from "./counted-handler.ts";
import { type Counter, report } from "./report.ts";
import { REUSE_PORT } from "./ways.ts";

/** `listen(port, host, backlog, done)` as `listen(options, done)`; what names no port stays as it is. */
function withReusePort(args: readonly unknown[]): unknown[] {
  const [first, ...rest] = args;
  const reusePort = true;
  if (typeof first === "object" && first !== null && "port" in first) return [{ ...first, reusePort }, ...rest];
  const port = typeof first === "string" || typeof first === "number" ? Number(first) : NaN;
  if (!Number.isInteger(port)) return [...args];
  const host = rest.find((value) => typeof value === "string");
  const backlog = rest.find((value) => typeof value === "number");
  const options = {
    port,
    reusePort,
    ...(host === undefined ? {} : { host }),
    ...(backlog === undefined ? {} : { backlog }),
  };
  return [options, ...rest.filter((value) => typeof value === "function")];
}

/** Has servers of node:http count requests and listen as workers do, on every runtime. */
function countNode({ counter, reusePort, listens }: Counted): void {
  let within = false;
  for (const { prototype } of [HttpServer, NetServer] as unknown as { prototype: NetServer }[]) {
    if (!Object.hasOwn(prototype, "listen")) continue;
    const listen = prototype.listen as (...args: unknown[]) => NetServer;
    prototype.listen = function (this: NetServer, ...args: unknown[]) {
      // A listen of the runtime may come back here for itself.
      if (within) return listen.apply(this, args);
      within = true;
      try {
        this.prependListener("request", () => void counter.requests!++);
        this.once("listening", listens);
        return listen.apply(this, reusePort ? withReusePort(args) : args);
      } finally {
        within = false;
      }
    } as NetServer["listen"];
  }
}

const counter: Counter = { requests: 0 };
let reported = false;
const worker: Counted = {
  counter,
  reusePort: process.env[REUSE_PORT] === "1",
  listens() {
    if (!reported) report(counter);
    reported = true;
  },
};
const { name } = detectRuntime();
countNode(worker);
if (name === "bun") (await import("./count-bun.ts")).countBun(worker);
if (name === "deno") (await import("./count-deno.ts")).countDeno(worker);
