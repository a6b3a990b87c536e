import { type AddressInfo, createConnection, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Delivery } from "./mutate-stream.ts";

/** The bytes that went over one connection. */
export interface Recorded {
  readonly requests: Buffer;
  readonly replies: Buffer;
}

/** Other replies than the server's: of these so many bytes come first. */
interface Replaced {
  readonly sound: number;
  readonly delivery: Delivery;
}

/** Has a server listen on a port while it is used, and then ends it with all its connections. */
export async function listening<T>(server: Server, use: (port: number) => Promise<T>): Promise<T> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

/** Sends a stream. Resolves once all is given to the socket, or the other end has gone. */
export async function deliver(socket: Socket, delivery: Delivery): Promise<void> {
  for (const { bytes, pauseMs } of delivery) {
    if (pauseMs > 0) await sleep(pauseMs);
    if (socket.destroyed) return;
    if (bytes.length > 0) socket.write(bytes);
  }
}

/**
 * Stands between a client and a server while a function has the client use its port, and returns what went over each
 * connection, in the order in which they came.
 *
 * @param port of the server
 * @param replaced says which connections get other replies, by their number
 */
export async function relayBetween(
  port: number,
  use: (port: number) => Promise<void>,
  replaced: (n: number) => Replaced | null = () => null,
): Promise<Recorded[]> {
  const taken: { readonly requests: Buffer[]; readonly replies: Buffer[] }[] = [];
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const record = { requests: [] as Buffer[], replies: [] as Buffer[] };
    const server = createConnection({ port, host: "127.0.0.1", allowHalfOpen: true }).setNoDelay(true);
    let instead = replaced(taken.push(record) - 1), left = instead?.sound ?? Infinity;
    const replace = () => {
      if (instead === null || left > 0) return;
      const { delivery } = instead;
      instead = null;
      void deliver(client, delivery).then(() => client.end());
    };
    for (const [socket, other] of [[client, server], [server, client]] as const) {
      socket.on("error", () => {}).once("close", () => other.destroy());
    }
    client.setNoDelay(true).on("data", (bytes: Buffer) => {
      record.requests.push(bytes);
      server.write(bytes);
    }).once("end", () => server.end());
    server.on("data", (bytes: Buffer) => {
      record.replies.push(bytes);
      if (left > 0) client.write(bytes.subarray(0, left));
      left -= bytes.length;
      replace();
    }).once("end", () => {
      if (left === Infinity) client.end();
    });
    replace();
  });
  await listening(proxy, use);
  return taken.map(({ requests, replies }) => ({ requests: Buffer.concat(requests), replies: Buffer.concat(replies) }));
}
