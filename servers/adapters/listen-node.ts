import type { Server } from "node:http";
import type { AddressInfo, Server as SocketServer } from "node:net";
import type { Listening, ListenOptions } from "../adapter.ts";

/** The port a server listens on. */
export function portOf(server: SocketServer): number {
  return (server.address() as AddressInfo).port;
}

/** Makes a node:http server listen, and close without waiting for idle keep-alive connections. */
export function listenNode(server: Server, options: ListenOptions): Promise<Listening> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.hostname, () => {
      server.off("error", reject);
      resolve({
        url: `http://${options.hostname}:${portOf(server)}`,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed());
            server.closeAllConnections();
          }),
      });
    });
  });
}
