/** Opens many connections at once, one for each request, for a time or until SIGINT, and prints the counts. */
import { readFileSync } from "node:fs";
import { connect as connectPlain } from "node:net";
import { connect, createSecureContext, TLSSocket } from "node:tls";
import type { ConnectTask } from "./connect.ts";

const VERSION = "1";

function main({ at, tls, resume, text, atOnce, durationMs, timeoutMs }: ConnectTask): void {
  const secureContext = createSecureContext();
  const counts = { requests: 0, bytes: 0, opened: 0, resumed: 0, connect: 0, read: 0, timeout: 0, status: 0 };
  const started = performance.now();
  const end = () => {
    const durationUs = Math.max(1, Math.round(1e3 * (performance.now() - started)));
    process.stdout.write(JSON.stringify({ durationUs, ...counts }) + "\n", () => process.exit(0));
  };
  process.once("SIGINT", end);
  setTimeout(end, durationMs);

  const ask = (session?: Buffer) => {
    let next = session, status = "", outcome: "requests" | "connect" | "read" | "timeout" = "connect";
    const options = { ...at, secureContext, rejectUnauthorized: false, ...(session === undefined ? {} : { session }) };
    const socket = tls ? connect(options) : connectPlain(at);
    // A session is good for one connection alone, so the newest is taken.
    if (resume) socket.on("session", (given: Buffer) => next = given);
    socket.once(tls ? "secureConnect" : "connect", () => {
      outcome = "read";
      counts.opened++;
      if (socket instanceof TLSSocket && socket.isSessionReused()) counts.resumed++;
      socket.write(text);
    });
    socket.setTimeout(timeoutMs, () => (outcome = "timeout", socket.destroy()));
    socket.on("data", (chunk) => {
      if (status === "") status = chunk.toString("latin1", "HTTP/1.1 ".length, "HTTP/1.1 200".length);
      counts.bytes += chunk.length;
    });
    socket.on("error", () => status = "");
    socket.once("close", () => {
      counts[outcome === "read" && status !== "" ? "requests" : outcome]++;
      if (Number(status) > 399) counts.status++;
      setImmediate(ask, next);
    });
  };
  for (let n = 0; n < atOnce; n++) ask();
}

const [task = ""] = process.argv.slice(2);
if (task === "--version") process.stdout.write(`connect ${VERSION}\n`);
else main(JSON.parse(readFileSync(task, "utf8")));
