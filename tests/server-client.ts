import assert from "node:assert/strict";
import { request } from "node:http";
import { type ReadyLine, readyLine } from "../servers/ready-line.ts";
import { type RunningScript, startScript } from "./testing.ts";

/** A server process that is ready. */
export interface RunningServer {
  readonly run: RunningScript;
  readonly ready: ReadyLine;
  /** Asks it to end, by closing its stdin if nothing else is said, and sees that it ends well and soon. */
  stop(ask?: () => void): Promise<void>;
}

/** Starts servers/main.ts, parses its ready line, works with it, and leaves no process behind whatever happens. */
export async function withServer(
  args: readonly string[],
  work: (server: RunningServer) => Promise<void>,
): Promise<void> {
  const run = startScript("servers/main.ts", ...args);
  try {
    const ready = readyLine.parse(JSON.parse(await run.line()));
    if ("unsupported" in ready) throw new Error(ready.unsupported);
    if ("refused" in ready) throw new Error(ready.fault);
    const stop = async (ask: () => void = () => run.child.stdin!.end()) => {
      ask();
      assert.deepEqual(await run.ended, { code: 0, signal: null }, run.stderr());
    };
    await work({ run, ready, stop });
  } finally {
    run.child.kill("SIGKILL");
    await run.ended;
  }
}

/** What a server answered. */
export interface Reply {
  readonly status: number;
  readonly body: string;
}

/** Sends one request on a connection of its own, the path as it is. */
export function curl(
  url: string,
  method: string,
  path: string,
  options: { readonly body?: string; readonly chunked?: boolean } = {},
): Promise<Reply> {
  const { hostname, port } = new URL(url);
  const { body, chunked } = options;
  const headers: Record<string, string> = { connection: "close" };
  if (body !== undefined) {
    headers["content-type"] = "application/json";
    if (chunked === true) headers["transfer-encoding"] = "chunked";
    else headers["content-length"] = String(Buffer.byteLength(body));
  }
  const reply = new Promise<Reply>((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => text += chunk);
      response.on("end", () => resolve({ status: response.statusCode!, body: text }));
      response.on("error", reject);
    });
    sent.on("error", reject);
    if (body !== undefined && chunked === true) {
      for (let at = 0; at < body.length; at += 4096) sent.write(body.slice(at, at + 4096));
    } else if (body !== undefined) sent.write(body);
    sent.end();
  });
  return reply;
}
