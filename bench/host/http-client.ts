import { Agent, request } from "node:http";

/** A reply, whole. */
export interface Reply {
  readonly status: number;
  readonly body: string;
}

/** A client that asks one server one thing at a time over one connection. */
export interface HttpClient {
  /** Sends a path as it is, unnormalised. Rejects on a socket error or after the timeout. */
  send(method: "GET" | "POST", path: string, body?: string): Promise<Reply>;
  close(): void;
}

/** Opens a client. */
export function httpClient(url: string, timeoutMs: number): HttpClient {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    send: (method, path, body) =>
      new Promise((resolve, reject) => {
        const headers: Record<string, string | number> = body === undefined
          ? {}
          : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
        const sent = request({ hostname, port, path, method, agent, headers }, (reply) => {
          const chunks: Buffer[] = [];
          reply.on("data", (chunk: Buffer) => chunks.push(chunk));
          reply.on("error", reject);
          reply.on("end", () => {
            clearTimeout(timer);
            resolve({ status: reply.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8") });
          });
        });
        const timer = setTimeout(() => sent.destroy(new Error(`no reply within ${timeoutMs} ms`)), timeoutMs);
        sent.on("error", (error) => {
          clearTimeout(timer);
          reject(error);
        });
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}
