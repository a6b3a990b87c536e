import { failure } from "../basics/errors.ts";
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from "node:http2";
import { bodyBytes, bodyOfReply } from "../basics/body-bytes.ts";
import { byteSink } from "./byte-sink.ts";
import { type Client, httpClient, MOST_REPLY_BYTES } from "./http-client.ts";
import { connectionLost, MOST_INTERIM, replyTooLarge, tooManyInterim } from "./malformed.ts";
import { openSocket, type ServerProtocol } from "./server-protocol.ts";

/** Opens a client for the protocol that a server speaks; see {@link httpClient}. */
export const openClient = (url: string, timeoutMs: number, spoken: ServerProtocol = { protocol: "http" }): Client =>
  spoken.protocol.startsWith("h2") ? h2Client(url, timeoutMs, spoken) : httpClient(url, timeoutMs, spoken);

/** Headers that HTTP/2 has no place for. */
const OF_CONNECTIONS = ["connection", "host", "content-length"];

/**
 * Opens a client that speaks HTTP/2 with one server, one request at a time over one connection.
 *
 * @param timeoutMs limit for a whole request: to connect, to the first byte, to the last one
 */
function h2Client(url: string, timeoutMs: number, spoken: ServerProtocol): Client {
  let kept: ClientHttp2Session | undefined, broken: Error | undefined;
  let before: Promise<unknown> = Promise.resolve();
  const session = () => {
    if (kept === undefined || kept.closed || kept.destroyed) {
      broken = undefined;
      // Not all runtimes pass the error of a connection on to its session.
      const socket = openSocket(url, spoken).on("error", (error) => session.destroy(broken = error));
      const session = kept = connect(url, { createConnection: () => socket }).on("error", () => {});
    }
    return kept;
  };
  const ask: Client["send"] = (method, path, body, given = {}) =>
    new Promise((resolve, reject) => {
      const open = session();
      const content = body === undefined ? undefined : bodyBytes(body);
      const named = Object.entries(given).map(([name, value]) => [name.toLowerCase(), value] as const);
      const stream = open.request({
        ":method": method,
        ":path": path,
        ...(content === undefined ? {} : { "content-type": "application/json", "content-length": content.length }),
        ...Object.fromEntries(named.filter(([name]) => !OF_CONNECTIONS.includes(name))),
      });
      const sink = byteSink(), interim: number[] = [];
      let head: IncomingHttpHeaders | undefined;
      const over = (reply: () => void) => {
        clearTimeout(timer);
        open.off("error", fails);
        reply();
      };
      const fails = (error: Error) => (over(() => reject(broken ?? error)), open.destroy());
      const timer = setTimeout(
        () => fails(failure({ code: "reply-late", facts: { ms: timeoutMs, state: null } })),
        timeoutMs,
      );
      open.on("error", fails);
      stream.on("headers", (early: IncomingHttpHeaders & { ":status"?: number }) => {
        if (interim.push(early[":status"] ?? 100) > MOST_INTERIM) fails(tooManyInterim());
      });
      stream.on("response", (headers) => head = headers);
      stream.on("data", (chunk: Buffer) => {
        if (sink.length + chunk.length > MOST_REPLY_BYTES) fails(replyTooLarge(MOST_REPLY_BYTES));
        else sink.add(chunk);
      });
      stream.on("error", fails);
      stream.on("close", () => {
        if (head === undefined) return fails(connectionLost("the connection was closed without a reply"));
        const { ":status": status, ...headers } = head as IncomingHttpHeaders & { ":status": number };
        const taken = sink.take();
        over(() =>
          resolve({
            status,
            headers: Object.fromEntries(
              Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")]),
            ),
            ...bodyOfReply(taken),
            bytes: { body: taken.length },
            ...(interim.length === 0 ? {} : { interim }),
          })
        );
      });
      stream.end(content);
    });
  return {
    url,
    async send(...request) {
      const turn = before.then(() => ask(...request));
      before = turn.catch(() => {});
      return await turn;
    },
    begun: () => null,
    close: () => kept?.destroy(),
  };
}
