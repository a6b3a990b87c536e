import type { AddressInfo, Server, Socket } from "node:net";

/** Has a server listen on a port of 127.0.0.1 while some work is done, and then ends it with all its connections. */
export async function listening<T>(server: Server, work: (url: string, port: number) => T | Promise<T>): Promise<T> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
  try {
    const { port } = server.address() as AddressInfo;
    return await work(`http://127.0.0.1:${port}`, port);
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  }
}
