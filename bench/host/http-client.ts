import { Agent, request } from "node:http";

/** A reply, whole. */
export interface Reply {
  readonly status: number;
  /** Names in lower case; of a header sent twice all values, joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Opens a client that asks one server one thing at a time over one connection. */
export function httpClient(url: string, timeoutMs: number) {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    /** Sends a path as it is, unnormalised; a body is JSON unless headers say otherwise. Rejects on a socket error or late. */
    send: (method: string, path: string, body?: string, given: Readonly<Record<string, string>> = {}): Promise<Reply> =>
      new Promise((resolve, reject) => {
        const headers: Record<string, string | number> = body === undefined
          ? { ...given }
          : { "content-type": "application/json", ...given, "content-length": Buffer.byteLength(body) };
        const sent = request({ hostname, port, path, method, agent, headers }, (reply) => {
          const chunks: Buffer[] = [];
          reply.on("data", (chunk: Buffer) => chunks.push(chunk));
          reply.on("error", reject);
          reply.on("end", () => {
            clearTimeout(timer);
            resolve({
              status: reply.statusCode ?? 0,
              headers: Object.fromEntries(Object.entries(reply.headers).map(([name, value]) => [name, String(value)])),
              body: Buffer.concat(chunks).toString("utf8"),
            });
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
