import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";
import type { Delivery } from "./mutate-stream.ts";

/** What went over one connection. */
export interface Recorded {
  readonly requests: Buffer;
  readonly replies: Buffer;
}

/** Other replies than the server's: of these so many bytes come first. */
export interface Replaced {
  readonly sound: number;
  readonly delivery: Delivery;
}

/** Sends a stream. Resolves once all is given to the socket, or the other end has gone. */
export async function deliver(socket: Socket, delivery: Delivery): Promise<void> {
  for (const { bytes, pauseMs } of delivery) {
    if (pauseMs > 0) await new Promise((wait) => setTimeout(wait, pauseMs));
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
export async function between(
  port: number,
  use: (port: number) => Promise<void>,
  replaced: (n: number) => Replaced | null = () => null,
): Promise<Recorded[]> {
  const taken: { readonly requests: Buffer[]; readonly replies: Buffer[] }[] = [], sockets = new Set<Socket>();
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
      sockets.add(socket);
      socket.on("error", () => {}).once("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
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
  await new Promise<void>((listens) => proxy.listen(0, "127.0.0.1", listens));
  try {
    await use((proxy.address() as AddressInfo).port);
  } finally {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  }
  return taken.map(({ requests, replies }) => ({ requests: Buffer.concat(requests), replies: Buffer.concat(replies) }));
}
